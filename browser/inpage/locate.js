// Locators (browser.md §3): a target resolves to exactly one element, or to a failure that says why not. The Go side
// parses the text of a locator; here it is a chain of segments, {chain: [{form, …, within?}]}.

const MAX_CANDIDATES = 8;

// Resolves a parsed locator to {el} or {fail: {kind, reason?, candidates?}}. Only not_found goes on to the next
// segment.
function resolve(target, client) {
  let result = notFound();
  for (const segment of target.chain) {
    result = resolveSegment(segment, client);
    if (result.el || result.fail.kind !== 'not_found') return result;
  }
  return result;
}

function resolveSegment(segment, client) {
  // One more than can be told is enough to say that there are more.
  const found = matchSegment(segment, client, MAX_CANDIDATES + 1);
  if (found.fail) return found;
  if (found.els.length === 0) return notFound();
  if (found.els.length === 1) return {el: found.els[0]};
  return ambiguous(found.els, client);
}

// All elements that a locator matches: those of its first segment that matches any. {els} or {fail}.
function matchAll(target, client) {
  for (const segment of target.chain) {
    const found = matchSegment(segment, client, Infinity);
    if (found.fail ? found.fail.kind !== 'not_found' : found.els.length > 0) return found;
  }
  return {els: []};
}

// The elements that a segment matches, up to limit: {els} or {fail}.
function matchSegment(segment, client, limit) {
  let scope = null;
  if (segment.within) {
    const outer = resolveSegment(segment.within, client);
    if (outer.fail) return outer;
    scope = outer.el;
  }
  const match = Object.hasOwn(matchers, segment.form) ? matchers[segment.form] : null;
  if (!match) return invalid('form', 'this form of locator is not known');
  const found = match(segment, {scope, client, limit});
  if (found.fail || !scope) return found;
  return {els: found.els.filter((el) => isInside(el, scope))};
}

// Where a segment is looked for: {scope: an element or null, client, limit}.
const matchers = {
  node: (segment, where) => matchNode(segment, where.client),
  ordinal: (segment, where) => matchOrdinal(segment.n, where.client),
  name: (segment, where) => ({els: matchName(segment.value, where)}),
  role: (segment, where) => (typeof segment.name === 'string'
    ? {els: matchRole(segment.role, segment.name, where)}
    : invalid('role', 'a role needs a name beside it')),
  text: (segment, where) => ({els: matchText(segment.value, where.scope)}),
  css: (segment) => matchCSS(segment.value),
  testid: (segment) => matchCSS('[data-testid="' + CSS.escape(segment.value) + '"]'),
  label: (segment, where) => ({els: matchControls((entry) => isLabelled(entry, collapse(segment.value)), where)}),
  placeholder: (segment, where) => ({els: matchControls((entry) => hasPlaceholder(entry.el, segment.value), where)}),
};

function notFound(reason) {
  return {fail: reason ? {kind: 'not_found', reason} : {kind: 'not_found'}};
}

function invalid(reason, message) {
  return {fail: {kind: 'invalid_argument', reason, message}};
}

// A node is guarded by itself (contract.md §2, promise 3): same element, published to this client, and role, name,
// states and context as last published. One of a revision is held to that by the caller and need only be known to this
// client; one that the caller has resolved before (known) is what it is.
function matchNode({id, guard, known}, client) {
  const el = elementOf(id);
  const shown = publishedTo(client).get(id);
  if (!el || (!known && !shown)) return stale('unknown');
  if (!isConnectedOf(el)) return {fail: {kind: 'detached'}};
  if (!guard) return {els: [el]};
  const entry = entryOf(el);
  if (!entry || entry.sig !== shown.sig) return stale('changed');
  if (contextHashOf(el) !== shown.ctx) return stale('context');
  return {els: [el]};
}

function stale(reason) {
  return {fail: {kind: 'stale_reference', reason}};
}

// An ordinal names a node of the list that the client was last shown, and is guarded like one.
function matchOrdinal(n, client) {
  if (!(n >= 1)) return invalid('ordinal', 'ordinals count from 1');
  const id = (lastListOf(client) || [])[n - 1];
  return id === undefined ? notFound('ordinal') : matchNode({id, guard: true}, client);
}


// Locators (browser.md §3): a target resolves to exactly one element, or to a failure that says why not. The Go side parses
// the text of a locator; here it is a chain of segments, {chain: [{form, …, within?}]}.

const MAX_CANDIDATES = 8;
// From this many elements on, a cheap test on their text comes before the accessible name is computed.
const PRETEST_FROM = 500;

// Roles whose every element is a control, so that the index alone answers for them.
const INDEXED_ROLES = new Set(['button', 'link', 'checkbox', 'radio', 'textbox', 'searchbox', 'combobox', 'slider',
  'spinbutton', 'switch', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'tab']);

// Where elements of other roles are looked for; any role is looked for in the role attribute too.
const ROLE_TAGS = {
  alert: '', application: '', article: 'article', banner: 'header', blockquote: 'blockquote', caption: 'caption',
  cell: 'td,th', code: 'code', columnheader: 'th', complementary: 'aside', contentinfo: 'footer', definition: 'dd,dfn',
  details: 'details', dialog: 'dialog', figure: 'figure', form: 'form', grid: 'table', gridcell: 'td,th',
  group: 'fieldset,optgroup,details,hgroup,address', heading: 'h1,h2,h3,h4,h5,h6', image: 'img,svg', img: 'img,svg',
  list: 'ul,ol,menu', listbox: 'select,datalist', listitem: 'li', main: 'main', meter: 'meter', navigation: 'nav',
  option: 'option', paragraph: 'p', progressbar: 'progress', region: 'section', row: 'tr', rowgroup: 'tbody,thead,tfoot',
  rowheader: 'th', search: 'search', status: 'output', table: 'table', term: 'dt,dfn',
};
const NAMED_ELEMENTS = 'h1,h2,h3,h4,h5,h6,section,nav,aside,main,form,tr,dialog,img,svg,figure,table,fieldset,article,' +
  'iframe,[role]';

// Resolves a parsed locator to {el} or {fail: {kind, reason?, candidates?}}. Only not_found goes on to the next segment.
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
  node: (segment, where) => matchNode(segment.id, segment.guard, where.client),
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

// A node is guarded by itself (contract.md §2, promise 3): same element, published to this client, and role, name, states
// and context as last published.
function matchNode(id, guard, client) {
  const el = elementOf(id);
  const shown = publishedTo(client).get(id);
  if (!el || (guard && !shown)) return stale('unknown');
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
  return id === undefined ? notFound('ordinal') : matchNode(id, true, client);
}

// The hash that a published context is compared by.
function contextHashOf(el) {
  return hashText(contextOf(el));
}

// Controls that satisfy test, in document order, up to the limit. Inert ones never match.
function matchControls(test, where) {
  const els = [];
  const inert = newInertTest();
  for (const entry of controls()) {
    if (!test(entry) || !isReachable(entry.el, inert)) continue;
    if (where.scope && !isInside(entry.el, where.scope)) continue;
    els.push(entry.el);
    if (els.length >= where.limit) break;
  }
  return els;
}

function isReachable(el, inert) {
  return isConnectedOf(el) && isRendered(el) && !inert(el);
}

function matchName(value, where) {
  const els = matchControls((entry) => entry.name === value, where);
  return els.length > 0 ? els : matchNamed(NAMED_ELEMENTS, value, isNamedKind, where);
}

// name= looks beyond the controls only at what a person would call by a name.
function isNamedKind(el) {
  const role = roleOf(el);
  return role !== '' && role !== 'generic' && role !== 'none' && role !== 'presentation';
}

// ARIA has two spellings of some roles.
function sameRole(a, b) {
  return a === b || (ROLE_SYNONYMS[a] || a) === (ROLE_SYNONYMS[b] || b);
}

function matchRole(role, name, where) {
  const els = matchControls((entry) => sameRole(entry.role, role) && entry.name === name, where);
  if (INDEXED_ROLES.has(role)) return els;
  const known = new Set(els);
  const tags = Object.hasOwn(ROLE_TAGS, role) ? ROLE_TAGS[role] : '';
  const selector = (tags ? tags + ',' : '') + '[role~="' + CSS.escape(role) + '" i]';
  const others = matchNamed(selector, name, (el) => !known.has(el) && sameRole(roleOf(el), role), where);
  return els.concat(others);
}

function matchNamed(selector, name, isKind, where) {
  const els = [];
  const inert = newInertTest();
  for (const root of openRoots()) {
    const all = query(root, selector);
    const mayBe = all.length < PRETEST_FROM ? () => true : newNamePretest(root, name);
    for (const el of all) {
      if (els.length >= where.limit) return els;
      if (!mayBe(el) || !isKind(el) || entryOf(el)?.name !== name || !isReachable(el, inert)) continue;
      if (!where.scope || isInside(el, where.scope)) els.push(el);
    }
  }
  return els;
}

// What lends an element a name besides its text.
const NAME_SOURCES = '[aria-label],[aria-labelledby],[alt],[title],input,select,textarea,svg,slot';

// A name that comes from an element's text holds every word of the wanted name in that text; any other comes from a source
// at the element or inside it.
function newNamePretest(root, name) {
  const holdsWords = newWordTest(name);
  const sourced = new Set();
  for (const source of query(root, NAME_SOURCES)) {
    for (let at = source; at && !sourced.has(at); at = parentElementIn(at)) sourced.add(at);
  }
  const whole = root === document ? documentElementOf(document) : root;
  if (!holdsWords(whole)) return (el) => sourced.has(el);
  return (el) => sourced.has(el) || holdsWords(el);
}

// A test whether the raw text of a node holds every word of a text, without case: what is drawn of the text never holds
// more. The longest words come first, as the rarest.
function newWordTest(text) {
  const words = collapse(text).split(' ').sort((a, b) => b.length - a.length);
  const patterns = words.map((word) => new RegExp(escapePattern(word), 'i'));
  return (node) => {
    const raw = textContentOf(node);
    return patterns.every((pattern) => pattern.test(raw));
  };
}

function escapePattern(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

function isLabelled(entry, wanted) {
  const el = entry.el;
  const labels = labelsOf(el);
  if (labels.length === 0 && !hasAttr(el, 'aria-label') && !hasAttr(el, 'aria-labelledby')) return false;
  if (collapse(entry.name) === wanted) return true;
  for (const label of labels) {
    if (collapse(textContentOf(label)) === wanted) return true;
  }
  return false;
}

function hasPlaceholder(el, value) {
  const own = attr(el, 'placeholder') ?? attr(el, 'aria-placeholder');
  return own !== null && collapse(own) === collapse(value);
}

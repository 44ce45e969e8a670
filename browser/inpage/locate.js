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
  const found = matchSegment(segment, client);
  if (found.fail) return found;
  if (found.els.length === 0) return notFound();
  if (found.els.length === 1) return {el: found.els[0]};
  return ambiguous(found.els, client);
}

// All elements that a locator matches: those of its first segment that matches any. {els} or {fail}.
function matchAll(target, client) {
  for (const segment of target.chain) {
    const found = matchSegment(segment, client);
    if (found.fail ? found.fail.kind !== 'not_found' : found.els.length > 0) return found;
  }
  return {els: []};
}

function matchSegment(segment, client) {
  let scope = null;
  if (segment.within) {
    const outer = resolveSegment(segment.within, client);
    if (outer.fail) return outer;
    scope = outer.el;
  }
  const match = matchers[segment.form];
  if (!match) return invalid('form', 'this form of locator is not known');
  const found = match(segment, scope, client);
  if (found.fail || !scope) return found;
  return {els: found.els.filter((el) => isInside(el, scope))};
}

const matchers = {
  node: (segment, scope, client) => matchNode(segment, client),
  ordinal: matchOrdinal,
  name: (segment) => ({els: matchName(segment.value)}),
  role: (segment) => (segment.name === undefined || segment.name === null
    ? invalid('role', 'a role needs a name beside it')
    : {els: matchRole(segment.role, segment.name)}),
  text: (segment, scope) => ({els: matchText(segment.value, scope)}),
  css: (segment) => matchCSS(segment.value),
  testid: (segment) => matchCSS('[data-testid="' + CSS.escape(segment.value) + '"]'),
  label: (segment) => ({els: matchControls((entry) => isLabelled(entry, collapse(segment.value)))}),
  placeholder: (segment) => ({els: matchControls((entry) => hasPlaceholder(entry.el, segment.value))}),
};

function notFound(reason) {
  return {fail: reason ? {kind: 'not_found', reason} : {kind: 'not_found'}};
}

function invalid(reason, message) {
  return {fail: {kind: 'invalid_argument', reason, message}};
}

// A node is guarded by itself (contract.md §2, promise 3): same element, published to this client, and role, name, states
// and context as last published.
// One of a revision is held to that by the caller and need only be known to this client. One that the caller has resolved
// before (known) is what it is.
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

function matchOrdinal(segment, scope, client) {
  if (!(segment.n >= 1)) return invalid('ordinal', 'ordinals count from 1');
  const id = (lastListOf(client) || [])[segment.n - 1];
  return id === undefined ? notFound('ordinal') : matchNode({id, guard: true}, client);
}

// Controls that satisfy test, in document order. Inert ones never match.
function matchControls(test) {
  const els = [];
  const inert = newInertTest();
  for (const entry of controls()) {
    if (test(entry) && isReachable(entry.el, inert)) els.push(entry.el);
  }
  return els;
}

function isReachable(el, inert) {
  return isConnectedOf(el) && isRendered(el) && !inert(el);
}

function matchName(value) {
  const els = matchControls((entry) => entry.name === value);
  return els.length > 0 ? els : matchNamed(NAMED_ELEMENTS, value, (el) => isNamedKind(el));
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

function matchRole(role, name) {
  const els = matchControls((entry) => sameRole(entry.role, role) && entry.name === name);
  if (INDEXED_ROLES.has(role)) return els;
  const known = new Set(els);
  const tags = Object.hasOwn(ROLE_TAGS, role) ? ROLE_TAGS[role] : '';
  const selector = (tags ? tags + ',' : '') + '[role~="' + CSS.escape(role) + '" i]';
  const others = matchNamed(selector, name, (el) => sameRole(roleOf(el), role));
  return els.concat(others.filter((el) => !known.has(el)));
}

function matchNamed(selector, name, isKind) {
  const els = [];
  const inert = newInertTest();
  for (const root of openRoots()) {
    const all = query(root, selector);
    const mayBe = all.length < PRETEST_FROM ? () => true : newNamePretest(name);
    for (const el of all) {
      if (mayBe(el) && isKind(el) && entryOf(el)?.name === name && isReachable(el, inert)) els.push(el);
    }
  }
  return els;
}

// A name that comes from an element's text holds the longest word of the wanted name in that text.
function newNamePretest(name) {
  const word = longestWord(name);
  if (!word) return () => true;
  const pattern = new RegExp(escapePattern(word), 'i');
  const elsewhere = '[aria-label],[aria-labelledby],[alt],[title],input,select,textarea,svg,slot';
  return (el) => pattern.test(textContentOf(el)) || matches(el, elsewhere) || query(el, elsewhere).length > 0;
}

function longestWord(text) {
  return collapse(text).split(' ').reduce((best, word) => (word.length > best.length ? word : best), '');
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

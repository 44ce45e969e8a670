// Locators that go by role, name, label and placeholder: over the index of controls, and over other elements that have
// a name.

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
  option: 'option', paragraph: 'p', progressbar: 'progress', region: 'section', row: 'tr', 
  rowgroup: 'tbody,thead,tfoot',   rowheader: 'th', search: 'search', status: 'output', table: 'table', term: 'dt,dfn',
};
const NAMED_ELEMENTS = 'h1,h2,h3,h4,h5,h6,section,nav,aside,main,form,tr,dialog,img,svg,figure,table,fieldset,' +
  'article,iframe,[role]';

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

// A name that comes from an element's text holds every word of the wanted name in that text; any other comes from a
// source at the element or inside it.
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

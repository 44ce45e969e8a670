// Safe access to the DOM, and small text tools that every other file uses.
//
// Prototypes of an isolated world are clean, but named properties are not: a form's fields and a document's named
// images hide methods of the same name (<input name="getAttribute">). So nodes are read through getters taken once
// from the prototypes.
function getterOf(proto, name) {
  const get = Object.getOwnPropertyDescriptor(proto, name).get;
  return node => get.call(node);
}
const parentNodeOf = getterOf(Node.prototype, 'parentNode');
const firstChildOf = getterOf(Node.prototype, 'firstChild');
const nextSiblingOf = getterOf(Node.prototype, 'nextSibling');
const nodeTypeOf = getterOf(Node.prototype, 'nodeType');
const textContentOf = getterOf(Node.prototype, 'textContent');
const isConnectedOf = getterOf(Node.prototype, 'isConnected');
const localNameOf = getterOf(Element.prototype, 'localName');
const namespaceOf = getterOf(Element.prototype, 'namespaceURI');
const shadowRootOf = getterOf(Element.prototype, 'shadowRoot');
const slotOf = getterOf(Element.prototype, 'assignedSlot');
const textSlotOf = getterOf(Text.prototype, 'assignedSlot');
const childElementCountOf = getterOf(Element.prototype, 'childElementCount');
const innerTextOf = getterOf(HTMLElement.prototype, 'innerText');
const isContentEditableOf = getterOf(HTMLElement.prototype, 'isContentEditable');
const dataOf = getterOf(CharacterData.prototype, 'data');
const getAttributeMethod = Element.prototype.getAttribute;
const matchesMethod = Element.prototype.matches;
const closestMethod = Element.prototype.closest;
const attributeNames = Element.prototype.getAttributeNames;
const hasAttributesMethod = Element.prototype.hasAttributes;
const rectMethod = Element.prototype.getBoundingClientRect;
const rectsMethod = Element.prototype.getClientRects;
const visibilityMethod = Element.prototype.checkVisibility;
const rootNodeMethod = Node.prototype.getRootNode;
const containsMethod = Node.prototype.contains;

const ELEMENT = 1;
const TEXT = 3;
const FRAGMENT = 11;
const HTML_NS = 'http://www.w3.org/1999/xhtml';
const SVG_NS = 'http://www.w3.org/2000/svg';

// tagOf: the name of an HTML element; others have their namespace before it ("svg:a"), so that what looks like an HTML
// element is never taken for one and asked for what it has not.
function tagOf(el) {
  const namespace = namespaceOf(el);
  if (namespace === HTML_NS) return localNameOf(el);
  return (namespace === SVG_NS ? 'svg:' : ':') + localNameOf(el);
}
function attr(el, name) { return getAttributeMethod.call(el, name); }
function hasAttr(el, name) { return getAttributeMethod.call(el, name) !== null; }
function matches(el, selector) { return matchesMethod.call(el, selector); }
function rectOf(el) { return rectMethod.call(el); }
function rootOf(node) { return rootNodeMethod.call(node); }
function isElement(node) { return nodeTypeOf(node) === ELEMENT; }
function isHTML(el) { return namespaceOf(el) === HTML_NS; }
function isEditable(el) { return isHTML(el) && isContentEditableOf(el); }

function query(root, selector) {
  const proto = nodeTypeOf(root) === ELEMENT ? Element.prototype
    : nodeTypeOf(root) === FRAGMENT ? DocumentFragment.prototype : Document.prototype;
  return proto.querySelectorAll.call(root, selector);
}

// parentElementOf: the element above in the tree that is laid out: through slots and shadow roots.
function parentElementOf(node) {
  if (nodeTypeOf(node) === ELEMENT || nodeTypeOf(node) === TEXT) {
    const slot = nodeTypeOf(node) === ELEMENT ? slotOf(node) : textSlotOf(node);
    if (slot) return slot;
  }
  const parent = parentNodeOf(node);
  if (!parent) return null;
  if (nodeTypeOf(parent) === FRAGMENT) return parent.host || null;
  return nodeTypeOf(parent) === ELEMENT ? parent : null;
}

// firstFlatChild and the array form give the children that are laid out: of the shadow root, or assigned to the slot.
function flatChildren(el) {
  const shadow = shadowRootOf(el);
  if (!shadow && tagOf(el) === 'slot' && isHTML(el)) {
    const assigned = HTMLSlotElement.prototype.assignedNodes.call(el);
    if (assigned.length) return assigned;
  }
  const out = [];
  for (let c = firstChildOf(shadow || el); c; c = nextSiblingOf(c)) out.push(c);
  return out;
}

// runCache holds what is true only as long as nothing else has run: it is emptied by the microtask after this script.
let runCacheNow = null;
function runCache() {
  if (!runCacheNow) {
    runCacheNow = new Map();
    Promise.resolve().then(() => { runCacheNow = null; });
  }
  return runCacheNow;
}
function once(key, make) {
  const cache = runCache();
  let value = cache.get(key);
  if (value === undefined) cache.set(key, value = make());
  return value;
}

// byteLength is the length of s in UTF-8.
function byteLength(s) {
  let n = s.length;
  for (let i = 0; i < s.length; i++) {
    const c = s.charCodeAt(i);
    if (c < 0x80) continue;
    if (c < 0x800) n += 1;
    else if (c >= 0xd800 && c <= 0xdbff && isLow(s.charCodeAt(i + 1))) { n += 2; i++; } else n += 2;
  }
  return n;
}
function isLow(c) { return c >= 0xdc00 && c <= 0xdfff; }

// cutIndex: how many UTF-16 units of s fit into max bytes without splitting a character.
function cutIndex(s, max) {
  if (s.length * 3 <= max) return s.length;
  let bytes = 0;
  for (let i = 0; i < s.length; i++) {
    const c = s.charCodeAt(i);
    const pair = c >= 0xd800 && c <= 0xdbff && isLow(s.charCodeAt(i + 1));
    bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : pair ? 4 : 3;
    if (bytes > max) return i;
    if (pair) i++;
  }
  return s.length;
}
function cutBytes(s, max) {
  const i = cutIndex(s, max);
  return i === s.length ? s : s.slice(0, i);
}

// collapse turns every run of white space, no-break spaces too, into one blank and trims the ends.
function collapse(s) { return s.replace(/[\s\u00a0]+/g, ' ').replace(/^ | $/g, ''); }

// INVISIBLE: controls, zero-width and joining marks that say nothing alone, bidi controls, tag characters, variation
// selectors of the supplement. ZWJ and ZWNJ stay inside words and emoji, where they change what is seen.
const INVISIBLE = new RegExp('[\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160' +
  '\\u17b4\\u17b5\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb]|' +
  '[\\u{e0000}-\\u{e0fff}]', 'gu');
// cleanLabel makes a label that is safe to print on one line.
function cleanLabel(s) {
  if (/^[!-~]*(?: [!-~]+)*$/.test(s)) return s;
  return collapse(s.replace(INVISIBLE, '').toWellFormed());
}

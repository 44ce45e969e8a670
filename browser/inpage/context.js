// The context of a control (contract.md §1): the text around it that gives it its meaning. In a row, list item or
// article the words of other links and buttons count, for they name the record. In a form, dialog, section and the
// like they do not, so that a page that adds a control there does not change what all others mean. Values are never
// part of it, nor are the control's own words.

const CONTEXT_MAX_BYTES = 2048;
const CONTEXT_MAX_NODES = 400;
const RECORD_TAGS = /^(?:tr|li|article)$/;
const FRAME_TAGS = /^(?:fieldset|form|dialog|section)$/;
const RECORD_ROLES = /^(?:row|listitem|article)$/;
const FRAME_ROLES = /^(?:form|dialog|alertdialog|region|group)$/;
const VALUE_TAGS = new Set(('select textarea input option datalist script style template noscript svg:svg iframe ' +
  'object canvas ' +
  'audio video progress meter').split(' '));
const OTHER_CONTROL = /^(?:a|button|summary|svg:a)$/;

function contextOf(el) {
  for (let p = parentElementOf(el); p; p = parentElementOf(p)) {
    const kind = contextKind(p);
    if (kind) return contextText(p, el, kind === 'record', CONTEXT_MAX_BYTES).text;
  }
  return nearbyText(el);
}

// contextKind: 'record', 'frame' or ''.
function contextKind(el) {
  const explicit = attr(el, 'role');
  if (explicit) {
    const role = explicit.trim().toLowerCase().split(/\s+/)[0];
    if (RECORD_ROLES.test(role)) return 'record';
    if (FRAME_ROLES.test(role)) return 'frame';
    return '';
  }
  if (!isHTML(el)) return '';
  const tag = tagOf(el);
  return RECORD_TAGS.test(tag) ? 'record' : FRAME_TAGS.test(tag) ? 'frame' : '';
}

// nearbyText: the text of the smallest ancestor that holds some besides the control's own, when it is short enough.
function nearbyText(el) {
  for (let p = parentElementOf(el); p && tagOf(p) !== 'html'; p = parentElementOf(p)) {
    const {text, cut} = contextText(p, el, false, CONTEXT_MAX_BYTES);
    if (cut) return '';
    if (text !== '') return text;
  }
  return '';
}

function contextText(root, own, record, max) {
  const walk = {own, record, left: max, nodes: CONTEXT_MAX_NODES, parts: [], cut: false};
  contextInside(root, walk);
  return {text: cutBytes(collapse(walk.parts.join(' ')), max), cut: walk.cut};
}

function contextInside(el, walk) {
  for (const child of flatChildren(el)) {
    if (walk.cut) return;
    const type = nodeTypeOf(child);
    if (type === TEXT) contextData(dataOf(child), walk);
    else if (type === ELEMENT && counts(child, walk)) contextInside(child, walk);
  }
}
function contextData(data, walk) {
  if (!/[^\s]/.test(data)) return;
  if (data.length > walk.left) { data = data.slice(0, walk.left); walk.cut = true; }
  const text = collapse(data);
  walk.parts.push(text);
  walk.left -= byteLength(text) + 1;
  if (walk.left <= 0) walk.cut = true;
}
function counts(el, walk) {
  if (el === walk.own) return false;
  const tag = tagOf(el);
  if (VALUE_TAGS.has(tag)) return false;
  if (--walk.nodes < 0) { walk.cut = true; return false; }
  const maybe = OTHER_CONTROL.test(tag) || hasAttr(el, 'role') || hasAttr(el, 'tabindex');
  if (!walk.record && maybe && isControl(el)) return false;
  if (isEditingHost(el)) return false;
  return visibilityMethod.call(el) || getComputedStyle(el).display === 'contents';
}

// hashText: 53 bits of s and salt as a decimal string; fast and well mixed, not secret.
function hashText(s, salt) {
  let a = 0xdeadbeef, b = 0x41c6ce57;
  const mix = text => {
    for (let i = 0; i < text.length; i++) {
      const c = text.charCodeAt(i);
      a = Math.imul(a ^ c, 2654435761);
      b = Math.imul(b ^ c, 1597334677);
    }
  };
  mix(String(salt));
  a = Math.imul(a ^ 0x1f, 2654435761);
  mix(s);
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return String(4294967296 * (2097151 & b) + (a >>> 0));
}

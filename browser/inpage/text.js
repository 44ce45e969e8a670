// The text that a person sees: innerText's result without what is not seen, with open shadow roots in their place. It is
// composed by the HTML specification's "rendered text collection steps"; the walk stops when the budget is full.

// visibleText returns {text, cut, total}: the text of root from its startBytes-th byte on, at most maxBytes; total (bytes of
// the whole text) only when the end was reached.
function visibleText(root, maxBytes, startBytes, pass) {
  pass = pass || newPass();
  const out = newOutput((startBytes || 0) + maxBytes + 8);
  walkText(root, out, pass);
  const all = out.parts.join('');
  const total = out.full ? undefined : byteLength(all);
  const from = startBytes ? cutIndex(all, startBytes) : 0;
  const rest = from ? all.slice(from) : all;
  const text = cutBytes(rest, maxBytes).toWellFormed();
  const result = {text, cut: out.full || text.length < rest.length};
  if (total !== undefined) result.total = total;
  return result;
}

// textIncludes: whether the whole visible text holds needle, white space normalised in both.
function textIncludes(root, needle, pass) {
  const wanted = collapse(needle);
  if (wanted === '') return true;
  if (!mayHold(root, wanted)) return false;
  const out = newOutput(Infinity);
  out.wanted = wanted;
  walkText(root, out, pass || newPass());
  return out.found || collapse(out.tail).includes(wanted);
}
// mayHold looks at the raw text first: letters in this order, without case and white space, or a shadow root to look into.
function mayHold(root, wanted) {
  const squeeze = s => s.replace(/[\s\u00a0\u00ad\u200b]+/g, '').toLowerCase();
  if (squeeze(textContentOf(root)).includes(squeeze(wanted))) return true;
  return nodeTypeOf(root) === ELEMENT && (shadowRootOf(root) !== null || shadowHosts(root).length > 0 ||
    textIsTransformed(wanted));
}
function textIsTransformed(wanted) { return /[ßẞıİΣσς]/.test(wanted); }

// An output gathers pieces. breaks: required line breaks that wait for text; blank: a collapsible blank that waits for
// more on its line; start: at a line's start, where blanks vanish.
function newOutput(max) {
  return {parts: [], left: max, full: false, any: false, breaks: 0, blank: false, start: true, wanted: '', tail: '', found: false};
}
function push(out, s) {
  if (out.full || s === '') return;
  if (out.breaks && out.any) {
    const n = out.breaks;
    out.breaks = 0;
    pushRaw(out, n === 2 ? '\n\n' : '\n');
  }
  out.breaks = 0;
  pushRaw(out, s);
}
function pushRaw(out, s) {
  out.any = true;
  if (out.wanted) { match(out, s); return; }
  out.parts.push(s);
  out.left -= s.length * 3 <= out.left ? byteLength(s) : byteLength(s);
  if (out.left <= 0) out.full = true;
}
// match keeps only the end of what has passed: enough for a match that goes across pieces.
function match(out, s) {
  out.tail += s;
  if (out.tail.length < out.wanted.length + 1024) return;
  const flat = out.tail.replace(/[\s\u00a0]+/g, ' ');
  if (flat.includes(out.wanted)) { out.found = out.full = true; return; }
  out.tail = flat.slice(-out.wanted.length - 1);
}
function requireBreaks(out, n) {
  out.blank = false;
  out.start = true;
  if (n > out.breaks) out.breaks = n;
}
// atom: something on the line that is no text; blanks around it stay.
function atom(out) {
  if (out.blank) { push(out, ' '); out.blank = false; }
  out.start = false;
}

function walkText(root, out, pass) {
  if (nodeTypeOf(root) !== ELEMENT) {
    for (let c = firstChildOf(root); c && !out.full; c = nextSiblingOf(c)) walkNode(c, lookOf(document.documentElement, pass), null, out, pass);
    return;
  }
  const parent = parentElementOf(root);
  walkElement(root, parent ? lookOf(parent, pass) : ROOT_LOOK, parent, out, pass);
}

function walkNode(node, look, parent, out, pass) {
  const type = nodeTypeOf(node);
  if (type === TEXT) addText(node, look, parent, out);
  else if (type === ELEMENT) walkElement(node, look, parent, out, pass);
}

const NO_TEXT = /^(?:script|style|template|noscript|textarea|input|iframe|embed|audio|video|canvas|img|svg|progress|meter|datalist|picture)$/;
function walkElement(el, parentLook, parent, out, pass) {
  const tag = tagOf(el);
  const html = isHTML(el);
  if (html && tag === 'br') { addBreak(el, parentLook, out); return; }
  if (html && NO_TEXT.test(tag)) { noText(el, tag, parentLook, out, pass); return; }
  const look = childLook(el, parentLook, pass);
  if (!look.boxed) return;
  if (look.skipped && look.display === 'none') return;
  if (html && (tag === 'select' || tag === 'object')) { addNative(el, tag, look, out); return; }
  const display = look.display;
  if (!look.visible) { if (!look.skipped) walkInside(el, tag, look, out, pass); return; }
  const level = blockLevel(display, tag, html);
  const drops = level && OUT_OF_FLOW.test(look.position + look.float) ? leaveLine(el, out) : false;
  if (level) requireBreaks(out, level);
  const atomic = display.startsWith('inline-') || (namespaceOf(el) === SVG_NS && tag === 'svg');
  if (atomic) { atom(out); out.start = true; }
  if (!look.skipped) walkInside(el, tag, look, out, pass);
  if (atomic) { out.blank = false; out.start = false; }
  if (level) requireBreaks(out, level);
  if (level && OUT_OF_FLOW.test(look.position + look.float)) out.start = drops;
  if (display === 'table-cell') endCell(el, out);
  else if (display === 'table-row') endRow(el, out);
}

// leaveLine: a box out of the flow does not end the line that it stands in; a blank before it stays, when the line goes
// on, and takes the blanks after it. It reports whether blanks vanish after the box.
const OUT_OF_FLOW = /absolute|fixed|left|right/;
function leaveLine(el, out) {
  if (!out.blank) return out.start;
  const next = nextSiblingOf(el);
  if (!next || nodeTypeOf(next) !== TEXT || !/[^\s]/.test(dataOf(next))) return out.start;
  push(out, ' ');
  return true;
}

function noText(el, tag, parentLook, out, pass) {
  if (tag === 'script' || tag === 'style' || tag === 'template' || tag === 'noscript') return;
  const look = childLook(el, parentLook, pass);
  if (!look.boxed || look.display === 'none') return;
  const level = blockLevel(look.display, tag, true);
  if (level) { requireBreaks(out, level); return; }
  if (look.position !== 'absolute' && look.position !== 'fixed') atom(out);
}

// blockLevel: how many line breaks stand around the box.
const BLOCK_DISPLAYS = /^(?:block|flex|grid|table|list-item|flow-root|table-caption|-webkit-box|block math)$/;
function blockLevel(display, tag, html) {
  const block = BLOCK_DISPLAYS.test(display);
  if (html && tag === 'p') return 2;
  return block ? 1 : 0;
}

// walkInside: a box with nothing but text gives its innerText, which has every rule of layout applied; else its children.
function walkInside(el, tag, look, out, pass) {
  if (childElementCountOf(el) === 0 && shadowRootOf(el) === null && tag !== 'slot' && isHTML(el)) {
    if (look.display !== 'inline' && look.display !== 'contents') { addLeaf(el, look, out); return; }
  }
  for (const child of flatChildren(el)) {
    if (out.full) return;
    if (look.closed && nodeTypeOf(child) === TEXT) continue;
    walkNode(child, look, el, out, pass);
  }
}

function addLeaf(el, look, out) {
  if (firstChildOf(el) === null || !textSeen(look) || !leafPlaceSeen(el, look)) return;
  const text = innerTextOf(el);
  if (text === '') return;
  if (text.length > out.left) { push(out, text.slice(0, out.left + 1)); return; }
  push(out, text);
  out.start = false;
  out.blank = false;
}

// leafPlaceSeen: text that is indented out of its box, or lies in a box that shows only a part, is looked at itself.
function leafPlaceSeen(node, look) {
  if (!(look.indent < -HAIRLINE_PX * 100) && !(look.clips && look.all)) return true;
  const range = document.createRange();
  range.selectNodeContents(node);
  const box = range.getBoundingClientRect();
  return (box.width === 0 && box.height === 0) || placeSeen(box, look.clip, look.fixed);
}

function addText(node, look, parent, out) {
  const data = dataOf(node);
  if (data === '') return;
  const style = parent ? whiteSpaceOf(parent, look) : null;
  if (look.boxed && !look.visible && /[^ \t\n\r\f]/.test(data)) atom(out);
  if (!textSeen(look)) return;
  const mode = style ? style.mode : 'collapse';
  if (mode === 'collapse' && /^[ \t\n\r\f]*$/.test(data)) {
    if (!out.start && !noLooseText(look.display)) out.blank = true;
    return;
  }
  if (!leafPlaceSeen(node, look)) return;
  const text = style && style.transform !== 'none' ? transformed(data, style.transform) : data;
  if (mode === 'collapse') addCollapsed(text, out);
  else addPreserved(text, mode, out);
}
// Blanks straight in these boxes are no text.
function noLooseText(display) { return /^(?:flex|inline-flex|grid|inline-grid|table|inline-table|table-row|table-row-group|table-header-group|table-footer-group)$/.test(display); }

function whiteSpaceOf(el, look) {
  if (look.white === undefined) {
    const style = getComputedStyle(el);
    look.white = {mode: style.whiteSpaceCollapse || 'collapse', transform: style.textTransform};
  }
  return look.white;
}

function addCollapsed(text, out) {
  let s = text.replace(/[ \t\n\r\f]+/g, ' ').replace(/[\u00ad\u200b]/g, m => m);
  if (s.startsWith(' ')) {
    if (out.start || out.blank) s = s.slice(1);
    else { s = s.slice(1); out.blank = true; }
  }
  const trailing = s.endsWith(' ');
  if (trailing) s = s.slice(0, -1);
  if (s !== '') {
    if (out.blank) s = ' ' + s;
    if (s.length > out.left) s = s.slice(0, out.left + 1);
    push(out, s);
    out.start = false;
    out.blank = trailing;
  } else if (trailing && !out.start) {
    out.blank = true;
  }
}

function addPreserved(text, mode, out) {
  if (mode === 'preserve-breaks') {
    const lines = text.replace(/[ \t\f]*\r?\n[ \t\f]*/g, '\n').split('\n');
    lines.forEach((line, i) => {
      if (i) { out.blank = false; push(out, '\n'); out.start = true; }
      addCollapsed(line, out);
    });
    return;
  }
  if (out.blank) { push(out, ' '); out.blank = false; }
  push(out, text.replace(/\r\n?/g, '\n'));
  out.start = text.endsWith('\n');
}

function addBreak(el, look, out) {
  if (!textSeen(look)) return;
  out.blank = false;
  push(out, '\n');
  out.start = true;
}

function endCell(el, out) {
  out.blank = false;
  out.start = true;
  if (hasSiblingBox(el, 'table-cell')) { push(out, '\t'); }
}
function endRow(el, out) {
  out.blank = false;
  out.start = true;
  if (hasSiblingBox(el, 'table-row') || laterSectionHasRow(el)) { push(out, '\n'); }
}
// hasSiblingBox: whether a later sibling is laid out the same way.
function hasSiblingBox(el, display) {
  for (let s = nextSiblingOf(el); s; s = nextSiblingOf(s)) {
    if (nodeTypeOf(s) !== ELEMENT) continue;
    const tag = tagOf(s);
    if (tag === 'script' || tag === 'template') continue;
    if (getComputedStyle(s).display === display) return true;
  }
  return false;
}
function laterSectionHasRow(row) {
  const section = parentNodeOf(row);
  if (!section || nodeTypeOf(section) !== ELEMENT || !/^table-(?:row|header|footer)-group$/.test(getComputedStyle(section).display)) return false;
  for (let s = nextSiblingOf(section); s; s = nextSiblingOf(s)) {
    if (nodeTypeOf(s) !== ELEMENT) continue;
    for (let r = firstChildOf(s); r; r = nextSiblingOf(r)) {
      if (nodeTypeOf(r) === ELEMENT && getComputedStyle(r).display === 'table-row') return true;
    }
  }
  return false;
}

// addNative: what innerText says of a select (its options, each on a line) and of an object without data (its fallback).
function addNative(el, tag, look, out) {
  atom(out);
  if (!textSeen(look)) return;
  const text = innerTextOf(el);
  if (text === '') return;
  if (tag === 'select') requireBreaks(out, 1);
  push(out, text);
  if (tag === 'select') requireBreaks(out, 1);
  out.start = false;
}

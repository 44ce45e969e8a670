// The text that a person sees: innerText's result without what is not seen, with open shadow roots in their place. It
// is composed by the HTML specification's "rendered text collection steps"; the walk stops when the budget is full.

// visibleText returns {text, cut, total}: the text of root from its startBytes-th byte on, at most maxBytes; total
// (bytes of the whole text) only when the end was reached.
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
// mayHold looks at the raw text first: letters in this order, without case and white space, or a shadow root to look
// into.
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
  return {
    parts: [], left: max, full: false, any: false, breaks: 0, blank: false, start: true, row: false, cell: null,
    depth: 0, last: '', wanted: '', tail: '', found: false,
  };
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
  out.last = s;
  if (out.wanted) { match(out, s); return; }
  out.parts.push(s);
  out.left -= byteLength(s);
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
    const host = root.host ? lookOf(root.host, pass) : rootLook();
    for (let c = firstChildOf(root); c && !out.full; c = nextSiblingOf(c)) walkNode(c, host, out, pass);
    return;
  }
  const parent = parentElementOf(root);
  walkElement(root, parent ? lookOf(parent, pass) : rootLook(), out, pass);
}

function walkNode(node, look, out, pass) {
  const type = nodeTypeOf(node);
  if (type === TEXT) addText(node, look, out);
  else if (type === ELEMENT) walkElement(node, look, out, pass);
}

const NO_TEXT = new Set(('script style template noscript textarea input iframe embed audio video canvas img ' +
  'progress meter ' +
  'datalist').split(' '));
function walkElement(el, parentLook, out, pass) {
  const tag = tagOf(el);
  const html = isHTML(el);
  if (html && tag === 'br') { addBreak(el, parentLook, out); return; }
  if (html && NO_TEXT.has(tag)) { noText(el, tag, parentLook, out, pass); return; }
  const look = childLook(el, parentLook, pass);
  if (!look.boxed) return;
  if (look.skipped && look.display === 'none') return;
  if (html && (tag === 'select' || tag === 'object')) { addNative(el, tag, look, out); return; }
  const display = look.display;
  const level = blockLevel(display, tag, html);
  if (!look.visible) { walkInvisible(el, tag, look, level, out, pass); return; }
  const aside = level && !out.start && isOutOfFlow(el, look);
  const drops = aside && leaveLine(el, out);
  if (level) requireBreaks(out, level);
  const table = TABLE_DISPLAYS.has(display) ? beginTablePart(el, display, out) : null;
  const atomic = display.startsWith('inline-') || tag === 'svg:svg';
  if (atomic) { atom(out); out.start = true; }
  const quoted = tag === 'q' && html;
  if (quoted) atom(out);
  if (!look.skipped) walkInside(el, tag, look, out, pass);
  if (quoted) atom(out);
  if (atomic) { out.blank = false; out.start = false; }
  if (level) requireBreaks(out, level);
  if (level && atomic) out.start = false;
  if (aside) out.start = drops;
  if (table) endTablePart(el, display, out, table);
}

// walkInvisible: a box with visibility:hidden asks for no line breaks, but what is in it may be visible again.
function walkInvisible(el, tag, look, level, out, pass) {
  if (look.skipped) return;
  const line = () => { if (level) { out.blank = false; out.start = true; } };
  line();
  walkInside(el, tag, look, out, pass);
  line();
}

// Between two cells of a row stands a tab, between two rows of a table a line break: each is written when the next
// begins.
const TABLE_DISPLAYS = new Set(['table', 'inline-table', 'table-cell', 'table-row']);
function beginTablePart(el, display, out) {
  const before = {row: out.row, cell: out.cell};
  if (display === 'table-cell') {
    if (out.cell && out.cell === parentNodeOf(el)) push(out, '\t');
    out.blank = false;
    out.start = true;
  } else if (display === 'table-row') {
    if (out.row) push(out, '\n');
    out.cell = null;
    out.blank = false;
    out.start = true;
  } else {
    out.row = false;
    out.cell = null;
  }
  return before;
}
function endTablePart(el, display, out, before) {
  out.blank = false;
  out.start = true;
  if (display === 'table-cell') {
    out.row = before.row;
    out.cell = parentNodeOf(el);
  } else if (display === 'table-row') {
    out.row = true;
    out.cell = before.cell;
  } else {
    out.row = before.row;
    out.cell = before.cell;
  }
}

// leaveLine: a box out of the flow does not end the line that it stands in; a blank before it stays, when the line goes
// on, and takes the blanks after it. It reports whether blanks vanish after the box.
function isOutOfFlow(el, look) {
  return look.position === 'absolute' || look.position === 'fixed' || getComputedStyle(el).float !== 'none';
}
function leaveLine(el, out) {
  if (!out.blank) return false;
  const next = nextSiblingOf(el);
  if (!next || nodeTypeOf(next) !== TEXT || !/[^\s]/.test(dataOf(next))) return false;
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
const BLOCK_DISPLAYS = new Set(['block', 'flex', 'grid', 'table', 'list-item', 'flow-root', 'table-caption',
  '-webkit-box', 'block math', 'grid-lanes']);
function blockLevel(display, tag, html) {
  if (html && tag === 'p' && display !== 'contents' && !display.startsWith('table-')) return 2;
  return BLOCK_DISPLAYS.has(display) ? 1 : 0;
}

// walkInside: a box with nothing but text gives its innerText, which has every rule of layout applied; else its
// children.
function walkInside(el, tag, look, out, pass) {
  if (childElementCountOf(el) === 0 && shadowRootOf(el) === null && tag !== 'slot' && isHTML(el)) {
    if (look.display !== 'inline' && look.display !== 'contents') { addLeaf(el, look, out); return; }
  }
  if (out.depth >= TEXT_MAX_DEPTH) { out.full = true; return; }
  out.depth++;
  for (const child of flatChildren(el)) {
    if (out.full) break;
    if (look.closed && nodeTypeOf(child) === TEXT) continue;
    walkNode(child, look, out, pass);
  }
  out.depth--;
}
// TEXT_MAX_DEPTH: deeper than any page that a person wrote, and far from the end of the stack.
const TEXT_MAX_DEPTH = 1200;

function addLeaf(el, look, out) {
  const only = firstChildOf(el);
  if (only === null) return;
  const white = look.white;
  const alone = nextSiblingOf(only) === null && nodeTypeOf(only) === TEXT;
  if (alone && !look.lines && white.mode === 'collapse' && white.transform === 'none') {
    addText(only, look, out);
    return;
  }
  if (!textSeen(look) || !leafPlaceSeen(el, look)) return;
  const text = innerTextOf(el);
  if (text === '') return;
  if (text.length > out.left) { push(out, text.slice(0, out.left + 1)); return; }
  push(out, text);
  out.start = false;
  out.blank = false;
}

// INDENT_SUSPECT_PX: indented so far to the left, text may have left its box.
const INDENT_SUSPECT_PX = -100;
// leafPlaceSeen: text that is indented out of its box, or lies in a box that shows only a part, is looked at itself.
function leafPlaceSeen(node, look) {
  if (look.indent >= INDENT_SUSPECT_PX && !(look.clips && look.all)) return true;
  const box = textBox(node);
  return (box.width === 0 && box.height === 0) || placeSeen(box, look.clip);
}

function addText(node, look, out) {
  const data = dataOf(node);
  if (data === '') return;
  if (look.boxed && !look.visible && /[^ \t\n\r]/.test(data)) atom(out);
  if (!textSeen(look)) return;
  const {mode, transform} = look.white;
  const loose = noLooseText(look.display);
  if (!/[^ \t\n\r]/.test(data) && (loose || mode === 'collapse')) {
    if (!out.start && !loose) out.blank = true;
    return;
  }
  if (loose) { out.blank = false; out.start = true; } // text straight in a flex box is a box of its own
  if (!leafPlaceSeen(node, look)) return;
  const text = transform === 'none' ? data : transformedAfter(out, data, transform);
  if (mode === 'collapse') addCollapsed(text, out);
  else addPreserved(text, mode, out);
}
// transformedAfter: a word that began before this node is not begun again.
function transformedAfter(out, data, transform) {
  const within = transform === 'capitalize' && !out.start && !out.blank && /[\p{L}\p{N}]$/u.test(out.last);
  return within ? data[0] + transformed('\u2019' + data, transform).slice(2) : transformed(data, transform);
}
// Blanks straight in these boxes are no text.
const UNLOOSE = new Set(('flex inline-flex grid inline-grid table inline-table table-row table-row-group ' +
  'table-header-group ' +
  'table-footer-group').split(' '));
function noLooseText(display) { return UNLOOSE.has(display); }

function whiteSpaceOf(style) {
  return {mode: style.whiteSpaceCollapse, transform: style.textTransform};
}

function addCollapsed(text, out) {
  let s = /[\t\n\r]| {2}/.test(text) ? text.replace(/[ \t\n\r]+/g, ' ') : text;
  if (s.startsWith(' ')) {
    s = s.slice(1);
    if (!out.start) out.blank = true;
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

// addNative: what innerText says of a select (its options, each on a line) and of an object without data (its
// fallback).
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

// Names, as Chrome computes them: accname 1.2 with HTML-AAM, in Chrome's order of steps (browser.md §2). One step that
// is ours: a control whose role gives it no name from its content (a div with a click handler) is still named by it;
// Chrome does so only while the control has the focus.

// NAME_MAX_NODES: Chrome stops a name after so many nodes too.
const NAME_MAX_NODES = 100;

const NAMED_BY_CONTENT = new Set(('button cell checkbox columnheader doc-backlink doc-biblioref doc-noteref ' +
  'doc-glossref ' +
  'gridcell heading link math menuitem menuitemcheckbox menuitemradio option radio rowheader switch tab term ' +
  'treeitem ' +
  'tooltip').split(' '));
// Containers that never lend their content to a name above them.
const NEVER_CONTENT = new Set(('alert alertdialog application audio article banner blockquote color combobox comment ' +
  'complementary contentinfo date datetime dialog document embed feed figure form graphics-object ' +
  'graphics-symbol grid group iframe image timefield listbox log main marquee menu menubar meter navigation note ' +
  'object ' +
  'progressbar radiogroup rowgroup scrollbar search searchbox sectionheader sectionfooter separator slider ' +
  'spinbutton ' +
  'status suggestion table tablist tabpanel textbox timer toolbar tree treegrid video').split(' '));
// LENDING: elements whose role would not lend, but they do.
const LENDING = /^(?:details|address|footer)$/;
const NO_TOOLTIP_NAME = new Set(('caption code deletion insertion definition emphasis generic mark none paragraph ' +
  'strong ' +
  'subscript superscript time ' +
  'suggestion term').split(' '));
const CONTROL_ROLES = new Set(('button checkbox combobox listbox menuitem menuitemcheckbox menuitemradio option ' +
  'radio ' +
  'scrollbar searchbox slider spinbutton switch tab textbox color date datetime timefield').split(' '));
const TEXT_INPUTS = /^(?:text|search|url|tel|email|password|number)$/;

// nameOf: the accessible name of a rendered element on one line, at most maxBytes, and whether it was cut.
function nameOf(el, maxBytes) {
  const full = plainName(el) ?? collapse(textAlternative(el, newWalk(maxBytes), false, null).text);
  const name = cutBytes(cleanLabel(full), maxBytes);
  return {name, cut: name.length < full.length && byteLength(full) > maxBytes};
}

// plainName is the short way for the commonest case: a link or button that holds nothing but text.
function plainName(el) {
  if (childElementCountOf(el) !== 0 || !isHTML(el) || shadowRootOf(el)) return null;
  const tag = tagOf(el);
  if (tag !== 'a' && tag !== 'button' && !/^h[1-6]$/.test(tag)) return null;
  if (hasAttr(el, 'aria-label') || hasAttr(el, 'aria-labelledby') || hasAttr(el, 'title') || hasAttr(el, 'role') ||
    hasAttr(el, 'aria-owns') || hasAttr(el, 'contenteditable')) return null;
  if (tag === 'button' && labelsOf(el).length) return null;
  if (tag === 'a' && !hasAttr(el, 'href')) return null;
  if (mayGenerateContent(el)) return null;
  const raw = textContentOf(el);
  if (raw.length > 4096) return null;
  return collapse(innerTextOf(el));
}

function newWalk(maxBytes) {
  return {visited: new Set(), left: NAME_MAX_NODES, bytes: maxBytes * 4 + 256};
}

// textAlternative returns {text, from}; from is what the text came from: '' for content, else 'value', 'attribute' ….
// root is the target of the aria-labelledby reference that is being followed, or null.
function textAlternative(el, walk, recursive, root) {
  const tag = tagOf(el);
  if (recursive && !walk.visited.has(el)) {
    const value = valueInName(el, walk);
    if (value !== null) return {text: value, from: 'value'};
  }
  const seen = walk.visited.has(el);
  walk.visited.add(el);
  if (tag !== 'slot') {
    if (isHiddenForName(el, root)) return {text: '', from: ''};
    const aria = ariaAlternative(el, walk, root, seen);
    if (aria !== null) return aria;
    const native = nativeAlternative(el, tag, walk, recursive);
    if (native !== null && native.text) return native;
  }
  const role = roleOf(el);
  if (lendsContent(el, tag, role, recursive, root)) {
    const text = tag === 'textarea' || tag === 'input' ? ownText(el, tag, walk) : textOfDescendants(el, walk, root);
    if (text) return {text, from: ''};
  }
  if (tag !== 'slot' && !(tag === 'img' && attr(el, 'alt') === '') &&
    (root || isFocusable(el) || !NO_TOOLTIP_NAME.has(role))) {
    const title = attr(el, 'title');
    if (title && !sameAsText(el, title)) return {text: title, from: 'title'};
  }
  return {text: '', from: ''};
}

function sameAsText(el, title) {
  if (!isHTML(el)) return false;
  return childElementCountOf(el) < NAME_MAX_NODES && innerTextOf(el).trim() === title.trim();
}

function ariaAlternative(el, walk, root, seen) {
  if (!root && !seen && hasAttr(el, 'aria-labelledby')) {
    const targets = labelledBy(el);
    const text = textOfElements(targets, walk, true);
    if (text !== null && /[^\s]/.test(text)) return {text, from: 'related'};
  }
  const label = attr(el, 'aria-label');
  return label !== null && /[^\s]/.test(label) ? {text: label, from: 'attribute'} : null;
}

// textOfElements joins the names of label elements or of the targets of a reference; null when there is none.
function textOfElements(elements, walk, follow) {
  if (!elements.length) return null;
  const parts = [];
  for (const target of elements) {
    if (walk.visited.has(target) && !follow) continue;
    const {text} = textAlternative(target, walk, true, follow ? target : null);
    walk.visited.add(target);
    if (text) parts.push(text);
  }
  return parts.join(' ');
}

function nativeAlternative(el, tag, walk, recursive) {
  if (namespaceOf(el) === SVG_NS) return svgAlternative(el, tag);
  if (!isHTML(el)) return null;
  if (tag === 'option') {
    return childElementCountOf(el) === 0 || hasAttr(el, 'label') ? {text: el.label, from: ''} : null;
  }
  if (tag === 'optgroup') return {text: attr(el, 'label') || '', from: 'attribute'};
  const labels = labelsOf(el);
  if (labels.length) {
    const text = textOfElements(labels, walk, false);
    return {text: (text || '').trim(), from: 'related'};
  }
  if (tag === 'input') return inputAlternative(el, recursive);
  if (tag === 'textarea') return placeholderOf(el);
  if (tag === 'img' || tag === 'area') return {text: attr(el, 'alt') || '', from: 'attribute'};
  if (tag === 'table') {
    if (el.caption) return {text: textAlternative(el.caption, walk, true, null).text, from: 'caption'};
    return {text: attr(el, 'summary') || '', from: 'attribute'};
  }
  if (tag === 'fieldset') return legendOf(el, walk);
  return isEditingHost(el) ? {text: attr(el, 'aria-placeholder') || '', from: 'placeholder'} : null;
}

function inputAlternative(el, recursive) {
  const type = el.type;
  if (type === 'button' || type === 'submit' || type === 'reset') {
    const value = attr(el, 'value');
    return value === null ? null : {text: value, from: 'value'};
  }
  if (type === 'image') {
    const text = attr(el, 'alt') || attr(el, 'value') || attr(el, 'title') || 'Submit';
    return {text, from: 'attribute'};
  }
  if (type === 'file') {
    // In another's name Chrome adds what is chosen; the name of a file is a value and stays out.
    const chosen = recursive && el.value === '' ? ': No file chosen' : '';
    return {text: (el.multiple ? 'Choose Files' : 'Choose File') + chosen, from: ''};
  }
  return TEXT_INPUTS.test(type) ? placeholderOf(el) : null;
}

function placeholderOf(el) {
  const title = attr(el, 'title');
  if (title) return {text: title, from: 'title'};
  const text = attr(el, 'placeholder') || attr(el, 'aria-placeholder') || '';
  return {text: text.replace(/[\r\n]+/g, ''), from: 'placeholder'};
}

function legendOf(el, walk) {
  for (let c = firstChildOf(el); c; c = nextSiblingOf(c)) {
    if (!isTag(c, 'legend')) continue;
    return walk.visited.has(c) ? null : {text: textAlternative(c, walk, true, null).text, from: 'related'};
  }
  return null;
}

function svgAlternative(el, tag) {
  for (let c = firstChildOf(el); c; c = nextSiblingOf(c)) {
    if (isTag(c, 'svg:title')) {
      const text = collapse(textContentOf(c));
      if (text) return {text, from: 'related'};
      break;
    }
  }
  if (tag === 'svg:a') return {text: attr(el, 'xlink:title') || '', from: 'attribute'};
  return null;
}

// labelsOf: the label elements of a control, from an index that is built once a run. (Asking each control for its
// labels walks the document each time.)
const LABELABLE = /^(?:button|input|meter|output|progress|select|textarea)$/;
const labelControl = getterOf(HTMLLabelElement.prototype, 'control');
function labelsOf(el) {
  const tag = tagOf(el);
  if (!LABELABLE.test(tag) && !tag.includes('-')) return [];
  const root = rootOf(el);
  const index = once('labels', () => new Map());
  let map = index.get(root);
  if (!map) index.set(root, map = labelIndex(root));
  return map.get(el) || [];
}
function labelIndex(root) {
  const map = new Map();
  if (nodeTypeOf(root) === ELEMENT) return map;
  for (const label of query(root, 'label')) {
    if (!isHTML(label)) continue;
    const control = labelControl(label);
    if (!control) continue;
    const labels = map.get(control);
    if (labels) labels.push(label); else map.set(control, [label]);
  }
  return map;
}

// lendsContent: whether the text inside counts for the name.
function lendsContent(el, tag, role, recursive, root) {
  if (tag === 'select') return false;
  if (isTextField(el, tag, role)) return root === el;
  if (root) return true;
  if (tag === 'slot') return true;
  if (NAMED_BY_CONTENT.has(role) && tag !== ':math') return true;
  if (role === 'row') return inGrid(el);
  if (!isHTML(el) && namespaceOf(el) !== SVG_NS) return false;
  if (NEVER_CONTENT.has(role) && !LENDING.test(hasAttr(el, 'role') ? '' : tag)) return false;
  if (recursive) return true;
  if (tag === 'body' || tag === 'html' || isEditable(el) || hasAttr(el, 'aria-activedescendant')) return false;
  return isControl(el);
}

function isTextField(el, tag, role) {
  if (tag === 'textarea') return true;
  if (tag === 'input') return TEXT_INPUTS.test(el.type);
  return isEditingHost(el) || ((role === 'textbox' || role === 'searchbox') && isHTML(el));
}

// valueInName: what a control inside a label adds to it (accname 2E); null when it is no such control. A text field adds
// nothing, though Chrome's tree puts its text into the name: typed text is shown only where it was asked for.
function valueInName(el, walk) {
  const tag = tagOf(el);
  const role = roleOf(el);
  if (isTextField(el, tag, role)) return '';
  if (RANGE_ROLES.test(role)) {
    const value = valueOf(el);
    return value === undefined ? null : value;
  }
  if (role !== 'combobox' && role !== 'listbox') return null;
  if (tag === 'select') return selectedLabels(el).join(' ');
  if (tag === 'input') return null;
  return chosenOptions(el, role, walk);
}

// ownText: a button without a value says what the browser writes on it.
function ownText(el, tag, walk) {
  if (tag === 'input' && (el.type === 'submit' || el.type === 'reset')) {
    return transformed(el.type === 'submit' ? 'Submit' : 'Reset', getComputedStyle(el).textTransform);
  }
  return '';
}

function chosenOptions(el, role, walk) {
  const parts = [];
  for (const option of query(el, '[role="option"][aria-selected="true"]')) {
    parts.push(textAlternative(option, walk, true, null).text);
    if (parts.length > 8) break;
  }
  if (parts.length) return parts.join(' ');
  return role === 'combobox' ? textOfDescendants(el, walk, null) : '';
}

// textOfDescendants joins what children say; a blank goes between two that are not parts of one line of text.
function textOfDescendants(el, walk, root) {
  const before = pseudoText(el, '::before');
  let text = before.text;
  let previous = text ? {inline: before.inline, control: false} : null;
  let lastFrom = before.from;
  const add = (piece, inline, control, from) => {
    if (piece && previous && text && !/[\s]$/.test(text) && !/^[\s]/.test(piece)) {
      if (!inline || !previous.inline || lastFrom || from || control || previous.control) text += ' ';
    }
    text += piece;
    previous = {inline, control};
    if (piece) lastFrom = from;
  };
  if (tagOf(el) === 'details' && !hasSummary(el)) add('Details', false, false, '');
  for (const child of namingChildren(el)) {
    if (walk.left <= 0 || walk.bytes <= 0) break;
    const type = nodeTypeOf(child);
    if (type === TEXT) {
      const data = renderedData(child, el, walk);
      if (data === '') continue;
      walk.left--;
      walk.bytes -= data.length;
      add(data, true, false, '');
    } else if (type === ELEMENT) {
      addElement(child, el, walk, root, add);
    }
  }
  const after = pseudoText(el, '::after');
  if (after.text) add(after.text, after.inline, false, after.from);
  return text;
}

// hasSummary: details without one shows a word of the browser's.
function hasSummary(el) {
  for (let c = firstChildOf(el); c; c = nextSiblingOf(c)) if (isTag(c, 'summary')) return true;
  return false;
}

function addElement(child, el, walk, root, add) {
  const tag = tagOf(child);
  if (tag === 'br' || tag === 'wbr') { walk.left--; add(' ', true, false, ''); return; }
  if (UNNAMING.test(tag) && isHTML(child) || isHiddenForName(child, root)) return;
  if (walk.visited.has(child) && !root) return;
  walk.left--;
  const role = roleOf(child);
  const result = role === 'none' ? {text: textOfDescendants(child, walk, root), from: ''}
    : textAlternative(child, walk, true, root);
  const display = getComputedStyle(child).display;
  const inline = (display === 'inline' || display === 'ruby') && parentElementOf(child) === el && !REPLACED.test(tag) &&
    namespaceOf(child) !== SVG_NS;
  add(result.text, inline, CONTROL_ROLES.has(role), result.from);
}
// Chrome leaves the readings of ruby out of names.
const UNNAMING = /^(?:script|style|template|rt|rp)$/;
const REPLACED = /^(?:img|input|select|textarea|button|video|audio|canvas|iframe|object|embed|meter|progress)$/;

function namingChildren(el) {
  const children = flatChildren(el);
  const owns = attr(el, 'aria-owns');
  if (!owns) return children;
  const root = rootOf(el);
  if (nodeTypeOf(root) === ELEMENT) return children;
  const find = id => nodeTypeOf(root) === FRAGMENT ? DocumentFragment.prototype.getElementById.call(root, id)
    : Document.prototype.getElementById.call(root, id);
  const owned = owns.trim().split(/\s+/).slice(0, NAME_MAX_NODES).map(find)
    .filter(other => other && !containsMethod.call(other, el));
  return children.filter(c => !owned.includes(c)).concat(owned);
}

// renderedData: a text node's text as it is laid out.
function renderedData(node, parent, walk) {
  let data = dataOf(node);
  if (data.length > walk.bytes) data = data.slice(0, walk.bytes);
  if (!/[^ \t\n\r\f]/.test(data)) return data === '' ? '' : ' ';
  const transform = getComputedStyle(parent).textTransform;
  return transform === 'none' ? data : transformed(data, transform);
}
const WORD_START = /(^|[^\p{L}\p{N}\p{M}'’])(\p{L})/gu;
function transformed(data, transform) {
  if (transform === 'uppercase') return data.toUpperCase();
  if (transform === 'lowercase') return data.toLowerCase();
  if (transform === 'capitalize') return data.replace(WORD_START, (m, before, letter) => before + letter.toUpperCase());
  if (transform === 'math-auto') return mathItalic(data);
  return data;
}
// mathItalic: a lone letter in <mi> is drawn slanted, and innerText says so.
function mathItalic(data) {
  const letter = data.trim();
  if (!/^[A-Za-z]$/.test(letter)) return data;
  if (letter === 'h') return '\u210e';
  const upper = letter < 'a';
  return String.fromCodePoint((upper ? 0x1d434 - 65 : 0x1d44e - 97) + letter.charCodeAt(0));
}

function isHiddenForName(el, root) {
  const tag = tagOf(el);
  if (tag === 'noscript') return true;
  if (tag === 'svg:title' || tag === 'svg:desc') return false;
  if (root && (isHiddenByStyle(root) || closestMethod.call(root, '[aria-hidden="true" i]'))) return false;
  if (tag === 'option' || tag === 'optgroup') return attr(el, 'aria-hidden') === 'true';
  return attr(el, 'aria-hidden') === 'true' || isHiddenByStyle(el);
}
function isHiddenByStyle(el) {
  if (tagOf(el) === 'area') return !areaRendered(el);
  if (visibilityMethod.call(el, {visibilityProperty: true})) return false;
  // A box that is display:contents has no visibility to check; what is around it decides.
  for (let p = el; p; p = parentElementOf(p)) {
    const style = getComputedStyle(p);
    if (style.display !== 'contents') return p === el || !visibilityMethod.call(p);
    if (p === el && style.visibility !== 'visible') return true;
  }
  return false;
}

// pseudoText: the text of ::before or ::after, or its alternative after the slash.
const NO_PSEUDO = {text: '', inline: true, from: ''};
function pseudoText(el, which) {
  if (!mayGenerateContent(el)) return NO_PSEUDO;
  const style = getComputedStyle(el, which);
  const content = style.content;
  if (content === 'none' || content === 'normal' || content === '' || style.display === 'none') return NO_PSEUDO;
  if (style.visibility !== 'visible') return NO_PSEUDO;
  const {text, from} = generatedText(el, content);
  const shown = style.textTransform === 'none' ? text : transformed(text, style.textTransform);
  return {text: shown, inline: style.display === 'inline', from};
}

// generatedText reads a serialized content value: strings, attr(), and the alternative after "/".
function generatedText(el, content) {
  const token = /"((?:[^"\\]|\\.)*)"|\/|attr\(\s*([\w-]+)\s*\)|[^\s"/]+(?:\((?:"(?:[^"\\]|\\.)*"|[^")])*\))?/g;
  let text = '', from = '', m;
  while ((m = token.exec(content))) {
    if (m[0] === '/') { text = ''; from = 'alt'; }
    else if (m[1] !== undefined) text += unescapeCss(m[1]);
    else if (m[2] !== undefined) text += attr(el, m[2]) || '';
  }
  return {text, from};
}
function unescapeCss(s) {
  const character = hex => parseInt(hex, 16) <= 0x10ffff ? String.fromCodePoint(parseInt(hex, 16)) : '\ufffd';
  return s.replace(/\\(?:([0-9a-fA-F]{1,6})\s?|(.))/g, (m, hex, c) => hex ? character(hex) : c);
}

// One observation of the page: what contract.md §1 and browser.md §2 promise, in one pass.

const ROLE_RANK = {
  textbox: 0, searchbox: 0, combobox: 0, checkbox: 0, radio: 0, switch: 0, spinbutton: 0, slider: 0, listbox: 0,
  button: 0, menuitem: 1, menuitemcheckbox: 1, menuitemradio: 1, tab: 1, option: 1, treeitem: 1, link: 2,
};
const OTHER_RANK = 3;

// args: client, ifStamp, salt, offset, ranking, role, region, query, limits {controls, textBytes, outline, labelBytes,
// regionBytes}, publish, form {fields, valueBytes, labelBytes}
handlers.observe = function (args) {
  refresh();
  const state = {doc: index.doc, hash: stateHash(), stamp: pictureStamp(args.client)};
  if (args.ifStamp && args.ifStamp === state.stamp) return {...state, same: true};
  const pass = newPass(), incomplete = new Set();
  if (index.incomplete) incomplete.add('control');
  const listed = listControls(args, incomplete);
  const seen = args.limits.textBytes > 0 ? visibleText(document.body || document.documentElement, args.limits.textBytes, 0, pass) : {text: '', cut: false};
  if (seen.cut) incomplete.add('visible_text');
  const outline = args.limits.outline > 0 ? outlineOf(document, args.limits.outline, args.limits.labelBytes) : {nodes: [], els: [], cut: false};
  if (outline.cut) incomplete.add('accessibility_node');
  const result = {
    ...state, url: location.href, title: document.title, readyState: document.readyState,
    text: seen.text, textCut: seen.cut, outline: outline.nodes, outlineCut: outline.cut,
    controls: listed.shown, total: listed.total, boundaries: boundaries(incomplete), viewport: {width: innerWidth, height: innerHeight},
  };
  if (args.lines) result.lines = linesOf(outline.els, listed.entries.map(e => e.el));
  if (args.form) result.form = formValues(listed.entries, args.form);
  if (args.publish) {
    if (args.list) Object.assign(publicationOf(args.client), {list: listed.entries.map(e => e.id), ranked: listed.total > listed.entries.length});
    for (const e of listed.entries) publish(args.client, e.el);
    knownText.remember(seen);
  }
  if (args.roots) result.shadowCandidates = shadowCandidates(args.roots, incomplete);
  result.stamp = pictureStamp(args.client); // publishing changes what the next stamp reads again
  result.incomplete = [...incomplete];
  return result;
};

// pictureStamp changes whenever an observation could show something else: mutations, scrolls, resizes and inputs, the
// values and visibility of the controls that were published, rules of style sheets, the size of the page, and where the
// ranked controls stand (the event of a scroll comes a frame after it).
function pictureStamp(client) {
  const {list, ranked} = publicationOf(client), parts = [];
  for (const id of list) {
    const el = elementOf(id), entry = el && index.entries.get(el);
    parts.push(entry ? quickKey(el) : '-');
    if (ranked && entry) parts.push(Math.round(rectOf(el).top));
  }
  const at = document.activeElement, root = document.documentElement;
  parts.push(location.href, document.title, document.readyState, at ? idOf(at) : 0);
  if (root) parts.push(scrollX, scrollY, root.scrollWidth, root.scrollHeight);
  const [a, b] = twoHashes(parts.join('\u0001'));
  return [index.doc, index.epoch, index.stir, sheetChanges(), stateHash(), a.toString(36) + b.toString(36)].join('/');
}

function listControls(args, incomplete) {
  let list = controls();
  if (args.role) list = list.filter(e => e.role === args.role);
  if (args.query) { const q = args.query.toLowerCase(); list = list.filter(e => e.name.toLowerCase().includes(q)); }
  if (args.region) { const q = args.region.toLowerCase(); list = list.filter(e => regionOf(e.el).toLowerCase().includes(q)); }
  const total = list.length, offset = args.offset || 0, max = args.limits.controls;
  if (total > max) list = rankControls(list, args.ranking).slice(offset, offset + max).sort(compareEntries);
  else list = list.slice(offset);
  const budget = {left: args.limits.labelBytes, cut: false};
  const shown = list.map(e => showControl(e, budget, args.limits));
  if (budget.cut) incomplete.add('accessibility_label');
  return {entries: list, shown, total};
}

// rankControls puts controls in or near the viewport first, then those of higher role priority, ties in document order.
function rankControls(list, ranking) {
  if (ranking === 'document-order') return list;
  if (ranking !== 'role') measure(list);
  const buckets = [];
  for (const e of list) {
    const far = ranking !== 'role' && !isNear(e);
    const key = (far ? OTHER_RANK + 1 : 0) + (ROLE_RANK[e.role] ?? OTHER_RANK);
    (buckets[key] ??= []).push(e);
  }
  return buckets.flat();
}

// Positions are kept with the entries, in page coordinates, and read again where a sample of them has moved: they only
// steer which controls come first.
const SAMPLES = 64;
function measure(list) {
  const step = Math.max(1, list.length / SAMPLES | 0);
  let moved = false;
  for (let i = 0; i < list.length && !moved; i += step) moved = place(list[i]);
  for (const e of list) if (moved || e.top === undefined) place(e);
}

// place reads where an entry stands and reports whether it has moved.
function place(e) {
  const r = rectOf(e.el), top = r.top + scrollY, left = r.left + scrollX;
  const moved = Math.abs(top - e.top) > 1 || Math.abs(left - e.left) > 1 || e.top === undefined;
  e.top = top; e.left = left; e.bottom = r.bottom + scrollY; e.right = r.right + scrollX;
  return moved;
}

function isNear(e) {
  return e.bottom > scrollY - innerHeight && e.top < scrollY + 2 * innerHeight && e.right > scrollX && e.left < scrollX + innerWidth;
}

function showControl(e, budget, limits) {
  shipNode(e.el);
  const shown = {id: e.id, role: e.role};
  const name = cutBytes(e.name, Math.min(limits.nameBytes, budget.left));
  if (name.length < e.name.length || e.nameCut) budget.cut = true;
  budget.left -= byteLength(name);
  if (name) shown.name = name;
  const states = statesOf(e.el);
  if (states.length) shown.states = states;
  if (e.value !== undefined && e.value !== '') shown.value = cutBytes(e.value, limits.valueBytes);
  const region = regionOf(e.el);
  if (region) shown.region = cutBytes(region, limits.regionBytes);
  return shown;
}

// linesOf merges outline nodes and controls into document order. A line is indented by the outline nodes that it stands in.
function linesOf(nodes, shown) {
  const lines = [], open = [];
  let n = 0, c = 0;
  while (n < nodes.length || c < shown.length) {
    const isNode = c >= shown.length || n < nodes.length && (nodes[n] === shown[c] || compareNodes(nodes[n], shown[c]) < 0);
    const el = isNode ? nodes[n] : shown[c];
    while (open.length && !isInsideOrSame(el, open.at(-1))) open.pop();
    lines.push(isNode ? {d: open.length, n, c: -1} : {d: open.length, n: -1, c});
    if (isNode) { open.push(el); n++; } else c++;
  }
  return lines;
}

function boundaries(incomplete) {
  const out = {};
  const shadows = index.roots.length - 1;
  if (shadows) out.shadowRoots = shadows;
  const canvases = document.getElementsByTagName('canvas').length;
  if (canvases) { out.canvases = canvases; incomplete.add('canvas'); }
  if (document.querySelector('iframe, frame')) { out.frames = true; incomplete.add('frame_boundary'); }
  if (index.customsCut || index.pointerCut) incomplete.add('boundary_scan');
  return out;
}

function formValues(entries, limits) {
  const out = [];
  for (const e of entries) {
    const tag = e.el.localName;
    if (tag !== 'input' && tag !== 'textarea' && tag !== 'select' && !e.el.isContentEditable) continue;
    if (/^(button|submit|reset|image|file|checkbox|radio)$/.test(e.el.type) && tag === 'input') continue;
    if (out.length === limits.fields) break;
    const item = {id: e.id};
    if (isSensitive(e.el)) item.sensitive = true;
    const value = tag === 'select' ? [...e.el.selectedOptions].map(o => o.label).join(', ') : e.el.isContentEditable ? e.el.innerText : e.el.value;
    if (!item.sensitive || limits.sensitive) item.value = cutBytes(value, tag === 'select' ? limits.labelBytes : limits.valueBytes);
    if (item.value !== undefined && item.value.length < value.length) item.cut = true;
    out.push(item);
  }
  return out;
}

// shadowCandidates: elements whose closed shadow root DevTools may be asked for: custom elements without an open one, each
// asked for once. With more than the limit the rest is flagged.
const asked = new WeakSet();
function shadowCandidates(max, incomplete) {
  const ids = [];
  for (const el of index.customs) {
    if (asked.has(el) || !isConnectedOf(el) || !isRendered(el)) continue;
    if (ids.length === max) { incomplete.add('shadow_boundary'); break; }
    asked.add(el);
    ids.push(idOf(el));
    shipNode(el);
  }
  return ids;
}

// A closed shadow root that DevTools handed in; it is walked like an open one from now on.
function adoptRoot(root) {
  index.customs.delete(root.host);
  addRoot(root);
}

// The plain visible text, from a byte offset on.
handlers.text = function (args) {
  refresh();
  const root = args.id ? elementOf(args.id) : document.body || document.documentElement;
  if (!root || !isConnectedOf(root)) return {fail: {kind: 'detached'}};
  return {doc: index.doc, hash: stateHash(), ...visibleText(root, args.bytes, args.offset || 0, newPass())};
};

// where tells of the document without looking at its controls, which may cost its first layout.
handlers.where = function () {
  return {doc: index.doc, hash: '', url: location.href, title: document.title, readyState: document.readyState};
};

handlers.state = function () {
  refresh();
  return {doc: index.doc, hash: stateHash(), url: location.href, title: document.title, readyState: document.readyState};
};

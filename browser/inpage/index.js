// The index of all controls of the document, kept up to date by its mutations, so that an operation costs what has
// changed and not what the page holds (goals.md §1). Entries are only for rendered controls; hidden ones are remembered,
// because a style sheet can show them without any mutation near them.

const INDEX_RECHECK = 2000; // controls whose visibility is read again at each operation; the rest take turns
const INDEX_DIRTY = 5000; // more dirty elements than this are cheaper to look at all together
const ANCESTOR_STEPS = 512;
const SCRIPT_BUDGET_MS = 700; // browser.md §2: in-page scripts stop themselves

const index = {
  doc: newDocumentId(),
  nextId: 1,
  ids: new WeakMap(), // element → id
  refs: new Map(), // id → WeakRef of the element
  entries: new Map(), // element → entry, rendered controls only
  hidden: new Set(), // controls that are not rendered now
  fields: new Set(), // elements of entries whose value can change without a mutation
  order: [], // entries in document order
  orderState: 'rebuild', // 'rebuild', 'insert' or 'clean'
  fresh: [], // entries to insert into the order
  roots: [], // document and shadow roots
  rootSet: new WeakSet(),
  customs: new Set(), // custom elements without a known shadow root
  customsCut: false,
  pointerCut: false, // sheets that could not be read may make more elements controls
  everything: true,
  dirty: new Set(), // elements to look at again
  trees: new Set(), // subtrees to look at again
  grown: new Set(), // subtrees that were inserted
  dropped: new Set(), // subtrees that were removed
  referenced: new Map(), // id attribute → elements whose name or state refers to it
  turn: 0,
  sumA: 0,
  sumB: 0,
  epoch: 0, // mutations seen
  stir: 0, // scrolls, resizes, inputs, loads: what changes a picture without a mutation
  incomplete: false,
};

const observer = new MutationObserver(records => { noteRecords(records); wakeWatchers(); });
const watchers = new Set(); // functions called after each batch of mutations

function wakeWatchers() { for (const wake of [...watchers]) wake(); }

function newDocumentId() {
  const words = crypto.getRandomValues(new Uint32Array(2));
  return words[0].toString(36) + words[1].toString(36);
}

function addRoot(root) {
  if (!root || index.rootSet.has(root)) return;
  index.rootSet.add(root);
  index.roots.push(root);
  observer.observe(root, {subtree: true, childList: true, attributes: true, characterData: true});
  if (root !== document) {
    watchMotionIn(root);
    index.grown.add(root);
    index.orderState = 'rebuild';
  }
}

function openRoots() { return index.roots; }

// knownRoots is null while the document has not been walked.
function knownRoots() { return index.everything ? null : index.roots; }

function idOf(el) {
  let id = index.ids.get(el);
  if (!id) {
    id = index.nextId++;
    index.ids.set(el, id);
    index.refs.set(id, new WeakRef(el));
  }
  return id;
}

function elementOf(id) { return index.refs.get(id)?.deref() || null; }

function parentOf(node) { return parentNodeOf(node) || (nodeTypeOf(node) === FRAGMENT ? node.host : null) || null; }
function tagName(node) { return nodeTypeOf(node) === ELEMENT ? tagOf(node) : ''; }

// noteRecords only marks: the work is done by the next operation, once, however often a place was touched.
function noteRecords(records) {
  index.epoch += records.length;
  if (index.everything) return; // all of it will be looked at anyway: a document that is being parsed, for one
  const seen = new Set();
  for (const r of records) {
    if (r.type === 'attributes') noteAttribute(r);
    else if (r.type === 'childList') noteChildren(r);
    touchUp(r.target, seen);
  }
  if (index.dirty.size + index.trees.size + index.grown.size + index.dropped.size > INDEX_DIRTY) markEverything();
}

function noteAttribute(r) {
  const el = r.target, name = r.attributeName;
  if (name === 'for' || name === 'id' && (index.referenced.has(attr(el, 'id')) || tagOf(el) === 'label' || tagOf(el) === 'input')) markEverything();
  if (childElementCountOf(el)) index.trees.add(el); else index.dirty.add(el);
  const shadow = shadowRootOf(el);
  if (shadow) index.trees.add(shadow);
}

function noteChildren(r) {
  for (const n of r.addedNodes) if (nodeTypeOf(n) === ELEMENT) { index.grown.add(n); noteSheet(n); }
  for (const n of r.removedNodes) if (nodeTypeOf(n) === ELEMENT) { index.dropped.add(n); noteSheet(n); }
  if (tagName(r.target) === 'style') markEverything();
}

function noteSheet(el) {
  if (tagOf(el) === 'style' || tagOf(el) === 'link') markEverything();
}

function markEverything() {
  index.everything = true;
  for (const set of [index.dirty, index.trees, index.grown, index.dropped]) set.clear();
}

// touchUp marks the controls that a change inside them, inside their label or inside an element that they refer to may
// have renamed.
function touchUp(node, seen) {
  for (let n = node, steps = 0; n && steps < ANCESTOR_STEPS; n = parentOf(n), steps++) {
    if (seen.has(n)) return;
    seen.add(n);
    if (nodeTypeOf(n) !== ELEMENT) continue;
    if (index.entries.has(n) || index.hidden.has(n)) index.dirty.add(n);
    if (tagOf(n) === 'label' && n.control) index.dirty.add(n.control);
    const users = index.referenced.get(attr(n, 'id'));
    if (users) for (const el of users) index.dirty.add(el);
  }
}

// refresh brings the index up to date. It forces layout, which every operation needs anyway.
function refresh() {
  const records = observer.takeRecords();
  if (records.length) noteRecords(records);
  watchCustoms();
  watchSheets();
  const clock = {end: performance.now() + SCRIPT_BUDGET_MS};
  index.incomplete = false;
  const pass = newPass();
  if (index.everything) lookAtEverything(clock, pass); else lookAtChanges(clock, pass);
  recheck(clock, pass);
  sortOrder();
}

// An element can get a shadow root long after it was inserted, without a mutation.
function watchCustoms() {
  for (const el of index.customs) {
    if (shadowRootOf(el)) { index.customs.delete(el); addRoot(shadowRootOf(el)); }
  }
}

function lookAtEverything(clock, pass) {
  const known = new Set(index.entries.keys());
  markEverything();
  index.everything = false;
  index.hidden.clear();
  index.orderState = 'rebuild';
  for (let i = 0; i < index.roots.length; i++) {
    const root = index.roots[i];
    if (root.host && !isConnectedOf(root.host)) { forgetRoot(i--); continue; }
    findRoots(root);
    for (const el of query(root, candidateSelector())) { known.delete(el); update(el, clock, pass); }
  }
  index.grown.clear();
  for (const el of known) update(el, clock, pass);
}

function forgetRoot(i) {
  index.rootSet.delete(index.roots[i]);
  index.roots.splice(i, 1);
}

// findRoots looks for shadow hosts in an inserted subtree.
function findRoots(tree) {
  if (nodeTypeOf(tree) === ELEMENT) noteHost(tree);
  for (const el of query(tree, '*')) noteHost(el);
}

function noteHost(el) {
  if (shadowRootOf(el)) addRoot(shadowRootOf(el));
  else if (tagOf(el).includes('-')) {
    if (index.customs.size < INDEX_RECHECK) index.customs.add(el); else index.customsCut = true;
  }
}

function lookAtChanges(clock, pass) {
  for (const tree of index.dropped) dropTree(tree);
  index.dropped.clear();
  for (const tree of index.grown) { // a set may grow while it is walked: new shadow roots join it
    if (!isConnectedOf(tree)) continue;
    findRoots(tree);
    dirtyTree(tree);
  }
  index.grown.clear();
  for (const tree of index.trees) if (isConnectedOf(tree)) dirtyTree(tree);
  index.trees.clear();
  for (const el of index.dirty) update(el, clock, pass);
  index.dirty.clear();
}

function dirtyTree(tree) {
  if (nodeTypeOf(tree) === ELEMENT) index.dirty.add(tree);
  for (const el of query(tree, candidateSelector())) index.dirty.add(el);
  for (const root of index.roots) {
    if (root !== document && root !== tree && within(root.host, tree)) {
      for (const el of query(root, candidateSelector())) index.dirty.add(el);
    }
  }
}

// within is contains through shadow roots.
function within(node, tree) {
  for (let n = node; n; n = rootOf(n).host) if (tree === n || containsMethod.call(tree, n)) return true;
  return false;
}

function dropTree(tree) {
  if (isConnectedOf(tree)) return; // moved, not removed: it is in grown too
  const gone = el => { if (!isConnectedOf(el)) forget(el); };
  gone(tree);
  for (const el of query(tree, candidateSelector())) gone(el);
  for (let i = index.roots.length - 1; i > 0; i--) {
    const root = index.roots[i];
    if (root.host && !isConnectedOf(root.host)) { for (const el of query(root, candidateSelector())) forget(el); forgetRoot(i); }
  }
  index.customs.delete(tree);
}

function forget(el) {
  index.hidden.delete(el);
  const entry = index.entries.get(el);
  if (!entry) return;
  index.entries.delete(el);
  index.fields.delete(el);
  index.sumA = index.sumA - entry.a >>> 0;
  index.sumB = index.sumB - entry.b >>> 0;
  if (index.orderState === 'clean') index.orderState = 'insert';
  journalRemoved(entry);
}

function update(el, clock, pass) {
  if (performance.now() > clock.end) { index.incomplete = true; index.dirty.add(el); return; }
  if (!isConnectedOf(el) || !isControl(el)) { forget(el); return; }
  if (!isRendered(el, pass)) { forget(el); index.hidden.add(el); return; }
  index.hidden.delete(el);
  const old = index.entries.get(el), now = makeEntry(el);
  if (!old) {
    index.entries.set(el, now);
    if (isField(el)) index.fields.add(el);
    if (index.orderState !== 'rebuild') { index.fresh.push(now); index.orderState = 'insert'; }
    journalAdded(now);
  } else {
    index.sumA = index.sumA - old.a >>> 0;
    index.sumB = index.sumB - old.b >>> 0;
    if (old.sig !== now.sig) journalChanged({...old});
    Object.assign(old, now);
  }
  index.sumA = index.sumA + now.a >>> 0;
  index.sumB = index.sumB + now.b >>> 0;
}

const NAME_BYTES = 1024; // of one control: as long as a locator's segment can be

function makeEntry(el) {
  const {name, cut} = nameOf(el, NAME_BYTES);
  const entry = {
    el, id: idOf(el), role: cutBytes(roleOf(el), 64), name, nameCut: cut,
    states: statesOf(el).filter(s => s !== 'focused'), value: valueOf(el), quick: quickKey(el),
  };
  entry.sig = entry.role + '\u0001' + name + '\u0001' + entry.states.join() + '\u0001' + (entry.value ?? '');
  [entry.a, entry.b] = twoHashes(entry.id + '\u0001' + entry.sig);
  rememberReferences(el);
  return entry;
}

// entryOf gives the entry of any element: from the index, or made for this run.
function entryOf(el) {
  const known = index.entries.get(el);
  if (known) return known;
  const made = once('entries', () => new Map());
  let entry = made.get(el);
  if (!entry) made.set(el, entry = makeEntry(el));
  return entry;
}

function rememberReferences(el) {
  for (const attribute of ['aria-labelledby', 'aria-owns', 'aria-activedescendant']) {
    const list = attr(el, attribute);
    if (!list) continue;
    for (const id of list.split(/\s+/, 16)) {
      let users = index.referenced.get(id);
      if (!users) index.referenced.set(id, users = new Set());
      users.add(el);
    }
  }
}

// Two independent 32-bit hashes; their sums over all controls name a state of the page.
function twoHashes(s) {
  let a = 0x811c9dc5, b = 0x9e3779b9;
  for (let i = 0; i < s.length; i++) {
    const c = s.charCodeAt(i);
    a = Math.imul(a ^ c, 0x01000193);
    b = Math.imul(b + c, 0x85ebca6b) ^ b >>> 15;
  }
  return [a >>> 0, b >>> 0];
}

function stateHash() { return index.entries.size + '.' + index.sumA.toString(36) + '.' + index.sumB.toString(36); }

function isField(el) {
  const tag = tagOf(el);
  return tag === 'input' || tag === 'select' || tag === 'textarea' || tag === 'progress' || tag === 'meter' || isEditable(el);
}

// quickKey changes whenever a property that no mutation reports has changed what the entry shows.
function quickKey(el) {
  switch (tagOf(el)) {
    case 'input':
      if (el.type === 'checkbox' || el.type === 'radio') return (el.checked ? 1 : 0) + (el.indeterminate ? 2 : 0) + (el.validity.valid ? 4 : 0);
      if (el.type === 'range' || el.type === 'number') return el.value + el.validity.valid;
      return (el.value !== '' ? 1 : 0) + (el.validity.valid ? 2 : 0) + (/^(button|submit|reset)$/.test(el.type) ? el.value : '');
    case 'textarea': return (el.value !== '' ? 1 : 0) + (el.validity.valid ? 2 : 0);
    case 'select': return el.multiple ? [...el.selectedOptions].map(o => o.index).join() : el.selectedIndex;
    case 'progress': case 'meter': return el.value;
  }
  return 0;
}

// recheck reads again what can change without a mutation: values, and visibility by style alone.
function recheck(clock, pass) {
  for (const el of index.fields) {
    const entry = index.entries.get(el);
    if (entry && quickKey(el) !== entry.quick) update(el, clock, pass);
  }
  const shown = el => visibilityMethod.call(el, {visibilityProperty: true});
  for (const el of takeTurns(index.entries.keys(), index.entries.size)) if (!shown(el)) update(el, clock, pass);
  for (const el of takeTurns(index.hidden, index.hidden.size)) if (shown(el)) update(el, clock, pass);
  index.turn += INDEX_RECHECK;
}

// takeTurns gives all elements of a small set, and another part of a big one each time.
function takeTurns(elements, size) {
  if (size <= INDEX_RECHECK) return [...elements];
  const from = index.turn % size, list = [];
  let i = 0;
  for (const el of elements) if (i++ >= from && list.push(el) === INDEX_RECHECK) break;
  return list;
}

function compareEntries(x, y) { return compareNodes(x.el, y.el); }

// compareNodes orders by the tree that a person sees: the content of a shadow root stands at its host.
function compareNodes(a, b) {
  if (a === b) return 0;
  const ra = rootOf(a), rb = rootOf(b);
  if (ra === rb) return a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
  const ca = hostChain(a), cb = hostChain(b);
  let i = 0;
  while (i < ca.length && i < cb.length && ca[i] === cb[i]) i++;
  const x = ca[i] || a, y = cb[i] || b;
  if (!ca[i]) return -1;
  if (!cb[i]) return 1;
  return x.compareDocumentPosition(y) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}

function hostChain(node) {
  const chain = [node];
  for (let host = rootOf(node).host; host; host = rootOf(host).host) chain.unshift(host);
  return chain;
}

function sortOrder() {
  if (index.orderState === 'clean') return;
  if (index.orderState === 'rebuild' || index.fresh.length > 64) {
    index.order = index.roots.length > 1 ? [...index.entries.values()].sort(compareEntries) : inDocumentOrder();
  } else {
    index.order = index.order.filter(e => index.entries.get(e.el) === e);
    for (const e of index.fresh) if (index.entries.get(e.el) === e) insertOrdered(e);
  }
  index.fresh = [];
  index.orderState = 'clean';
}

function inDocumentOrder() {
  const list = [];
  for (const el of query(document, candidateSelector())) {
    const entry = index.entries.get(el);
    if (entry) list.push(entry);
  }
  return list.length === index.entries.size ? list : [...index.entries.values()].sort(compareEntries);
}

function insertOrdered(entry) {
  const list = index.order;
  let lo = 0, hi = list.length;
  while (lo < hi) {
    const mid = lo + hi >> 1;
    if (compareEntries(list[mid], entry) < 0) lo = mid + 1; else hi = mid;
  }
  list.splice(lo, 0, entry);
}

function controls() { return index.order; }

for (const type of ['scroll', 'resize', 'load', 'input', 'change', 'toggle', 'transitionend', 'animationend', 'fullscreenchange']) {
  addEventListener(type, () => { index.stir++; }, {capture: true, passive: true});
}
addRoot(document);

// The tree as it is drawn (light tree, shadow roots and slots), what is inert in it, and what a point of it hits.

const bodyOf = getterOf(Document.prototype, 'body');
const readyStateOf = getterOf(Document.prototype, 'readyState');
const visibilityOf = getterOf(Document.prototype, 'visibilityState');
const compatModeOf = getterOf(Document.prototype, 'compatMode');
const documentElementOf = getterOf(Document.prototype, 'documentElement');
const scrollingElementOf = getterOf(Document.prototype, 'scrollingElement');
const ownerDocumentOf = getterOf(Node.prototype, 'ownerDocument');
const hitInDocument = Document.prototype.elementFromPoint;
const hitInShadow = ShadowRoot.prototype.elementFromPoint;

// An element with the id addEventListener hides the window's method of that name.
function listen(target, type, listener, options) {
  EventTarget.prototype.addEventListener.call(target, type, listener, options);
}

// Whether node is el or is drawn inside it.
function isInsideOrSame(node, el) {
  for (let at = node; at; at = parentElementOf(at)) {
    if (at === el) return true;
  }
  return false;
}

// Whether node belongs to the subtree of el: as drawn, or by its shadow-including ancestors (a child that no slot
// takes).
function isInside(node, el) {
  if (node === el) return false;
  if (isInsideOrSame(node, el)) return true;
  for (let at = node; at; at = parentNodeOf(at) || hostOf(at)) {
    if (at === el) return true;
  }
  return false;
}

// The host of a shadow root, or of the one that a node lives in; else null.
function hostOf(node) {
  const root = rootOf(node);
  return root instanceof ShadowRoot ? root.host : null;
}

// The nearest control at or above an element as drawn, or null; until, when given, is the last element looked at.
function controlAbove(el, until) {
  for (let at = el; at; at = parentElementOf(at)) {
    if (isControl(at)) return at;
    if (at === until) return null;
  }
  return null;
}

// A test for inertness that looks up the open modal dialogs once: el → null when it is not inert, else the element that
// makes it so (the nearest [inert] ancestor, or the modal dialog that is on top).
function newInertTest() {
  const modal = upperModal();
  const anyInert = openRoots().some((root) => query(root, '[inert]').length > 0);
  if (!modal && !anyInert) return () => null;
  return (el) => {
    for (let at = el; at; at = parentElementOf(at)) {
      if (at === modal) return null;
      if (anyInert && isHTML(at) && hasAttr(at, 'inert')) return at;
    }
    return modal;
  };
}

// The modal dialog that is on top, or null. Of several, hit testing knows the order: what is inert takes no hits, and a
// backdrop's hits go to its dialog.
function upperModal() {
  const modals = [];
  for (const root of openRoots()) modals.push(...query(root, 'dialog:modal'));
  if (modals.length < 2) return modals[0] || null;
  for (let at = deepHit(document, innerWidth / 2, innerHeight / 2); at; at = parentElementOf(at)) {
    if (modals.includes(at)) return at;
  }
  return modals.at(-1);
}

// The innermost element that a hit at the point reaches, from a document or shadow root inwards through open shadow
// roots.
function deepHit(root, x, y) {
  let hit = (root instanceof ShadowRoot ? hitInShadow : hitInDocument).call(root, x, y);
  for (let shadow = hit && shadowRootOf(hit); shadow; shadow = shadowRootOf(hit)) {
    const inner = hitInShadow.call(shadow, x, y);
    if (!inner || rootOf(inner) !== shadow) break;
    hit = inner;
  }
  return hit;
}

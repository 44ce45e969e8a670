// text= (browser.md §3): exact rendered text of a visible element, whitespace normalised, promoted to the nearest
// interactive owner.

// Room beside the wanted text for white space that normalising takes away.
const TEXT_SLACK_BYTES = 256;
const BUTTON_INPUTS = new Set(['submit', 'button', 'reset']);

// The elements (owners, each once) whose rendered text is value, looked for inside scope or in the whole document.
function matchText(value, scope) {
  const search = {
    wanted: collapse(value),
    holdsWords: newWordTest(value),
    pass: newPass(),
    scope,
    owners: new Set(),
    inert: newInertTest(),
  };
  if (search.wanted === '') return [];
  for (const root of textRoots(scope)) searchChildren(root, search);
  for (const entry of controls()) {
    if (isButtonInput(entry.el) && collapse(entry.el.value) === search.wanted && isReachable(entry.el, search.inert)) {
      search.owners.add(entry.el);
    }
  }
  return [...search.owners];
}

// Shadow roots are searched each for itself: textContent, the cheap test, does not reach into them.
function textRoots(scope) {
  if (!scope) return openRoots();
  const isBelow = (root) => root !== document && isInsideOrSame(root.host, scope);
  return [scope].concat(openRoots().filter(isBelow));
}

function isButtonInput(el) {
  return tagOf(el) === 'input' && BUTTON_INPUTS.has(el.type);
}

// Whether any element below node matched. Subtrees without the wanted text's words are left at once.
function searchChildren(node, search) {
  let found = false;
  for (let child = firstChildOf(node); child; child = nextSiblingOf(child)) {
    if (!isElement(child) || SKIPPED_TAGS.has(tagOf(child)) || !search.holdsWords(child)) continue;
    if (searchChildren(child, search) || takeText(child, search)) found = true;
  }
  return found;
}

const SKIPPED_TAGS = new Set(['script', 'style', 'noscript', 'template', 'head', 'title', 'option', 'optgroup',
  'datalist']);

// The deepest element wins: this is called only where no element below matched.
function takeText(el, search) {
  const room = 4 * byteLength(search.wanted) + TEXT_SLACK_BYTES;
  const seen = visibleText(el, room, 0, search.pass);
  if (seen.cut || collapse(seen.text) !== search.wanted || search.inert(el)) return false;
  search.owners.add(ownerOf(el, search));
  return true;
}

// The control that a person means by this text: the nearest one above it as drawn, or the one that it labels.
function ownerOf(el, search) {
  const slotted = shadowRootOf(el) && firstSlot(el);
  const control = controlAbove(slotted || el, search.scope);
  if (control && !(search.scope && !isInside(control, search.scope))) return control;
  const label = closestMethod.call(el, 'label');
  const labelled = label && label.control;
  if (labelled && isReachable(labelled, search.inert) && isControl(labelled)) return labelled;
  return el;
}

// A host's own text is drawn in its slot, often inside the very button that the component is about.
function firstSlot(host) {
  for (let node = firstChildOf(host); node; node = nextSiblingOf(node)) {
    const slot = isElement(node) ? slotOf(node) : nodeTypeOf(node) === TEXT ? textSlotOf(node) : null;
    if (slot && textContentOf(node).trim() !== '') return slot;
  }
  return null;
}

// Who owns a point: the element, a part of it or its label; else what covers it.

// What a press at the point reaches, as the root that the element lives in sees it.
function hitAt(el, point) {
  return isConnectedOf(el) ? deepHit(rootOf(el), point.x, point.y) : null;
}

// A part of the element, as drawn, or a label that belongs to it, or a part of one that is no other control.
function owns(el, hit) {
  if (isInsideOrSame(hit, el)) return true;
  for (const label of labelsOf(el)) {
    if (!isInsideOrSame(hit, label)) continue;
    const control = controlAbove(hit, label);
    return control === null || control === label;
  }
  return false;
}

// Where a press on a label means its control. The middle of a label may be a link; its beginning seldom is.
const LABEL_EDGE_PX = 4;
function labelPoints(el) {
  const points = [];
  for (const label of labelsOf(el)) {
    if (!isRendered(label)) continue;
    const boxes = pressBoxes(label);
    points.push(...boxes.map(centreOf));
    points.push(...boxes.map((box) => ({x: box.x + Math.min(LABEL_EDGE_PX, box.width / 2), y: centreOf(box).y})));
  }
  return points;
}

function staysInPlace(el) {
  for (let at = el; at; at = parentElementOf(at)) {
    const position = getComputedStyle(at).position;
    if (position === 'fixed' || position === 'sticky') return true;
  }
  return false;
}

// hit_test_blocked, with the covering element as the one candidate.
function blockedBy(hit, el, client) {
  const cover = coverOf(hit, el);
  const candidate = client === undefined ? plainCandidate(cover) : candidateOf(cover, client, '');
  return {fail: {kind: 'hit_test_blocked', candidates: [candidate]}};
}

// The nearest element that has a name, from what was hit up to the last that does not hold the target too; else what
// was hit.
function coverOf(hit, el) {
  for (let at = hit; at && !isInsideOrSame(el, at); at = parentElementOf(at)) {
    if (isNamedKind(at) && entryOf(at)?.name) return at;
  }
  return hit;
}

function plainCandidate(el) {
  return {role: roleOf(el), name: nameOf(el, CANDIDATE_NAME_BYTES).name};
}

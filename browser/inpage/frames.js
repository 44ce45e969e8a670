// Frames about this one, as far as this document may reach them (same origin).

// Carries a point of this frame's viewport out to the outermost reachable one. Answers {x, y} there, or {fail} when a
// frame element on the way is covered or out of view.
function carryOut(point) {
  let view = window, at = {x: point.x, y: point.y};
  for (let frame = frameElementOf(view); frame; frame = frameElementOf(view)) {
    at = toParent(frame, at);
    view = viewOf(frame);
    if (!inViewport(at, view)) return {fail: {kind: 'outside_viewport', reason: 'frame'}};
    const hit = deepHit(rootOf(frame), at.x, at.y);
    if (hit !== frame) return {fail: {kind: 'hit_test_blocked', reason: 'frame', hit}};
  }
  return at;
}

// The frame element that holds a window, or null at the top and at a border between origins.
function frameElementOf(view) {
  try {
    return view.frameElement;
  } catch {
    return null;
  }
}

function viewOf(el) {
  return ownerDocumentOf(el).defaultView;
}

// A frame's viewport begins inside its border and padding, and is drawn at the scale of its box.
function toParent(frame, point) {
  const box = rectOf(frame);
  const style = viewOf(frame).getComputedStyle(frame);
  const scaleX = frame.offsetWidth > 0 ? box.width / frame.offsetWidth : 1;
  const scaleY = frame.offsetHeight > 0 ? box.height / frame.offsetHeight : 1;
  const left = frame.clientLeft + (parseFloat(style.paddingLeft) || 0);
  const top = frame.clientTop + (parseFloat(style.paddingTop) || 0);
  return {x: box.x + (left + point.x) * scaleX, y: box.y + (top + point.y) * scaleY};
}

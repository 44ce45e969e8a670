// Frames about this one, as far as this document may reach them (same origin).

// Carries a point of this frame's viewport out to the outermost reachable one. Answers {x, y} there, or {fail} when a
// frame element on the way is covered or out of view. climbed is the number of frames that were left; border says that
// there are further ones about it, which this document may not see.
function carryOut(point) {
  return carryFrom(window, point);
}

function carryFrom(view, point) {
  let at = {x: point.x, y: point.y}, climbed = 0;
  for (let frame = frameElementOf(view); frame; frame = frameElementOf(view)) {
    const outer = carryThrough(frame, at);
    if (outer.fail) return outer;
    at = outer;
    view = viewOf(frame);
    climbed++;
  }
  return {...at, climbed, border: view.parent !== view};
}

// Carries a point of a frame's viewport into the viewport of the document that holds the frame.
function carryThrough(frame, point) {
  const at = toParent(frame, point);
  if (!inViewport(at, viewOf(frame))) return {fail: {kind: 'outside_viewport', reason: 'frame'}};
  const hit = deepHit(rootOf(frame), at.x, at.y);
  return hit === frame ? at : {fail: {kind: 'hit_test_blocked', reason: 'frame', hit}};
}

// carry {host, point, scroll} → {x, y, climbed, border}: a point in the viewport of the frame in the element host, which
// belongs to another origin, in the outermost viewport that can be reached from here.
handlers.carry = (args) => {
  const frame = elementOf(args.host);
  if (!frame || !isConnectedOf(frame)) return failure('detached', 'frame');
  if (!isRendered(frame)) return failure('not_visible', 'frame');
  if (args.scroll && carryHost(frame, args.point).fail) reveal(frame, () => toParent(frame, args.point));
  if (!mayMove(frame)) return toldHost(frame, args.point);
  return isStill(frame).then((still) => still ? toldHost(frame, args.point) : failure('unstable_geometry', 'frame'));
};

function carryHost(frame, point) {
  const at = carryThrough(frame, point);
  if (at.fail) return at;
  const outer = carryFrom(viewOf(frame), at);
  return outer.fail ? outer : {...outer, ...onScreen(outer)};
}

function toldHost(frame, point) {
  const at = carryHost(frame, point);
  if (!at.fail) return at;
  const told = failure(at.fail.kind, at.fail.reason);
  if (at.fail.hit) told.fail.candidates = [plainCandidate(at.fail.hit)];
  return told;
}

// Where a point of the outermost viewport is drawn: a page that is zoomed by pinching shows a part of it.
function onScreen(at) {
  if (at.border) return {x: at.x, y: at.y};
  const part = pinched(topReached());
  return part ? {x: at.x - part.x, y: at.y - part.y} : {x: at.x, y: at.y};
}

function topReached() {
  let view = window;
  for (let frame = frameElementOf(view); frame; frame = frameElementOf(view)) view = viewOf(frame);
  return view;
}

// Whether frames of other origins lie about this one.
function hasBorder() {
  const view = topReached();
  return view.parent !== view;
}

// Scrolls everything about an element, as far as this document may reach, so that a point of it can be seen. What lies
// beyond the border scrolls itself (handlers.carry): the browser would carry a scroll there at a time of its own.
function reveal(el, pointOf) {
  expectOwnScroll();
  for (;;) {
    for (let at = parentElementOf(el); at; at = parentElementOf(at)) {
      if (tagOf(at) === 'html' || tagOf(at) === 'body' || !clips(at) || holds(rectOf(at), pointOf())) continue;
      scrollTowards(at, centreOf(rectOf(at)), pointOf());
    }
    const view = viewOf(el);
    if (!inViewport(pointOf(), view)) {
      const size = viewSize(view);
      scrollTowards(view, {x: size.width / 2, y: size.height / 2}, pointOf());
    }
    const frame = frameElementOf(view);
    if (!frame) return;
    const inner = pointOf;
    pointOf = () => toParent(frame, inner());
    el = frame;
  }
}

function scrollTowards(scroller, centre, point) {
  scroller.scrollBy({left: point.x - centre.x, top: point.y - centre.y, behavior: 'instant'});
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

// In a frame of another origin than what is about it the browser finds out which process gets the pointer from what it has
// drawn last, which may be older than what the scripts of both see. So the pointer is moved there and asked for before
// anything is pressed: where it really came to also tells whether the place was reckoned right.
const HOVER_MS = 100;
// Such frames are drawn on whole pixels of the screen: with a zoom, borders and padding add up to this much (CSS px).
const SNAP_PX = 3;
const hover = {at: null, told: null};
if (hasBorder()) {
  listen(window, 'pointermove', (e) => {
    if (!e.isTrusted) return;
    hover.at = {x: e.clientX, y: e.clientY};
    hover.told?.();
  }, {capture: true, passive: true});
}

// hovered {id?, point} → {over}: whether the pointer has come to the point, and the element with the id owns the place
// that it came to, since the last question or now.
handlers.hovered = (args) => new Promise((done) => {
  const timer = setTimeout(() => told(false), HOVER_MS);
  const told = (over) => {
    clearTimeout(timer);
    hover.at = hover.told = null;
    done({over});
  };
  const look = () => {
    if (hover.at && isOver(hover.at, args)) told(true);
  };
  hover.told = look;
  look();
});

function isOver(at, {id, point}) {
  if (Math.abs(at.x - point.x) > SNAP_PX || Math.abs(at.y - point.y) > SNAP_PX) return false;
  const el = id ? elementOf(id) : null;
  return !el || !pointFailure(el, at);
}

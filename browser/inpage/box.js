// Where an element stands: its boxes in the viewport of its frame (CSS px), and what clips them.

// Boxes of one element that are tried as places to press.
const MAX_BOXES = 8;

function boxOf(el) {
  const r = rectOf(el);
  return {x: r.x, y: r.y, width: r.width, height: r.height};
}

function sameBox(a, b, px) {
  return Math.abs(a.x - b.x) <= px && Math.abs(a.y - b.y) <= px &&
    Math.abs(a.width - b.width) <= px && Math.abs(a.height - b.height) <= px;
}

// The boxes that an element can be pressed in, as it wraps: its own, else (it is drawn by its children alone) theirs.
function pressBoxes(el) {
  if (tagOf(el) === 'area') return areaBoxes(el);
  const own = solidRects(el);
  if (own.length > 0) return own;
  const boxes = [];
  for (const child of flatChildren(el).filter(isElement)) {
    if (isRendered(child) || isDrawnByChildren(child)) boxes.push(...pressBoxes(child));
    if (boxes.length >= MAX_BOXES) break;
  }
  return boxes.slice(0, MAX_BOXES);
}

// An element without a box of its own (display: contents, an area, a link about a floating image) whose parts have
// boxes.
function isDrawnByChildren(el) {
  return solidRects(el).length === 0 && pressBoxes(el).length > 0;
}

function solidRects(el) {
  const rects = [];
  for (const r of rectsMethod.call(el)) {
    if (r.width > 0 && r.height > 0) rects.push({x: r.x, y: r.y, width: r.width, height: r.height});
    if (rects.length === MAX_BOXES) break;
  }
  return rects;
}

// An area has no box of its own: a small one about the middle of its shape stands for it.
function areaBoxes(area) {
  const image = imageOf(area);
  if (!image) return [];
  const box = rectOf(image);
  const n = area.coords.split(',').map(Number);
  if (area.shape === 'default' || n.length < 3) return [boxOf(image)];
  if (area.shape === 'circle') return [{x: box.x + n[0] - 1, y: box.y + n[1] - 1, width: 2, height: 2}];
  const xs = n.filter((_, i) => i % 2 === 0), ys = n.filter((_, i) => i % 2 === 1);
  const left = Math.min(...xs), top = Math.min(...ys);
  return [{x: box.x + left, y: box.y + top, width: Math.max(...xs) - left, height: Math.max(...ys) - top}];
}

function imageOf(area) {
  const map = closestMethod.call(area, 'map');
  return map && map.name ? query(rootOf(area), 'img[usemap="#' + CSS.escape(map.name) + '"]')[0] || null : null;
}

// Points to press, best first: the centre of the whole box where a part of the element lies there, then the centre of
// every part.
function pressPoints(el) {
  const boxes = pressBoxes(el);
  const points = boxes.map(centreOf);
  if (boxes.length > 1) {
    const whole = centreOf(unionOf(boxes));
    if (boxes.some((box) => holds(box, whole))) points.unshift(whole);
  }
  return points;
}

function centreOf(box) {
  return {x: box.x + box.width / 2, y: box.y + box.height / 2};
}

function unionOf(boxes) {
  const x = Math.min(...boxes.map((b) => b.x)), y = Math.min(...boxes.map((b) => b.y));
  return {
    x, y,
    width: Math.max(...boxes.map((b) => b.x + b.width)) - x,
    height: Math.max(...boxes.map((b) => b.y + b.height)) - y,
  };
}

function holds(box, point) {
  return point.x >= box.x && point.x < box.x + box.width && point.y >= box.y && point.y < box.y + box.height;
}

// Whether a point of an element can be seen without scrolling: inside the viewport, and inside every scroller about it.
function isInView(el, point) {
  if (!inViewport(point, window)) return false;
  for (let at = parentElementOf(el); at; at = parentElementOf(at)) {
    if (tagOf(at) === 'html' || tagOf(at) === 'body') continue;
    if (clips(at) && !holds(rectOf(at), point)) return escapes(el, at);
  }
  return true;
}

function inViewport(point, view) {
  const size = viewSize(view);
  return holds(pinched(view) || {x: 0, y: 0, width: size.width, height: size.height}, point);
}

// The part of a page's viewport that is drawn when it is zoomed by pinching, else null.
function pinched(view) {
  const visual = view.visualViewport;
  if (!visual || visual.scale === 1 && visual.offsetLeft === 0 && visual.offsetTop === 0) return null;
  return {x: visual.offsetLeft, y: visual.offsetTop, width: visual.width, height: visual.height};
}

// The size of a frame's viewport without its scroll bars.
function viewSize(view) {
  const doc = view.document;
  const root = compatModeOf(doc) === 'BackCompat' ? bodyOf(doc) : documentElementOf(doc);
  return {width: root?.clientWidth || view.innerWidth, height: root?.clientHeight || view.innerHeight};
}

function clips(el) {
  const style = getComputedStyle(el);
  return style.display !== 'contents' && (style.overflowX !== 'visible' || style.overflowY !== 'visible');
}

// A positioned element is not clipped by scrollers between it and the box that it is placed by.
function escapes(el, scroller) {
  for (let at = el; at && at !== scroller; at = parentElementOf(at)) {
    const position = getComputedStyle(at).position;
    if (position === 'fixed') return true;
    if (position === 'absolute' && isHTML(at)) return !at.offsetParent || !isInsideOrSame(at.offsetParent, scroller);
  }
  return false;
}

// Whether an element moves: by CSS animations and transitions, by scripts that write its style, by scrolling.

// How long a write to style or class, or a scroll, makes an element suspect (ms).
const MOTION_MS = 100;
// An element at rest is looked at for this long at least (ms): two frames of a screen at 60 Hz.
const STILL_MS = 32;
// An edge that moves by more than this between two frames moves (CSS px).
const STILL_PX = 0.1;
// A page that is not drawn gets no frames; this long stands for one (ms), and longer on a page that is only slow.
const FRAME_MS = 50;
const SLOW_FRAME_MS = 250;

// Properties whose animation leaves every box where it is.
const STILL_PROPERTIES = new RegExp(
  '^(?:opacity|visibility|filter|fill|stroke|mask|textDecoration|outline|background|backdrop)|(?:color|shadow)$', 'i');
const FRAME_FIELDS = new Set(['offset', 'computedOffset', 'easing', 'composite']);

// writes: node → when its style or class was last written. since: root → from when on it is watched.
// scrolledAt: when something scrolled last, other than by Glass.
const motion = {writes: new WeakMap(), since: new WeakMap(), scrolledAt: -Infinity, ownScrollUntil: -Infinity};

const motionObserver = new MutationObserver(noteWrites);
watchMotionIn(document);
listen(window, 'scroll', noteScroll, {capture: true, passive: true});

function noteScroll() {
  const now = performance.now();
  if (now > motion.ownScrollUntil) motion.scrolledAt = now;
}

// The event of a scroll that Glass makes comes with the next frame, and is no sign of motion.
function expectOwnScroll() {
  motion.ownScrollUntil = performance.now() + FRAME_MS;
}

function noteWrites(records) {
  const now = performance.now();
  for (const record of records) motion.writes.set(record.target, now);
}

function watchMotionIn(root) {
  if (motion.since.has(root)) return;
  // A document that is watched from its start has no past that could be unknown.
  motion.since.set(root, root === document && readyStateOf(document) === 'loading' ? -Infinity : performance.now());
  motionObserver.observe(root, {subtree: true, attributes: true, attributeFilter: ['style', 'class']});
}

// Whether the element may be moving, so that two frames have to tell.
function mayMove(el) {
  openRoots().forEach(watchMotionIn);
  noteWrites(motionObserver.takeRecords());
  const from = performance.now() - MOTION_MS;
  if (motion.scrolledAt > from) return true;
  for (let at = el; at; at = parentElementOf(at)) {
    if (motion.writes.get(at) > from || motion.since.get(rootOf(at)) > from) return true;
  }
  return hasMovingAnimation(el);
}

// Whether an animation that moves boxes runs on the element or on anything that it is drawn in.
function hasMovingAnimation(el) {
  for (const root of openRoots()) {
    for (const animation of animationsIn(root)) {
      if (animation.playState !== 'running') continue;
      const target = animation.effect?.target;
      if (target && isInsideOrSame(el, target) && movesBoxes(animation.effect)) return true;
    }
  }
  return false;
}

function animationsIn(root) {
  return (root instanceof ShadowRoot ? ShadowRoot : Document).prototype.getAnimations.call(root);
}

function movesBoxes(effect) {
  return effect.getKeyframes().some((frame) =>
    Object.keys(frame).some((key) => !FRAME_FIELDS.has(key) && !STILL_PROPERTIES.test(key)));
}

// Compares an element's box over two frames, and more where a browser that has fallen behind hurries them.
async function isStill(el) {
  const first = boxOf(el);
  const end = performance.now() + STILL_MS;
  for (let i = 0; i < 2 || performance.now() < end; i++) {
    await nextFrame();
    if (!sameBox(first, boxOf(el), STILL_PX)) return false;
  }
  return true;
}

function nextFrame() {
  return new Promise((done) => {
    const timer = setTimeout(done, visibilityOf(document) === 'hidden' ? FRAME_MS : SLOW_FRAME_MS);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      done();
    });
  });
}

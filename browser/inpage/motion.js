// Whether an element moves: by CSS animations and transitions, by scripts that write its style, by scrolling.

// How long a write to style or class, or a scroll, makes an element suspect (ms).
const MOTION_MS = 100;
// An edge that moves by more than this between two frames moves (CSS px).
const STILL_PX = 0.1;
// A page that is not drawn gets no frames; this long stands for one (ms).
const FRAME_MS = 50;

// Properties whose animation leaves every box where it is.
const STILL_PROPERTIES = /^(opacity|visibility|filter|fill|stroke|caret-?color|mask.*|text-?(decoration|shadow).*|-?webkit.*fill.*)$|color$|background|shadow$|outline|backdrop/i;
const FRAME_FIELDS = new Set(['offset', 'computedOffset', 'easing', 'composite']);

const motion = {since: performance.now(), writes: new WeakMap(), watched: new WeakSet(), scrolledAt: -Infinity};

const motionObserver = new MutationObserver((records) => {
  const now = performance.now();
  for (const record of records) motion.writes.set(record.target, now);
});

// Watches style and class of every root that is not watched yet.
function watchMotion() {
  for (const root of openRoots()) {
    if (motion.watched.has(root)) continue;
    motion.watched.add(root);
    motionObserver.observe(root, {subtree: true, attributes: true, attributeFilter: ['style', 'class']});
  }
  for (const record of motionObserver.takeRecords()) motion.writes.set(record.target, performance.now());
}

listen(window, 'scroll', () => { motion.scrolledAt = performance.now(); }, {capture: true, passive: true});

// Whether the element may be moving, so that two frames have to tell.
function mayMove(el) {
  watchMotion();
  const now = performance.now();
  if (now - motion.since < MOTION_MS || now - motion.scrolledAt < MOTION_MS) return true;
  for (let at = el; at; at = parentElementOf(at)) {
    if (now - (motion.writes.get(at) ?? -Infinity) < MOTION_MS) return true;
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

// Compares an element's box over two frames.
async function isStill(el) {
  const first = boxOf(el);
  for (let i = 0; i < 2; i++) {
    await nextFrame();
    if (!sameBox(first, boxOf(el), STILL_PX)) return false;
  }
  return true;
}

function nextFrame() {
  return new Promise((done) => {
    const timer = setTimeout(done, FRAME_MS);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      done();
    });
  });
}

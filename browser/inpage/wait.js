// Waiting for a condition on the document (browser.md §5): an observer and events behind one promise. A condition is
// tested at once when something changed, then at most once a frame; polling is the fallback for what gives no sign.

// Between two tests lie at least a frame and several times what a test costs, so that the page goes on (ms).
const WAIT_FRAME_MS = 16;
const WAIT_POLL_MS = 50;
const WAIT_COST_FACTOR = 4;
const WAIT_DEFAULT_MS = 10000;
const WAIT_MAX_MS = 300000;

const WAIT_EVENTS = ['input', 'change', 'scroll', 'resize', 'toggle', 'focusin', 'focusout', 'transitionend',
  'transitioncancel', 'animationend', 'animationcancel', 'load', 'error', 'DOMContentLoaded', 'readystatechange',
  'popstate', 'hashchange', 'slotchange'];

const waits = new Map();

// wait {token, kind, timeoutMs, client, …} → {ok: true, …}, {ok: false, lastState} at the deadline or when cancelled
// (cancelled: true), or {fail}. Kinds and their further arguments stand in conditions.js.
handlers.wait = (args) => new Promise((done) => {
  refresh();
  const test = newCondition(args);
  if (test.fail) {
    done(test);
    return;
  }
  const finish = (answer) => {
    stop();
    if (args.token !== undefined) waits.delete(args.token);
    done(answer);
  };
  const stop = watch(test, Math.min(args.timeoutMs ?? WAIT_DEFAULT_MS, WAIT_MAX_MS), finish);
  if (args.token !== undefined) waits.set(args.token, finish);
});

// cancelWait {token} → {ok}: whether such a wait was running. Nothing of it is left.
handlers.cancelWait = (args) => {
  const finish = waits.get(args.token);
  if (!finish) return {ok: false};
  finish({ok: false, cancelled: true, lastState: 'cancelled'});
  return {ok: true};
};

// Tests until the answer is final, the deadline has passed or the returned function is called. The first test runs in a
// later task, so that the caller holds the function by then.
function watch(test, timeoutMs, finish) {
  const seen = new Set();
  let stopped = false, timer = 0, frame = 0, next = 0, state = 'not tested';

  // pause is what has to lie between this test and one that a sign asks for.
  const run = (pause) => {
    if (stopped) return;
    clearTimeout(timer);
    refresh();
    for (const root of openRoots()) observe(root);
    observer.takeRecords();
    const begin = performance.now();
    const answer = test();
    if (answer.ok || answer.fail) {
      finish(answer);
      return;
    }
    state = answer.lastState;
    const end = performance.now();
    const room = WAIT_COST_FACTOR * (end - begin);
    next = end + Math.max(pause, room);
    timer = setTimeout(poll, Math.max(WAIT_POLL_MS, room));
    if ((answer.everyFrame || isAnimated()) && !frame) frame = requestAnimationFrame(onFrame);
  };
  const poll = () => run(0);
  const answerSign = () => run(WAIT_FRAME_MS);
  // A sign that comes too soon after a test is answered when its time has come.
  const onSign = () => {
    const left = next - performance.now();
    if (left <= 0) {
      answerSign();
      return;
    }
    clearTimeout(timer);
    timer = setTimeout(answerSign, left);
  };
  const onFrame = () => {
    frame = 0;
    onSign();
  };
  const observer = new MutationObserver(onSign);
  const observe = (root) => {
    if (seen.has(root)) return;
    seen.add(root);
    observer.observe(root, {subtree: true, childList: true, characterData: true, attributes: true});
  };
  const listening = new AbortController();
  for (const type of WAIT_EVENTS) {
    listen(window, type, onSign, {capture: true, passive: true, signal: listening.signal});
  }
  listen(navigation, 'currententrychange', onSign, {signal: listening.signal});
  const deadline = setTimeout(() => finish({ok: false, lastState: state}), timeoutMs);
  timer = setTimeout(poll, 0);

  return () => {
    stopped = true;
    listening.abort();
    observer.disconnect();
    clearTimeout(timer);
    clearTimeout(deadline);
    cancelAnimationFrame(frame);
  };
}

// Whether anything runs that changes the page without mutations.
function isAnimated() {
  return openRoots().some((root) => animationsIn(root).some((animation) => animation.playState === 'running'));
}

// Checks before an action (browser.md §4): a target is resolved, and the element is connected, rendered, enabled, not
// inert, at rest, in the viewport and owner of the point that will be pressed.

// A prepared element may have moved by this much before it is pressed (CSS px).
const MOVED_PX = 1;

const prepared = new WeakMap();

// prepare {target, client, expectCtx, need: "pointer"|"focus"|"none"|"read", scroll, edit} → the element, or {fail}.
handlers.prepare = (args) => prepare(args);

// preflight takes the same arguments and touches nothing: no scrolling.
handlers.preflight = (args) => prepare({...args, scroll: false});

// recheck {id, point} → {ok: true}, or {fail}: the same node, box and owner as when it was prepared.
handlers.recheck = (args) => {
  const el = elementOf(args.id);
  if (!el) return failure('stale_reference', 'unknown');
  if (!isConnectedOf(el)) return failure('detached');
  const before = prepared.get(el);
  if (!before || !sameBox(before, boxOf(el), MOVED_PX)) return failure('geometry_changed');
  const blocked = disabledFailure(el) || pointFailure(el, args.point);
  return blocked || {ok: true};
};

function failure(kind, reason) {
  return {fail: reason ? {kind, reason} : {kind}};
}

function prepare(args) {
  refresh();
  const found = resolve(args.target, args.client);
  if (found.fail) return found;
  const el = found.el;
  const refused = contextFailure(el, args) || stateFailure(el, args);
  if (refused) return refused;
  if (args.need !== 'pointer') {
    if (args.need === 'focus' && args.scroll && !isInWholeView(el, centreOf(boxOf(el)))) bringIntoView(el);
    return describe(el, args);
  }
  if (!mayMove(el)) return aim(el, args);
  return isStill(el).then((still) => {
    if (!isConnectedOf(el)) return failure('detached');
    if (!still) return failure('unstable_geometry');
    return stateFailure(el, args) || aim(el, args);
  });
}

// Under an expected revision, what stands about the target is as the client was last shown (contract.md §2, promise 3).
function contextFailure(el, args) {
  if (!args.expectCtx) return null;
  const shown = publishedTo(args.client).get(idOf(el));
  return shown && shown.ctx !== contextHashOf(el) ? failure('stale_revision', 'context') : null;
}

function stateFailure(el, args) {
  if (!isConnectedOf(el)) return failure('detached');
  if (args.need === 'read') return null;
  const shown = args.need === 'none' || isRendered(el) || isDrawnByChildren(el);
  if (!shown) return failure('not_visible');
  return disabledFailure(el) || inertFailure(el, args.client) || (args.edit ? editFailure(el) : null);
}

// An element inside a disabled control is as dead as the control, and so is the label of one.
function disabledFailure(el) {
  const owner = isHTML(el) && tagOf(el) === 'label' ? labelControl(el) : controlAbove(el);
  return isDisabled(el) || (owner && isDisabled(owner)) ? failure('disabled') : null;
}

// What a modal dialog makes inert is covered by that dialog; what an attribute makes inert is disabled.
function inertFailure(el, client) {
  const cause = newInertTest()(el);
  if (!cause) return null;
  return isInsideOrSame(el, cause) ? failure('disabled', 'inert') : blockedBy(cause, el, client);
}

function editFailure(el) {
  const kind = fieldKind(el);
  if (kind !== 'text' && kind !== 'textarea' && kind !== 'contenteditable' && kind !== 'picker') {
    return failure('verification_failed', 'not_editable');
  }
  const isReadOnly = el.readOnly === true && !READONLY_FREE.has(el.type);
  return isReadOnly || attr(el, 'aria-readonly') === 'true' ? failure('disabled', 'readonly') : null;
}

// The readonly attribute does not apply to these types of input.
const READONLY_FREE = new Set(['range', 'color']);

// Finds the point to press, after scrolling where the call allows it and the place needs it.
function aim(el, args) {
  let points = pressPoints(el);
  if (points.length === 0) return failure('not_visible');
  let scrolled = false;
  if (args.scroll && !isInWholeView(el, points[0])) {
    bringIntoView(el);
    scrolled = true;
    points = pressPoints(el);
  }
  let result = firstOwned(el, points, args.client);
  if (result.fail && args.scroll && !scrolled && result.sticky) {
    // A bar that stays in place covers it: the middle of the viewport is where such bars are not.
    bringIntoView(el);
    result = firstOwned(el, pressPoints(el), args.client);
  }
  if (result.fail && PRESSED_BY_LABEL.has(fieldKind(el))) {
    const byLabel = firstOwned(el, labelPoints(el), args.client);
    if (byLabel?.point) result = byLabel;
  }
  if (result.fail) return {fail: result.fail};
  prepared.set(el, boxOf(el));
  return {...describe(el, args), point: result.point, ...frameOffset(result.point)};
}

// Fields that pages like to hide behind their label: a press on the label does what a press on them would.
const PRESSED_BY_LABEL = new Set(['checkbox', 'radio', 'file']);

function isInWholeView(el, point) {
  return isInView(el, point) && carryOut(point).fail?.kind !== 'outside_viewport';
}

function bringIntoView(el) {
  const place = tagOf(el) === 'area' ? imageOf(el) || el : el;
  if (hasBorder()) return reveal(place, () => centreOf(boxOf(place)));
  expectOwnScroll();
  Element.prototype.scrollIntoView.call(place, {block: 'center', inline: 'nearest', behavior: 'instant'});
}

function isCoveredByBar(el, point) {
  const hit = hitAt(el, point);
  return hit !== null && !owns(el, hit) && staysInPlace(hit);
}

// The first of the points that the element owns. The failure of the first point is the one that is told.
function firstOwned(el, points, client) {
  let first = null;
  for (const point of points) {
    const refused = pointFailure(el, point, client);
    if (!refused) return {point};
    first = first || {...refused, sticky: isCoveredByBar(el, point)};
  }
  return first;
}

// null when the element owns the point, here and through every frame about it.
function pointFailure(el, point, client) {
  if (!inViewport(point, window)) return failure('outside_viewport');
  const hit = hitAt(el, point);
  if (!hit) return failure('outside_viewport');
  if (!owns(el, hit)) return isInView(el, point) ? blockedBy(hit, el, client) : failure('outside_viewport');
  const outside = carryOut(point);
  if (!outside.fail) return null;
  if (outside.fail.kind === 'outside_viewport') return failure('outside_viewport', 'frame');
  const blocked = failure('hit_test_blocked', 'frame');
  if (outside.fail.hit) blocked.fail.candidates = [plainCandidate(outside.fail.hit)];
  return blocked;
}

// Where a point of this frame is drawn, seen from the outermost frame that can be reached from here, and whether there are
// further frames about that one.
function frameOffset(point) {
  const outside = carryOut(point), drawn = onScreen(outside);
  if (drawn.x === point.x && drawn.y === point.y && !outside.border) return {};
  return {frameOffset: {x: drawn.x - point.x, y: drawn.y - point.y}, climbed: outside.climbed, border: outside.border};
}

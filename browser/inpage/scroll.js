// Scrolling (browser.md §4): the page, the scroller about an element, or an element into view. Always at once, never
// smooth.

// The part of a viewport that a page step moves by.
const PAGE_STEP = 0.875;

// scroll {id?, dx, dy | to: "top"|"bottom"|"left"|"right" | by: "page"|"-page"|"page-left"|"page-right", intoView} →
// {dx, dy, x, y, maxX, maxY} (CSS px): how far it really moved, where it stands and how far it goes.
handlers.scroll = (args) => {
  let el = null;
  if (args.id) {
    const field = fieldOf(args.id);
    if (field.fail) return field;
    el = field.el;
    if (!isRendered(el)) return failure('not_visible');
  }
  if (args.intoView && el) return scrollIntoView(el);
  const step = stepOf(args);
  const scroller = scrollerOf(el, step(pageScroller()));
  const before = {x: scroller.scrollLeft, y: scroller.scrollTop};
  const by = step(scroller);
  expectOwnScroll();
  scroller.scrollBy({left: by.dx, top: by.dy, behavior: 'instant'});
  return placeIn(scroller, before);
};

function scrollIntoView(el) {
  const scroller = scrollerOf(el, {dx: 0, dy: 1});
  const before = {x: scroller.scrollLeft, y: scroller.scrollTop};
  if (!isInWholeView(el, centreOf(boxOf(el)))) bringIntoView(el);
  return placeIn(scroller, before);
}

function placeIn(scroller, before) {
  return {
    dx: scroller.scrollLeft - before.x, dy: scroller.scrollTop - before.y,
    x: scroller.scrollLeft, y: scroller.scrollTop,
    maxX: Math.max(0, scroller.scrollWidth - scroller.clientWidth),
    maxY: Math.max(0, scroller.scrollHeight - scroller.clientHeight),
  };
}

// How far a call asks to move a scroller.
function stepOf(args) {
  return (scroller) => {
    const width = scroller.clientWidth, height = scroller.clientHeight;
    switch (args.to || args.by) {
      case 'top': return {dx: 0, dy: -scroller.scrollHeight};
      case 'bottom': return {dx: 0, dy: scroller.scrollHeight};
      case 'left': return {dx: -scroller.scrollWidth, dy: 0};
      case 'right': return {dx: scroller.scrollWidth, dy: 0};
      case 'page': return {dx: 0, dy: height * PAGE_STEP};
      case '-page': return {dx: 0, dy: -height * PAGE_STEP};
      case 'page-right': return {dx: width * PAGE_STEP, dy: 0};
      case 'page-left': return {dx: -width * PAGE_STEP, dy: 0};
      default: return {dx: args.dx || 0, dy: args.dy || 0};
    }
  };
}

function pageScroller() {
  return scrollingElementOf(document) || documentElementOf(document);
}

// The element itself or the nearest one about it that scrolls along the axis of a step; else the page.
function scrollerOf(el, step) {
  for (let at = el; at; at = parentElementOf(at)) {
    if (tagOf(at) !== 'body' && tagOf(at) !== 'html' && scrolls(at, step)) return at;
  }
  return pageScroller();
}

function scrolls(el, step) {
  const style = getComputedStyle(el);
  const canX = /auto|scroll/.test(style.overflowX) && el.scrollWidth > el.clientWidth;
  const canY = /auto|scroll/.test(style.overflowY) && el.scrollHeight > el.clientHeight;
  return (step.dy !== 0 && canY) || (step.dx !== 0 && canX) || (step.dx === 0 && step.dy === 0 && (canX || canY));
}

// What is rendered, and what a person can see of it (browser.md §2: text that no scrolling can show, that is fully
// transparent, clipped to nothing, inert, at most one pixel high or of its background's colour is not seen).
//
// A pass remembers one Look per element, computed from its parent's, so that ancestors are read once. A pass is good as
// long as nothing else runs: make a new one for each script.

const HAIRLINE_PX = 1;
const TRANSPARENT = 0.01;
const SAME_COLOUR = 3; // in steps of 255 per channel

function newPass() {
  return {looks: new Map(), shared: !document.getAnimations || document.getAnimations().length === 0, media: null};
}

// A Look is what an element's style says about itself and its text:
//   display, contents, shown (has a box and is not visibility:hidden), ws, transform, seen (text here can be seen, by
//   style and place), clip and absClip (edges outside of which nothing shows, or null), all (whether boxes in the flow
//   may be outside of clip), backdrop (plain colour under the text as [r,g,b], or null), kids (looks of children by
//   signature, where equal siblings may share one).
const ROOT_LOOK = {
  display: 'block', boxed: true, visible: true, seen: true, opacity: 1, clip: null, absClip: null, all: false,
  backdrop: null, fixed: false, skipped: false, font: 16, kids: null, position: 'static', float: 'none', fill: '', fillSeen: true,
};

function lookOf(el, pass) {
  const known = pass.looks.get(el);
  if (known) return known;
  const chain = [];
  let parent = null;
  for (let p = el; p; p = parentElementOf(p)) {
    parent = pass.looks.get(p);
    if (parent) break;
    chain.push(p);
  }
  let look = parent || ROOT_LOOK;
  for (let i = chain.length - 1; i >= 0; i--) look = childLook(chain[i], look, pass);
  return look;
}

// childLook: the Look of el under a parent whose Look is known. Siblings that no selector can tell apart share one.
function childLook(el, parent, pass) {
  const signature = parent.kids ? signatureOf(el) : '';
  if (signature) {
    const shared = parent.kids.get(signature);
    if (shared) { pass.looks.set(el, shared); return shared; }
  }
  const look = readLook(el, parent, pass);
  if (signature && look.plain) parent.kids.set(signature, look);
  pass.looks.set(el, look);
  return look;
}

const NEUTRAL_ATTRIBUTES = new Set('class href title target rel alt src'.split(' '));
const attributeNames = Element.prototype.getAttributeNames;
const hasAttributesMethod = Element.prototype.hasAttributes;
function signatureOf(el) {
  const tag = tagOf(el);
  if (!hasAttributesMethod.call(el)) return tag;
  for (const name of attributeNames.call(el)) if (!NEUTRAL_ATTRIBUTES.has(name)) return '';
  return tag + '.' + (attr(el, 'class') || '');
}

function readLook(el, parent, pass) {
  const style = getComputedStyle(el);
  const display = style.display;
  const look = {...parent, display, kids: null, plain: false, white: undefined, closed: false};
  if (display === 'none' || parent.skipped || (parent.closed && !isDetailsSummary(el))) {
    look.boxed = look.visible = look.seen = false;
    look.skipped = true;
    return look;
  }
  look.boxed = display !== 'contents' || parent.boxed;
  look.visible = style.visibility === 'visible';
  if (style.contentVisibility === 'hidden') look.skipped = true;
  if (tagOf(el) === 'details' && !hasAttr(el, 'open')) look.closed = true;
  if (display !== 'contents') placeLook(el, look, parent, style);
  inkLook(el, look, parent, style, pass);
  const shareable = pass.shared && !look.all && !look.closed && !hasStructuralSelectors(el);
  if (shareable) look.kids = new Map();
  look.plain = !look.clips && look.position === 'static';
  return look;
}

// placeLook: clipping and position.
function placeLook(el, look, parent, style) {
  look.position = style.position;
  look.float = style.float;
  look.clips = false;
  const moved = look.position !== 'static' || style.transform !== 'none' || parseFloat(style.marginLeft) < 0 ||
    parseFloat(style.marginTop) < 0 || style.translate !== 'none' || style.scale !== 'none';
  if (look.position === 'fixed') { look.clip = look.absClip = null; look.all = false; look.fixed = true; }
  if (look.position === 'absolute') { look.clip = parent.absClip; }
  if (el.inert === true) look.seen = false;
  const measured = moved || look.all;
  if (measured && look.seen && !boxSeen(el, look)) look.hiddenBox = true;
  else look.hiddenBox = false;
  const overflowX = style.overflowX, overflowY = style.overflowY;
  const clipPath = style.clipPath !== 'none' || style.clip !== 'auto';
  if (overflowX !== 'visible' || overflowY !== 'visible' || clipPath) clipLook(el, look, style, clipPath);
  if (look.position !== 'static' || style.transform !== 'none') look.absClip = look.clip;
}

// boxSeen: whether some of the element's box lies where scrolling or clipping lets it show.
function boxSeen(el, look) {
  const box = rectOf(el);
  if (box.width === 0 && box.height === 0) return true; // its children may be elsewhere
  return placeSeen(box, look.clip, look.fixed);
}
function placeSeen(box, clip, fixed) {
  if (clip && (box.right <= clip.left || box.left >= clip.right || box.bottom <= clip.top || box.top >= clip.bottom)) {
    return false;
  }
  if (fixed) return box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
  const rtl = once('rtl', () => getComputedStyle(document.documentElement).direction === 'rtl');
  if (!rtl && box.right + scrollX <= 0) return false;
  return box.bottom + scrollY > 0;
}

function clipLook(el, look, style, clipPath) {
  if (el === document.documentElement || el === document.body) return; // what they clip, the window scrolls
  if (tagOf(el) === 'marquee') return; // its text comes by
  look.clips = true;
  const box = rectOf(el);
  const edge = {left: box.left, top: box.top, right: box.right, bottom: box.bottom};
  if (clipPath) shrinkToClipPath(edge, style);
  if (/^(?:auto|scroll)$/.test(style.overflowX)) { edge.left -= el.scrollLeft; edge.right = edge.left + el.scrollWidth; }
  if (/^(?:auto|scroll)$/.test(style.overflowY)) { edge.top -= el.scrollTop; edge.bottom = edge.top + el.scrollHeight; }
  if (style.overflowX === 'visible' && !clipPath) { edge.left = -Infinity; edge.right = Infinity; }
  if (style.overflowY === 'visible' && !clipPath) { edge.top = -Infinity; edge.bottom = Infinity; }
  look.clip = intersect(look.clip, edge);
  const tiny = look.clip.right - look.clip.left <= HAIRLINE_PX || look.clip.bottom - look.clip.top <= HAIRLINE_PX;
  if (tiny) look.seen = false;
  look.all = look.all || clipPath || el.scrollWidth > el.clientWidth + 1 || el.scrollHeight > el.clientHeight + 1;
}

function intersect(a, b) {
  if (!a) return b;
  return {left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom)};
}

// shrinkToClipPath handles the shapes that hide: clip: rect(…) and inset(…), circle(0…), polygon of no size.
function shrinkToClipPath(edge, style) {
  const rect = /^rect\(([-\d.]+)px,? ([-\d.]+)px,? ([-\d.]+)px,? ([-\d.]+)px\)$/.exec(style.clip);
  if (rect && style.position !== 'static' && style.position !== 'relative') {
    const [top, right, bottom, left] = rect.slice(1).map(Number);
    edge.right = edge.left + Math.min(right, edge.right - edge.left);
    edge.bottom = edge.top + Math.min(bottom, edge.bottom - edge.top);
    edge.left += Math.max(0, left);
    edge.top += Math.max(0, top);
  }
  const inset = /^inset\(([^)]*?)(?: round .*)?\)$/.exec(style.clipPath);
  if (inset) shrinkToInset(edge, inset[1].trim().split(/\s+/));
  if (/^(?:circle|ellipse)\(0(?:px|%)?(?: 0(?:px|%)?)?(?: at [^)]*)?\)$/.test(style.clipPath)) edge.right = edge.left;
  const polygon = /^polygon\((.*)\)$/.exec(style.clipPath);
  if (polygon && new Set(polygon[1].split(/,\s*/)).size < 3) edge.right = edge.left;
}
function shrinkToInset(edge, parts) {
  const width = edge.right - edge.left, height = edge.bottom - edge.top;
  const px = (part, size) => /%$/.test(part) ? parseFloat(part) * size / 100 : parseFloat(part) || 0;
  const [t, r = t, b = t, l = r] = parts;
  edge.top += px(t, height);
  edge.bottom -= px(b, height);
  edge.left += px(l, width);
  edge.right -= px(r, width);
}

// inkLook: transparency, size of letters and colours.
function inkLook(el, look, parent, style, pass) {
  const opacity = parseFloat(style.opacity);
  look.opacity = parent.opacity * opacity;
  look.font = parseFloat(style.fontSize);
  look.indent = parseFloat(style.textIndent);
  const background = style.backgroundColor;
  const clipped = /text/.test(style.backgroundClip);
  if (clipped) look.textFilled = true;
  if (style.backgroundImage !== 'none') {
    look.backdrop = null;
    look.painted = true;
  } else if (background !== 'rgba(0, 0, 0, 0)') {
    look.backdrop = opaque(background);
    look.painted = true;
    look.shadowed = false;
  } else if (!parent.painted) {
    look.backdrop = canvasColour();
  }
  look.fill = style.webkitTextFillColor;
  look.inkSeen = look.opacity > TRANSPARENT && look.font > HAIRLINE_PX && fillSeen(el, look, style, pass);
}

function fillSeen(el, look, style, pass) {
  const fill = colourOf(look.fill);
  if (!fill) return true;
  if (look.textFilled) return true;
  if (style.textShadow !== 'none' || parseFloat(style.webkitTextStrokeWidth) > 0) return true;
  if (fill[3] <= TRANSPARENT) return false;
  if (!look.backdrop || fill[3] < 1) return true;
  if (!near(fill, look.backdrop)) return true;
  return overPicture(el, pass);
}
function near(a, b) {
  return Math.abs(a[0] - b[0]) <= SAME_COLOUR && Math.abs(a[1] - b[1]) <= SAME_COLOUR && Math.abs(a[2] - b[2]) <= SAME_COLOUR;
}
function opaque(colour) {
  const c = colourOf(colour);
  return c && c[3] === 1 ? c : null;
}

const colours = new Map();
const COLOURS_MAX = 512;
function colourOf(text) {
  let c = colours.get(text);
  if (c === undefined) {
    const m = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text);
    c = m ? [+m[1], +m[2], +m[3], m[4] === undefined ? 1 : +m[4]] : null;
    if (colours.size >= COLOURS_MAX) colours.clear();
    colours.set(text, c);
  }
  return c;
}

// canvasColour: what is under a page that paints nothing: white, unless the page lets the browser go dark.
function canvasColour() {
  return once('canvas', () => {
    const scheme = getComputedStyle(document.documentElement).colorScheme;
    return {colour: /dark/.test(scheme) ? null : [255, 255, 255, 1]};
  }).colour;
}

// overPicture: whether something else than the ancestors' plain colour may lie under the element: a picture, or a box
// with a background of its own at that place. Asked only for text that has its background's colour.
function overPicture(el, pass) {
  const box = rectOf(el);
  const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
  if (!pass.media) pass.media = [...query(document, 'img,video,canvas,svg,picture,object,embed,iframe')].slice(0, 256);
  for (const media of pass.media) {
    const r = rectOf(media);
    if (r.width > 8 && r.left <= x && r.right >= x && r.top <= y && r.bottom >= y && !containsMethod.call(el, media)) return true;
  }
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
  for (const under of Document.prototype.elementsFromPoint.call(document, x, y)) {
    if (containsMethod.call(under, el) || containsMethod.call(el, under)) continue;
    const style = getComputedStyle(under);
    if (style.backgroundImage !== 'none' || style.backgroundColor !== 'rgba(0, 0, 0, 0)') return true;
  }
  return false;
}

// textSeen: whether text directly in the element is seen. kids of display:contents boxes are judged like their parents.
function textSeen(look) {
  return look.boxed && look.visible && look.seen && !look.hiddenBox && look.inkSeen && !look.skipped;
}

// isRendered: the element has a box that takes part in the page: not display:none, visibility:hidden, skipped
// (content-visibility, closed details, hidden=until-found), and not without any area.
function isRendered(el) {
  if (!isConnectedOf(el)) return false;
  const tag = tagOf(el);
  if (tag === 'area') return areaRendered(el);
  if (!visibilityMethod.call(el, {visibilityProperty: true})) return isBoxlessButShown(el);
  if (attr(el, 'hidden') === 'until-found') return false;
  const box = rectOf(el);
  if (box.width > 0 && box.height > 0) return true;
  return hasSizedChild(el, box);
}
function isBoxlessButShown(el) {
  const style = getComputedStyle(el);
  if (style.display !== 'contents' || style.visibility !== 'visible') return false;
  const parent = parentElementOf(el);
  return parent !== null && !isHiddenByStyle(el) && hasSizedChild(el, null);
}
// hasSizedChild: an element without area shows what flows out of it, unless it clips.
const CHILDREN_TO_TRY = 16;
function hasSizedChild(el, box) {
  if (box) {
    const style = getComputedStyle(el);
    if (style.display !== 'inline' && (style.overflowX !== 'visible' || style.overflowY !== 'visible')) return false;
  }
  let left = CHILDREN_TO_TRY;
  for (const child of flatChildren(el)) {
    if (--left < 0) return true;
    if (nodeTypeOf(child) === TEXT) {
      if (!/[^\s]/.test(dataOf(child))) continue;
      const range = document.createRange();
      range.selectNode(child);
      const r = range.getBoundingClientRect();
      if (r.width > 0 && r.height > 0) return true;
    } else if (nodeTypeOf(child) === ELEMENT && isRendered(child)) {
      return true;
    }
  }
  return false;
}
function areaRendered(el) {
  const map = closestMethod.call(el, 'map');
  const name = map && attr(map, 'name');
  if (!name) return false;
  for (const img of query(rootOf(el), 'img[usemap]')) {
    if (attr(img, 'usemap') === '#' + name) return isRendered(img);
  }
  return false;
}

// isSeen: rendered, and a person can get to see it.
function isSeen(el, pass) {
  pass = pass || newPass();
  if (!isRendered(el)) return false;
  const look = lookOf(el, pass);
  if (!look.boxed || !look.visible || !look.seen || look.opacity <= TRANSPARENT || isInert(el)) return false;
  if (tagOf(el) === 'area' || look.display === 'contents') return true;
  const box = rectOf(el);
  const flows = box.width === 0 || box.height === 0; // shows by what flows out of it
  if (!flows && (box.height <= HAIRLINE_PX || box.width <= HAIRLINE_PX)) return false;
  return placeSeen(box, look.clips ? parentClip(el, pass, look) : look.clip, look.fixed);
}
function parentClip(el, pass, look) {
  if (look.position === 'fixed') return null;
  const parent = parentElementOf(el);
  if (!parent) return null;
  const above = lookOf(parent, pass);
  return look.position === 'absolute' ? above.absClip : above.clip;
}

// isInert: by the attribute, or because a modal dialog is open elsewhere.
function isInert(el) {
  for (let p = el; p; p = parentElementOf(p)) {
    if (p.inert === true && isHTML(p)) return true;
  }
  const modal = once('modal', () => ({dialog: topModal()})).dialog;
  return modal !== null && !flatContains(modal, el);
}
function topModal() {
  const open = query(document, 'dialog:modal');
  return open.length ? open[open.length - 1] : null;
}
function flatContains(outer, el) {
  for (let p = el; p; p = parentElementOf(p)) if (p === outer) return true;
  return false;
}

// shadowHosts: the elements under root that have an open shadow root, in document order, nested ones after their host.
function shadowHosts(root) {
  const known = once('hosts', () => new Map());
  let hosts = known.get(root);
  if (hosts) return hosts;
  const roots = knownRoots();
  if (roots) {
    hosts = roots.map(r => r.host).filter(host => host && shadowRootOf(host) && host !== root && within(host, root)).sort(compareNodes);
    known.set(root, hosts);
    return hosts;
  }
  hosts = [];
  const visit = scope => {
    for (const el of query(scope, '*')) {
      const shadow = shadowRootOf(el);
      if (shadow) { hosts.push(el); visit(shadow); }
    }
  };
  visit(root);
  known.set(root, hosts);
  return hosts;
}

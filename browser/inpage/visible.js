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

// A Look is what an element's style says about itself and its text. clip and absClip: the edges outside of which
// nothing in it shows (absClip for its absolutely positioned descendants); all: whether boxes in the flow may lie
// outside too; backdrop: the plain colour under its text, or null; kids: Looks of children by signature, where equal
// siblings may share one.
const ROOT_LOOK = {
  display: 'block', boxed: true, visible: true, seen: true, inkSeen: true, hiddenBox: false, skipped: false,
  closed: false, clips: false, squeezed: false, clip: null, absClip: null, all: false, position: 'static',
  opacity: 1, font: 16, zoom: 1, indent: 0, backdrop: null, painted: false, textFilled: false, fillSeen: true,
  kids: null, plain: false, white: {mode: 'collapse', transform: 'none'}, tag: '', lines: false,
};
function rootLook() { return {...ROOT_LOOK, clip: page(), absClip: page()}; }

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
  let look = parent || rootLook();
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
function signatureOf(el) {
  const tag = tagOf(el);
  if (!hasAttributesMethod.call(el)) return tag;
  for (const name of attributeNames.call(el)) if (!NEUTRAL_ATTRIBUTES.has(name)) return '';
  return tag + '.' + (attr(el, 'class') || '');
}

function readLook(el, parent, pass) {
  const style = getComputedStyle(el);
  const display = style.display;
  const look = {...parent, display, tag: tagOf(el), kids: null, plain: false, closed: false, clips: false};
  if (display === 'none' || parent.skipped || (parent.closed && !isDetailsSummary(el))) {
    look.boxed = look.visible = look.seen = false;
    look.skipped = true;
    return look;
  }
  const facts = pass.shared ? factsFor(el) : EVERYTHING;
  const uses = stylesItself(el, look.tag, parent) ? EVERYTHING : facts;
  look.boxed = display !== 'contents' || parent.boxed;
  look.lines = facts.lines;
  if (uses.white || WHITE_TAGS.test(look.tag)) look.white = whiteSpaceOf(style);
  if (uses.see) look.visible = style.visibility === 'visible';
  if (uses.skip && style.contentVisibility === 'hidden') look.skipped = true;
  if (look.tag === 'details' && !hasAttr(el, 'open')) look.closed = true;
  if (display !== 'contents') placeLook(el, look, parent, style, uses);
  inkLook(el, look, parent, style, uses, pass);
  const shareable = !facts.structural && !look.all && !look.closed && look.tag !== 'slot' && shadowRootOf(el) === null;
  if (shareable) look.kids = new Map();
  look.plain = !look.clips && look.position === 'static';
  return look;
}

// WHITE_TAGS treat white space or capitals in their own way.
const WHITE_TAGS = /^(?:pre|listing|xmp|plaintext|table|:mi|rt)$/;

// stylesItself: elements that come with more style than the page's sheets give them.
const STYLED_ATTRIBUTES = ['style', 'popover', 'hidden', 'inert', 'bgcolor', 'color', 'background', 'text', 'dir'];
const STYLED_TAGS = /^(?:dialog|marquee|body|html|fieldset|svg:svg|:math|object|button)$/;
function stylesItself(el, tag, parent) {
  if (STYLED_TAGS.test(tag) || parent.tag === 'slot') return true;
  return hasAttributesMethod.call(el) && STYLED_ATTRIBUTES.some(name => hasAttr(el, name));
}

// placeLook: clipping and position. Boxes in the flow are measured only where something before them was moved or clips.
function placeLook(el, look, parent, style, uses) {
  look.position = uses.position ? style.position : 'static';
  if (look.position === 'fixed') { look.clip = look.absClip = viewport(); look.all = false; }
  if (look.position === 'absolute') look.clip = parent.absClip;
  if (uses === EVERYTHING && el.inert === true && isHTML(el)) look.seen = false;
  const turned = uses.move && (style.transform !== 'none' || style.scale !== 'none');
  if (turned) look.squeezed = true;
  const moved = turned || look.position !== 'static' || (uses.move && (parseFloat(style.marginLeft) < 0 ||
    parseFloat(style.marginTop) < 0 || style.translate !== 'none'));
  look.hiddenBox = (moved || look.all) && !boxSeen(el, look.clip, look.squeezed);
  if (look.hiddenBox || turned) look.all = true;
  const clipPath = uses.clip && (style.clipPath !== 'none' || style.clip !== 'auto');
  if (clipPath || (uses.overflow && style.overflow !== 'visible')) clipLook(el, look, style, clipPath);
  if (turned || look.position !== 'static') look.absClip = look.clip;
}

// boxSeen: whether some of the element's box lies where scrolling and clipping let it show. A box without area shows
// what flows out of it, unless it was made so small (thin).
function boxSeen(el, clip, thin) {
  const box = rectOf(el);
  if (thin && (box.width <= HAIRLINE_PX || box.height <= HAIRLINE_PX)) return false;
  if (box.width === 0 && box.height === 0) return true;
  return placeSeen(box, clip);
}
function placeSeen(box, clip) {
  return box.right > clip.left && box.left < clip.right && box.bottom > clip.top && box.top < clip.bottom;
}

// page is what scrolling the window can show: nothing before its start. viewport is what it shows of fixed boxes.
function page() {
  return once('page', () => {
    const rtl = getComputedStyle(document.documentElement).direction === 'rtl';
    const [left, right] = rtl ? [-Infinity, innerWidth - scrollX] : [-scrollX, Infinity];
    return {left, right, top: -scrollY, bottom: Infinity};
  });
}
function viewport() { return {left: 0, top: 0, right: innerWidth, bottom: innerHeight}; }

function clipLook(el, look, style, clipPath) {
  if (el === document.documentElement || el === document.body) return; // what they clip, the window scrolls
  if (tagOf(el) === 'marquee') return; // its text comes by
  look.clips = true;
  const box = rectOf(el);
  const edge = {left: box.left, top: box.top, right: box.right, bottom: box.bottom};
  if (clipPath) shrinkToClipPath(edge, style);
  if (edge.right - edge.left <= HAIRLINE_PX || edge.bottom - edge.top <= HAIRLINE_PX) look.seen = false;
  if (!placeSeen(box, look.clip) && box.width && box.height) look.seen = false;
  const outer = look.clip;
  look.clip = intersect(outer, edge);
  if (style.overflowX === 'visible' && !clipPath) { look.clip.left = outer.left; look.clip.right = outer.right; }
  if (style.overflowY === 'visible' && !clipPath) { look.clip.top = outer.top; look.clip.bottom = outer.bottom; }
  reachByScrolling(el, look.clip, style, box);
  look.all = look.all || clipPath || el.scrollWidth > el.clientWidth + 1 || el.scrollHeight > el.clientHeight + 1;
}

// reachByScrolling: along an axis that a person can scroll, all of the content can be brought into the box.
const SCROLLS = /^(?:auto|scroll)$/;
function reachByScrolling(el, clip, style, box) {
  if (SCROLLS.test(style.overflowX)) {
    if (style.direction === 'rtl') {
      clip.right = box.right - el.scrollLeft;
      clip.left = clip.right - el.scrollWidth;
    } else {
      clip.left = box.left - el.scrollLeft;
      clip.right = clip.left + el.scrollWidth;
    }
  }
  if (SCROLLS.test(style.overflowY)) {
    clip.top = box.top - el.scrollTop;
    clip.bottom = clip.top + el.scrollHeight;
  }
}

function intersect(a, b) {
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

// OWN_COLOUR: what has a colour of its own from the browser (a table in quirks mode takes the body's).
const OWN_COLOUR = /^(?:a|mark|table|button|legend)$/;
// inkLook: transparency, size of letters and colours.
function inkLook(el, look, parent, style, uses, pass) {
  if (uses.fade) look.opacity = parent.opacity * parseFloat(style.opacity);
  if (uses.move && style.zoom) look.zoom = parent.zoom * (parseFloat(style.zoom) || 1);
  if (uses.font || uses === EVERYTHING) look.font = parseFloat(style.fontSize);
  if (uses.indent) look.indent = parseFloat(style.textIndent);
  // A link brings a colour of its own; text that its parent hides may be seen again.
  if (uses.paint) backdropLook(look, parent, style, uses);
  const own = parent.painted && OWN_COLOUR.test(look.tag);
  if (own || uses.colour || !parent.fillSeen || look.backdrop !== parent.backdrop) {
    look.fillSeen = fillSeen(el, look, style, pass);
  }
  look.inkSeen = look.opacity > TRANSPARENT && look.font * look.zoom > HAIRLINE_PX && look.fillSeen;
}

function backdropLook(look, parent, style, uses) {
  const colour = style.backgroundColor;
  if (uses.image && style.backgroundImage !== 'none') {
    look.backdrop = null;
    look.painted = true;
    if (/text/.test(style.backgroundClip)) look.textFilled = true;
  } else if (colour !== 'rgba(0, 0, 0, 0)') {
    look.backdrop = opaque(colour);
    look.painted = true;
  } else if (!parent.painted) {
    look.backdrop = canvasColour();
  }
}

function fillSeen(el, look, style, pass) {
  const fill = colourOf(style.webkitTextFillColor);
  if (!fill || look.textFilled) return true;
  const clear = fill[3] <= TRANSPARENT;
  if (!clear && (!look.backdrop || fill[3] < 1 || !near(fill, look.backdrop))) return true;
  if (style.textShadow !== 'none' || parseFloat(style.webkitTextStrokeWidth) > 0) return true;
  return !clear && overPicture(el, pass);
}
function near(a, b) {
  return [0, 1, 2].every(i => Math.abs(a[i] - b[i]) <= SAME_COLOUR);
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
    const under = r.width > 8 && r.left <= x && r.right >= x && r.top <= y && r.bottom >= y;
    if (under && !containsMethod.call(el, media)) return true;
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
function isRendered(el) { return hasBox(el, {left: NODES_TO_TRY}); }

// NODES_TO_TRY: how many nodes are looked at for one that gives a box without area something to show.
const NODES_TO_TRY = 64;
function hasBox(el, budget) {
  if (!isConnectedOf(el)) return false;
  if (tagOf(el) === 'area') return areaRendered(el);
  if (!visibilityMethod.call(el, {visibilityProperty: true})) return !isHiddenByStyle(el) && hasSizedChild(el, budget);
  if (attr(el, 'hidden') === 'until-found') return false;
  const box = rectOf(el);
  if (box.width > 0 && box.height > 0) return true;
  const style = getComputedStyle(el);
  if (style.display !== 'inline' && style.overflow !== 'visible') return false;
  return hasSizedChild(el, budget);
}
// hasSizedChild: an element without area shows what flows out of it, unless it clips.
function hasSizedChild(el, budget) {
  for (const child of flatChildren(el)) {
    if (--budget.left < 0) return false;
    const type = nodeTypeOf(child);
    if (type === ELEMENT ? hasBox(child, budget) : type === TEXT && hasSizedText(child)) return true;
  }
  return false;
}
function hasSizedText(node) {
  if (!/[^\s]/.test(dataOf(node))) return false;
  const box = textBox(node);
  return box.width > 0 && box.height > 0;
}
function textBox(node) {
  const range = document.createRange();
  range.selectNodeContents(node);
  return range.getBoundingClientRect();
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
  if (flows) return true;
  if (box.height <= HAIRLINE_PX || box.width <= HAIRLINE_PX) return false;
  return placeSeen(box, look.clips ? outerClip(el, pass, look) : look.clip);
}
// outerClip: what clips the element itself, which is not what it clips.
function outerClip(el, pass, look) {
  if (look.position === 'fixed') return viewport();
  const parent = parentElementOf(el);
  const above = parent ? lookOf(parent, pass) : rootLook();
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
// The kinds named here, the commonest of large pages, can have none and are passed over natively, in this order.
const MAYBE_HOST = ':not(td,tr,a,li,option,svg,path,br,img,input,button,i,b,strong,em,ul,th,label,g,use,code,script,' +
  'style)';
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
    for (const el of query(scope, MAYBE_HOST)) {
      const shadow = shadowRootOf(el);
      if (shadow) { hosts.push(el); visit(shadow); }
    }
  };
  visit(root);
  known.set(root, hosts);
  return hosts;
}

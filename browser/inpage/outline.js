// The outline of a page: headings, landmarks, dialogs and tables in document order, and the region that a control is
// in.

// OUTLINE_SELECTOR passes over the commonest elements first: on a large table it is five times as fast so.
const OUTLINE_SELECTOR = ':not(td,tr,a,li,div,span,p,option,svg,path,br,img,input,button,i,b,strong,em,' +
  'ul,th,label,g,use,code)' +
  ':is(h1,h2,h3,h4,h5,h6,main,nav,aside,header,footer,search,section,form,dialog,table),[role]';
const OUTLINE_ROLES = new Set(('heading banner main navigation complementary contentinfo search region form dialog ' +
  'alertdialog table grid treegrid').split(' '));
const NAMELESS_OUT = new Set(['form', 'table', 'grid', 'treegrid']);
const REGION_ROLES = new Set(('banner main navigation complementary contentinfo search region form dialog ' +
  'alertdialog ' +
  'article group').split(' '));
const NAME_MAX_BYTES = 256;

// outlineOf returns {nodes: [{role, level?, name}], els, cut}: at most max nodes with at most labelBudget bytes of names in
// all, and their elements.
function outlineOf(root, max, labelBudget) {
  const nodes = [];
  const els = [];
  let left = labelBudget;
  let cut = false;
  for (const el of outlineElements(root)) {
    const role = roleOf(el);
    if (!OUTLINE_ROLES.has(role) || !isRendered(el) || isInert(el)) continue;
    if (closestMethod.call(el, '[aria-hidden="true" i]')) continue;
    if (nodes.length >= max) { cut = true; break; }
    const {name, cut: short} = nameOf(el, Math.max(0, Math.min(NAME_MAX_BYTES, left)));
    if (name === '' && (NAMELESS_OUT.has(role) || role === 'heading')) { cut ||= short; continue; }
    left -= byteLength(name);
    cut ||= short;
    const node = {role, name};
    if (role === 'heading') node.level = headingLevel(el);
    if (name === '') delete node.name;
    nodes.push(node);
    els.push(el);
  }
  return {nodes, els, cut};
}

// outlineElements: all that may be in the outline, those in open shadow roots at the place of their hosts.
const FOLLOWING = Node.DOCUMENT_POSITION_FOLLOWING;
const comparePosition = Node.prototype.compareDocumentPosition;
function outlineElements(root) {
  const hosts = shadowHosts(root);
  if (!hosts.length) return query(root, OUTLINE_SELECTOR);
  const byScope = new Map();
  for (const host of hosts) {
    const scope = rootOf(host);
    if (byScope.has(scope)) byScope.get(scope).push(host); else byScope.set(scope, [host]);
  }
  const found = [];
  const visit = (scope, within) => {
    const here = byScope.get(rootOf(scope)) || [];
    const waiting = within ? here.filter(host => containsMethod.call(within, host)) : here;
    let next = 0;
    const enter = () => visit(shadowRootOf(waiting[next++]), null);
    for (const el of query(scope, OUTLINE_SELECTOR)) {
      while (next < waiting.length && comparePosition.call(waiting[next], el) & FOLLOWING) enter();
      found.push(el);
    }
    while (next < waiting.length) enter();
  };
  visit(root, nodeTypeOf(root) === ELEMENT ? root : null);
  return found;
}

function headingLevel(el) {
  const level = parseInt(attr(el, 'aria-level'), 10);
  if (level >= 1 && level <= 9) return level;
  const m = /^h([1-6])$/.exec(tagOf(el));
  return m ? +m[1] : 2;
}

// regionOf: a short name of the nearest landmark, dialog or named group around el: "main", "form Sign in". "" outside
// all.
const REGION_MAX_BYTES = 64;
function regionOf(el) {
  const known = once('regions', () => new Map());
  const trail = [];
  let region = '';
  for (let p = parentElementOf(el); p; p = parentElementOf(p)) {
    const cached = known.get(p);
    if (cached !== undefined) { region = cached; break; }
    trail.push(p);
    const name = regionName(p);
    if (name) { region = name; break; }
  }
  for (const p of trail) known.set(p, region);
  return region;
}
const REGION_TAGS = /^(?:main|nav|aside|header|footer|search|section|form|dialog|article|fieldset)$/;
function regionName(el) {
  if (!hasAttr(el, 'role') && !REGION_TAGS.test(tagOf(el))) return '';
  const role = roleOf(el);
  if (!REGION_ROLES.has(role)) return '';
  const {name} = nameOf(el, REGION_MAX_BYTES);
  if (name === '' && (role === 'group' || role === 'article')) return '';
  return name ? role + ' ' + name : role;
}

// The outline of a page: headings, landmarks, dialogs and tables in document order, and the region that a control is in.

const OUTLINE_SELECTOR = 'h1,h2,h3,h4,h5,h6,main,nav,aside,header,footer,search,section,form,dialog,table,' +
  '[role="heading" i],[role="banner" i],[role="main" i],[role="navigation" i],[role="complementary" i],' +
  '[role="contentinfo" i],[role="search" i],[role="region" i],[role="form" i],[role="dialog" i],[role="alertdialog" i],' +
  '[role="table" i],[role="grid" i],[role="treegrid" i]';
const OUTLINE_ROLES = new Set(('heading banner main navigation complementary contentinfo search region form dialog ' +
  'alertdialog table grid treegrid').split(' '));
const NAMELESS_OUT = new Set(['form', 'table', 'grid', 'treegrid']);
const REGION_ROLES = new Set(('banner main navigation complementary contentinfo search region form dialog alertdialog ' +
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

function outlineElements(root) {
  const hosts = shadowHosts(root);
  if (!hosts.length) return query(root, OUTLINE_SELECTOR);
  const found = [];
  const visit = scope => {
    for (const el of query(scope, '*')) {
      if (matches(el, OUTLINE_SELECTOR)) found.push(el);
      const shadow = shadowRootOf(el);
      if (shadow) visit(shadow);
    }
  };
  visit(root);
  return found;
}

function headingLevel(el) {
  const level = parseInt(attr(el, 'aria-level'), 10);
  if (level >= 1 && level <= 9) return level;
  const m = /^h([1-6])$/.exec(tagOf(el));
  return m ? +m[1] : 2;
}

// regionOf: a short name of the nearest landmark, dialog or named group around el: "main", "form Sign in". "" outside all.
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

// Roles, as Chrome's accessibility tree gives them (browser.md §2). Names that Chrome has for itself alone are written
// as a person would: see OWN_WORDS.
//
// Words for what ARIA has no role for: date, datetime, timefield and color for the pickers, iframe, canvas, audio,
// video, label, legend. A summary is a button, as assistive technology is told. A layout table and its parts are
// generic.

const ARIA_ROLES = new Set(('alert alertdialog application article banner blockquote button caption cell checkbox ' +
  'code ' +
  'columnheader combobox comment complementary contentinfo definition deletion dialog document emphasis feed figure ' +
  'form generic grid gridcell group heading image insertion link list listbox listitem log main mark marquee math ' +
  'menu ' +
  'menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph progressbar radio ' +
  'radiogroup region row rowgroup rowheader scrollbar search searchbox sectionfooter sectionheader separator slider ' +
  'spinbutton status strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time ' +
  'timer ' +
  'toolbar tooltip tree treegrid treeitem graphics-document graphics-object graphics-symbol doc-abstract ' +
  'doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography doc-biblioref ' +
  'doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote doc-endnotes ' +
  'doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref doc-index ' +
  'doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part ' +
  'doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc').split(' '));
const ROLE_SYNONYMS = {img: 'image', presentation: 'none', directory: 'list', text: 'generic'};

const INPUT_ROLES = {
  button: 'button', submit: 'button', reset: 'button', image: 'button', file: 'button', checkbox: 'checkbox',
  radio: 'radio', number: 'spinbutton', range: 'slider', search: 'searchbox', color: 'color', date: 'date',
  'datetime-local': 'datetime', month: 'datetime', week: 'datetime', time: 'timefield',
};
const LISTABLE_INPUTS = /^(?:text|search|url|tel|email|number|range|date|month|week|time|datetime-local)$/;

const TAG_ROLES = {
  textarea: 'textbox', h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading',
  ul: 'list', ol: 'list', menu: 'list', dir: 'list', meter: 'meter', progress: 'progressbar', output: 'status',
  p: 'paragraph', label: 'label', legend: 'legend', dd: 'definition', dt: 'term', dfn: 'term', math: 'math',
  abbr: 'abbr', article: 'article', code: 'code', em: 'emphasis', strong: 'strong', search: 'search', del: 'deletion',
  s: 'deletion', ins: 'insertion', sub: 'subscript', sup: 'superscript', main: 'main', mark: 'mark', nav: 'navigation',
  address: 'group', hgroup: 'group', fieldset: 'group', optgroup: 'group', details: 'group', dialog: 'dialog',
  blockquote: 'blockquote', caption: 'caption', figcaption: 'figcaption', figure: 'figure', time: 'time',
  hr: 'separator', iframe: 'iframe', frame: 'iframe', canvas: 'canvas', audio: 'audio', video: 'video', img: 'image',
  button: 'button', form: 'form', dl: 'list', ruby: 'ruby', object: 'object', embed: 'embed',
};

// roleOf: the role of a rendered element.
function roleOf(el) {
  const tag = tagOf(el);
  const explicit = attr(el, 'role');
  if (explicit !== null && explicit !== '') {
    const role = explicitRole(el, tag, explicit);
    if (role) return role === 'cell' && inGrid(el) ? 'gridcell' : role;
  }
  return nativeRole(el, tag);
}

// explicitRole: the first valid word of the role attribute, or '' where the native role counts.
function explicitRole(el, tag, value) {
  const words = value.toLowerCase().split(/[\t\n\f\r ]+/);
  for (const word of words) {
    const role = ROLE_SYNONYMS[word] || (ARIA_ROLES.has(word) ? word : '');
    if (!role) continue;
    // An author who calls something a form or a region without naming it has not made a landmark: the next word counts.
    if ((role === 'form' || role === 'region') && !isAuthorNamed(el) && !hasAttr(el, 'aria-roledescription')) continue;
    // A focusable element, or one with global ARIA properties, cannot be made to vanish.
    if (role === 'none' && tag !== 'iframe' && (isFocusable(el) || hasGlobalAria(el))) return '';
    if (role === 'combobox' && tag === 'select' && isMenuSelect(el)) return '';
    const owner = OWNED_BY[role];
    if (owner && !isOwnedBy(el, owner)) continue;
    return role;
  }
  return '';
}

// OWNED_BY: roles that count only inside of another, with nothing between but groups and boxes that say nothing.
const OWNED_BY = {option: 'listbox', treeitem: 'tree', listitem: 'list'};
function isOwnedBy(el, owner) {
  for (let p = parentElementOf(el); p; p = parentElementOf(p)) {
    const role = roleOf(p);
    if (role === owner) return true;
    const through = role === 'generic' || role === 'none' || role === 'group' || role === owner + 'item';
    if (!through || isTag(p, 'section')) break;
  }
  const id = attr(el, 'id');
  if (!id) return false;
  for (const other of query(rootOf(el), `[aria-owns~="${CSS.escape(id)}"]`)) if (roleOf(other) === owner) return true;
  return false;
}

function nativeRole(el, tag) {
  if (!isHTML(el)) return foreignRole(el, tag);
  switch (tag) {
    case 'a': return hasAttr(el, 'href') || hasAttr(el, 'onclick') ? 'link' : editableRole(el);
    case 'area': return hasAttr(el, 'href') ? 'link' : 'generic';
    case 'input': return inputRole(el);
    case 'select': return isMenuSelect(el) ? 'combobox' : 'listbox';
    case 'option': return 'option';
    case 'summary': return isTag(parentNodeOf(el), 'details') ? 'button' : 'generic';
    case 'img': return isDecoration(el) ? 'none' : 'image';
    case 'li': return listItemRole(el);
    case 'table': return isDataTable(el) ? 'table' : 'generic';
    case 'thead': case 'tbody': case 'tfoot': return tableOf(el) ? 'rowgroup' : 'generic';
    case 'tr': return tableOf(el) ? 'row' : 'generic';
    case 'td': case 'th': return cellRole(el, tag);
    case 'section': return isAuthorNamed(el) ? 'region' : 'generic';
    case 'header': return inSectioning(el) ? 'sectionheader' : 'banner';
    case 'footer': return inSectioning(el) ? 'sectionfooter' : 'contentinfo';
    case 'aside': return inSectioning(el, true) && !isAuthorNamed(el) ? 'generic' : 'complementary';
  }
  return TAG_ROLES[tag] || editableRole(el);
}

function isDecoration(img) {
  return attr(img, 'alt') === '' && !hasAttr(img, 'title') && !hasAria(img) && !isFocusable(img);
}

// editableRole: Chrome calls the root of rich text generic; an agent types into it, so here it is a textbox.
function editableRole(el) { return isEditingHost(el) ? 'textbox' : 'generic'; }

function isEditingHost(el) {
  const value = attr(el, 'contenteditable');
  if (value === null || !/^(?:|true|plaintext-only)$/i.test(value)) return false;
  const parent = parentNodeOf(el);
  return !(parent && nodeTypeOf(parent) === ELEMENT && isEditable(parent));
}

const SVG_SHAPES = /^svg:(?:circle|ellipse|line|path|polygon|polyline|rect)$/;
function foreignRole(el, tag) {
  if (namespaceOf(el) !== SVG_NS) return tag === ':math' ? 'math' : 'generic';
  switch (tag) {
    case 'svg:svg': return isOuterSvg(el) ? (hasNamedParts(el) ? 'graphics-document' : 'image') : 'group';
    case 'svg:a': return hasAttr(el, 'href') || hasAttr(el, 'xlink:href') ? 'link' : 'group';
    case 'svg:g': case 'svg:foreignObject': return 'group';
    case 'svg:image': return 'image';
    case 'svg:use': return 'graphics-object';
  }
  return SVG_SHAPES.test(tag) ? 'graphics-symbol' : 'generic';
}
const SVG_NAMED_PARTS = 'text,a,foreignObject,image,[role],[aria-label],[aria-labelledby],[tabindex],:scope * > title';
// hasNamedParts: whether a drawing holds more than shapes that say nothing.
function hasNamedParts(el) {
  return query(el, SVG_NAMED_PARTS).length > 0;
}
function isOuterSvg(el) {
  const parent = parentElementOf(el);
  return !parent || namespaceOf(parent) !== SVG_NS || tagOf(parent) === 'svg:foreignObject';
}

function inputType(el) { return tagOf(el) === 'input' && isHTML(el) ? el.type : ''; }

function inputRole(el) {
  const type = el.type;
  if (LISTABLE_INPUTS.test(type) && hasAttr(el, 'list') && el.list) return 'combobox';
  return INPUT_ROLES[type] || 'textbox';
}
function isMenuSelect(el) { return el.multiple ? el.size === 1 : el.size <= 1; }

function isDetailsSummary(el) {
  const parent = parentNodeOf(el);
  if (!parent || nodeTypeOf(parent) !== ELEMENT || tagOf(parent) !== 'details') return false;
  for (let c = firstChildOf(parent); c; c = nextSiblingOf(c)) {
    if (nodeTypeOf(c) === ELEMENT && tagOf(c) === 'summary') return c === el;
  }
  return false;
}

// listItemRole: an item of a list that was made something else is no list item.
function listItemRole(el) {
  const parent = parentElementOf(el);
  if (!parent || !/^(?:ul|ol|menu|dir)$/.test(tagOf(parent)) || !hasAttr(parent, 'role')) return 'listitem';
  return roleOf(parent) === 'list' ? 'listitem' : 'none';
}

// Sectioning content around a header, a footer or an aside takes the landmark from it.
const SECTIONING = /^(?:article|aside|main|nav|section)$/;
const SECTIONING_ROLES = /^(?:article|complementary|main|navigation|region)$/;
function inSectioning(el, aside) {
  for (let p = parentElementOf(el); p; p = parentElementOf(p)) {
    const explicit = attr(p, 'role');
    if (explicit) {
      const role = explicitRole(p, tagOf(p), explicit);
      if (SECTIONING_ROLES.test(role) && !(aside && role === 'main')) return true;
      if (role) continue;
    }
    if (isHTML(p) && SECTIONING.test(tagOf(p)) && !(aside && tagOf(p) === 'main')) return true;
  }
  return false;
}

function isAuthorNamed(el) {
  return hasAriaName(el) || hasAttr(el, 'title');
}
function hasAriaName(el) {
  const label = attr(el, 'aria-label');
  if (label !== null && /[^\s]/.test(label)) return true;
  return hasAttr(el, 'aria-labelledby') && labelledBy(el).length > 0;
}
const labelledByGetter = getterOf(Element.prototype, 'ariaLabelledByElements');
function labelledBy(el) { return labelledByGetter(el) || []; }

const GLOBAL_ARIA = ('aria-atomic aria-busy aria-controls aria-current aria-describedby aria-description ' +
  'aria-details ' +
  'aria-dropeffect aria-flowto aria-grabbed aria-keyshortcuts aria-label aria-labelledby aria-live aria-owns ' +
  'aria-relevant aria-roledescription').split(' ');
function hasGlobalAria(el) {
  return GLOBAL_ARIA.some(name => hasAttr(el, name));
}

// isFocusable: can take focus by its kind, whatever hides it; tabindex of any number counts.
const FOCUSABLE_TAGS = /^(?:button|input|select|textarea|iframe|embed|object)$/;
function isFocusable(el) {
  const tabindex = attr(el, 'tabindex');
  if (tabindex !== null && /^\s*[-+]?\d/.test(tabindex)) return !matches(el, ':disabled');
  const tag = tagOf(el);
  if (!isHTML(el)) return tag === 'svg:a' && hasAttr(el, 'href');
  if (FOCUSABLE_TAGS.test(tag)) return !matches(el, ':disabled') && !(tag === 'input' && el.type === 'hidden');
  if (tag === 'a' || tag === 'area') return hasAttr(el, 'href') || isEditingHost(el);
  if (tag === 'summary') return isDetailsSummary(el);
  if (tag === 'dialog') return hasAttr(el, 'open');
  if (tag === 'audio' || tag === 'video') return hasAttr(el, 'controls');
  return isEditingHost(el);
}

// Tables. Chrome asks whether a table holds data or only layout; parts of a layout table say nothing.
function tableOf(el) {
  for (let p = parentElementOf(el); p; p = parentElementOf(p)) {
    const tag = tagOf(p);
    if (tag === 'tr' || tag === 'tbody' || tag === 'thead' || tag === 'tfoot') {
      const role = attr(p, 'role');
      if (role && !/^\s*(?:row|rowgroup|none|presentation|generic)\b/i.test(role)) return null;
      continue;
    }
    if (tag === 'table') {
      const role = roleOf(p);
      return role === 'table' || role === 'grid' || role === 'treegrid' ? p : null;
    }
    const role = attr(p, 'role');
    if (role && /^\s*(?:table|grid|treegrid)\b/i.test(role)) return p;
    if (role && /^\s*(?:none|presentation|generic|rowgroup|row)\b/i.test(role)) continue;
    if (tag !== 'slot' && (role || tag !== 'div')) return null;
  }
  return null;
}
function inGrid(el) {
  const table = tableOf(el);
  return table !== null && tagOf(table) !== '' && /^(?:grid|treegrid)$/.test(roleOf(table));
}

function cellRole(el, tag) {
  const table = tableOf(el);
  if (!table) return 'generic';
  const row = parentElementOf(el);
  if (row && attr(row, 'role') && roleOf(row) !== 'row') return 'generic';
  if (tag === 'td') return /^(?:grid|treegrid)$/.test(roleOf(table)) ? 'gridcell' : 'cell';
  const scope = (attr(el, 'scope') || '').toLowerCase();
  if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
  if (scope === 'col' || scope === 'colgroup') return 'columnheader';
  return headerRole(el);
}

// headerRole guesses as Chrome does: a header alone in its row, or between headers, heads a column; beside data, a row.
function headerRole(el) {
  const next = el.nextSibling, prev = el.previousSibling;
  if (!next && !prev) return 'columnheader';
  if (isTag(next, 'th') && isTag(prev, 'th')) return 'columnheader';
  if (isFilledCell(next) || isFilledCell(prev)) return 'rowheader';
  const row = parentNodeOf(el);
  if (!row || tagOf(row) !== 'tr') return 'columnheader';
  const first = row.firstElementChild, last = row.lastElementChild;
  if ([first, last, first.nextElementSibling, last.previousElementSibling].some(isFilledCell)) return 'rowheader';
  return 'columnheader';
}
function isTag(node, tag) { return !!node && nodeTypeOf(node) === ELEMENT && tagOf(node) === tag; }
function isFilledCell(node) { return isTag(node, 'td') && firstChildOf(node) !== null; }

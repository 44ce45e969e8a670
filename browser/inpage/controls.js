// Which elements a person could operate.

// CONTROL_SELECTOR matches every element that can be a control by its markup; isControl decides.
const CONTROL_SELECTOR = 'a[href],area[href],button,input:not([type="hidden" i]),select,textarea,summary,' +
  '[contenteditable],[tabindex],[role],[onclick],[onmousedown],[onpointerdown],audio[controls],video[controls],' +
  'a[onclick]';

const INTERACTIVE_ROLES = new Set(('button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio ' +
  'option ' +
  'radio searchbox slider spinbutton switch tab textbox treeitem').split(' '));
const FOCUSABLE_ROLES = new Set('gridcell columnheader rowheader row separator scrollbar cell'.split(' '));
const HANDLER_HINTS = ['aria-haspopup', 'aria-expanded', 'aria-pressed', 'aria-checked', 'aria-selected'];

// isControl: whether el is one, shown or not.
function isControl(el) {
  const tag = tagOf(el);
  if (isHTML(el)) {
    switch (tag) {
      case 'a': case 'area': if (hasAttr(el, 'href')) return true; break;
      case 'button': case 'select': case 'textarea': return true;
      case 'input': return el.type !== 'hidden';
      case 'summary': if (isDetailsSummary(el)) return true; break;
      case 'audio': case 'video': if (hasAttr(el, 'controls')) return true; break;
      case 'option': case 'optgroup': case 'body': case 'html': return false;
    }
    if (isEditingHost(el)) return true;
  } else if (tag === 'svg:a' && roleOf(el) === 'link') {
    return true;
  }
  if (hasAttr(el, 'role')) {
    const role = roleOf(el);
    if (INTERACTIVE_ROLES.has(role)) return !(role === 'combobox' && wrapsCombobox(el));
    if (FOCUSABLE_ROLES.has(role)) return tabIndexOf(el) >= 0;
  }
  return isClickable(el);
}

// wrapsCombobox: the ARIA 1.0 form, where the role is on a box and the field inside it is what one uses.
function wrapsCombobox(el) {
  return !hasAttr(el, 'tabindex') && query(el, 'input:not([type="hidden" i]),textarea').length > 0;
}

function tabIndexOf(el) {
  const value = attr(el, 'tabindex');
  return value === null ? -1 : parseInt(value, 10) || 0;
}

// isClickable: a control by its handler alone: an inline handler, or a pointer cursor that begins here and belongs to
// no label or control around it. (Handlers that scripts add cannot be seen from here; the cursor is their sign.)
function isClickable(el) {
  const tag = tagOf(el);
  if (tag === 'body' || tag === 'html') return false;
  if (hasAttr(el, 'onclick') || hasAttr(el, 'onmousedown') || hasAttr(el, 'onpointerdown')) return true;
  if (tabIndexOf(el) >= 0 && HANDLER_HINTS.some(name => hasAttr(el, name))) return true;
  return hasOwnPointer(el) && closestMethod.call(el, 'a[href],button,label,summary,select') === null;
}

// hasOwnPointer: the pointer cursor begins at this element.
function hasOwnPointer(el) {
  if (getComputedStyle(el).cursor !== 'pointer') return false;
  const parent = parentElementOf(el);
  return !parent || getComputedStyle(parent).cursor !== 'pointer';
}

// States and values, as Chrome's accessibility tree gives them (browser.md §2). Two are ours: filled, for a text field
// that holds text (the text itself is never told here), and clickable, for a control that is one by its handler only.

const EXPANDABLE = new Set(('application button checkbox columnheader combobox gridcell link listbox menuitem ' +
  'menuitemcheckbox menuitemradio row rowheader switch tab treeitem').split(' '));
const CHECKABLE = new Set('checkbox menuitemcheckbox menuitemradio radio switch'.split(' '));
const MIXABLE = new Set('checkbox menuitemcheckbox option treeitem'.split(' '));
const SELECTABLE = new Set('option tab treeitem gridcell row columnheader rowheader cell'.split(' '));
const READONLY_ROLES = new Set(('checkbox color combobox date datetime gridcell listbox menuitemcheckbox ' +
  'menuitemradio radio ' +
  'radiogroup searchbox slider spinbutton switch textbox timefield grid treegrid columnheader rowheader').split(' '));
const GENERIC_ROLES = new Set('generic none paragraph listitem image label cell group'.split(' '));

// statesOf: the element's states, in this fixed order. A caller that has the role gives it.
function statesOf(el, knownRole) {
  const tag = tagOf(el);
  const role = knownRole || roleOf(el);
  if (tag === 'a' && role === 'link' && !hasAria(el)) return linkStates(el);
  const out = [];
  if (isDisabled(el)) out.push('disabled');
  const checked = checkedState(el, tag, role);
  if (checked) out.push(checked);
  if (isSelected(el, tag, role)) out.push('selected');
  const expanded = expandedState(el, tag, role);
  if (expanded) out.push(expanded);
  const pressed = role === 'button' ? pressedState(el) : '';
  if (pressed) out.push(pressed);
  if (isRequired(el, tag)) out.push('required');
  if (isReadonly(el, tag, role)) out.push('readonly');
  if (isInvalid(el, tag)) out.push('invalid');
  if (hasFocus(el)) out.push('focused');
  if (isCurrent(el)) out.push('current');
  if (isFilled(el, tag, role)) out.push('filled');
  if (GENERIC_ROLES.has(role) && isClickable(el)) out.push('clickable');
  return out;
}

function hasAria(el) {
  return attributeNames.call(el).some(name => name.startsWith('aria-') && name !== 'aria-hidden');
}
// linkStates is the short way for a plain link.
function linkStates(el) {
  const out = isDisabled(el) ? ['disabled'] : [];
  if (hasFocus(el)) out.push('focused');
  return out;
}

// isDisabled: by the element or its fieldset, by aria-disabled, or by an ancestor's aria-disabled when it could have
// focus.
function isDisabled(el) {
  if (isHTML(el) && matches(el, ':disabled:not(fieldset,optgroup)')) return true;
  if (isTrue(attr(el, 'aria-disabled'))) return true;
  for (let p = el; p; p = rootOf(p).host) {
    if (closestMethod.call(p, '[aria-disabled="true" i]') !== null) return isFocusable(el);
  }
  return false;
}
function isTrue(value) { return value !== null && /^true$/i.test(value); }

function checkedState(el, tag, role) {
  if (tag === 'input' && (el.type === 'checkbox' || el.type === 'radio')) {
    if (!CHECKABLE.has(role)) return '';
    if (el.type === 'checkbox' && el.indeterminate) return 'mixed';
    return el.checked ? 'checked' : '';
  }
  if (!CHECKABLE.has(role) && role !== 'option' && role !== 'treeitem') return '';
  const value = attr(el, 'aria-checked');
  if (value === null || value === '' || /^(?:false|undefined)$/i.test(value)) return '';
  if (/^mixed$/i.test(value)) return MIXABLE.has(role) ? 'mixed' : '';
  return 'checked';
}

function pressedState(el) {
  const value = attr(el, 'aria-pressed');
  if (value === null || value === '' || /^undefined$/i.test(value)) return '';
  if (inputType(el) === 'checkbox') return el.checked ? 'pressed' : '';
  if (/^mixed$/i.test(value)) return 'mixed';
  return /^false$/i.test(value) ? '' : 'pressed';
}

function isSelected(el, tag, role) {
  if (!SELECTABLE.has(role)) return false;
  const value = attr(el, 'aria-selected');
  if (value !== null && /^(?:true|false)$/i.test(value)) return isTrue(value);
  if (tag === 'option' && isHTML(el)) return el.selected && !matches(el, ':disabled,:disabled *');
  return (role === 'tab' || role === 'option' || role === 'treeitem') && hasFocus(el) && !inMultiselectable(el);
}
function inMultiselectable(el) {
  const box = closestMethod.call(el, '[role="listbox"],[role="tree"],[role="tablist"],[role="grid"],[role="treegrid"]');
  return box === null || isTrue(attr(box, 'aria-multiselectable'));
}

function expandedState(el, tag, role) {
  if (!EXPANDABLE.has(role)) return '';
  if (tag === 'select' && role === 'combobox') return matches(el, ':open') ? 'expanded' : 'collapsed';
  if (tag === 'button' || tag === 'input') {
    const popover = el.popoverTargetElement;
    if (popover) return matches(popover, ':popover-open') ? 'expanded' : 'collapsed';
  }
  if (tag === 'summary' && isTag(parentNodeOf(el), 'details')) {
    return hasAttr(parentNodeOf(el), 'open') ? 'expanded' : 'collapsed';
  }
  const value = attr(el, 'aria-expanded');
  if (value === null || value === '' || /^undefined$/i.test(value)) return '';
  return /^false$/i.test(value) ? 'collapsed' : 'expanded';
}

function isRequired(el, tag) {
  if ((tag === 'input' || tag === 'select' || tag === 'textarea') && matches(el, ':required')) return true;
  return isTrue(attr(el, 'aria-required'));
}

function isReadonly(el, tag, role) {
  if (tag === 'textarea' && isHTML(el) && el.readOnly) return true;
  if (tag === 'input' && el.readOnly && isTextInput(el.type)) return true;
  if (isEditingHost(el)) return false;
  const value = READONLY_ROLES.has(role) ? attr(el, 'aria-readonly') : null;
  if (value !== null && value !== '') return isTrue(value);
  return false;
}
const READONLY_INPUTS = /^(?:text|search|url|tel|email|password|number|date|datetime-local|month|week|time)$/;
function isTextInput(type) { return READONLY_INPUTS.test(type); }

function isInvalid(el, tag) {
  const value = attr(el, 'aria-invalid');
  if (value !== null && value !== '' && !/^undefined$/i.test(value)) return !/^false$/i.test(value);
  if ((tag !== 'input' && tag !== 'select' && tag !== 'textarea') || !isHTML(el) || !el.willValidate) return false;
  if (!matches(el, ':invalid')) return false;
  // A text field that only waits to be filled is not called invalid.
  return !((tag === 'textarea' || (tag === 'input' && TEXT_INPUTS.test(el.type))) && el.value === '' && el.required);
}

const documentActive = getterOf(Document.prototype, 'activeElement');
const shadowActive = getterOf(ShadowRoot.prototype, 'activeElement');
function hasFocus(el) {
  const root = rootOf(el);
  const active = root === el.ownerDocument || nodeTypeOf(root) === 9 ? documentActive(root)
    : root instanceof ShadowRoot ? shadowActive(root) : null;
  return active === el && tagOf(el) !== 'body';
}

function isCurrent(el) {
  const value = attr(el, 'aria-current');
  return value !== null && value !== '' && !/^(?:false|undefined)$/i.test(value);
}

function isFilled(el, tag, role) {
  if (!isHTML(el)) return false;
  if (tag === 'input') return READONLY_INPUTS.test(el.type) && el.value !== '';
  if (tag === 'textarea') return el.value !== '';
  return isTextField(el, tag, role) && /[^\s]/.test(textContentOf(el));
}

// valueOf: the value that may be told: chosen options, and the number of a slider, spin button, progress bar or meter.
function valueOf(el) {
  const tag = tagOf(el);
  if (tag === 'select' && isHTML(el)) {
    const labels = selectedLabels(el);
    return labels.length ? labels.join(', ') : undefined;
  }
  const role = roleOf(el);
  if (!RANGE_ROLES.test(role)) return undefined;
  if (isSensitive(el)) return undefined;
  const text = attr(el, 'aria-valuetext');
  if (text) return cleanLabel(cutBytes(text, VALUE_MAX_BYTES));
  if (tag === 'input') return el.value === '' ? undefined : el.value;
  if (tag === 'progress') return hasAttr(el, 'value') ? String(el.value) : undefined;
  if (tag === 'meter') return String(el.value);
  const now = attr(el, 'aria-valuenow');
  return now === null || now === '' ? undefined : cleanLabel(cutBytes(now, VALUE_MAX_BYTES));
}
const RANGE_ROLES = /^(?:slider|spinbutton|progressbar|meter|scrollbar)$/;
const VALUE_MAX_BYTES = 256;
const VALUE_MAX_OPTIONS = 16;

function selectedLabels(select) {
  const labels = [];
  for (const option of select.selectedOptions) {
    labels.push(cleanLabel(cutBytes(option.label, VALUE_MAX_BYTES)));
    if (labels.length === VALUE_MAX_OPTIONS) break;
  }
  return labels;
}

// isSensitive: fields whose content must never be shown: passwords, one-time codes, payment cards, and whatever is
// named or masked like one.
const SENSITIVE_AUTOCOMPLETE = /(?:^|\s)(?:current-password|new-password|one-time-code|cc-[a-z-]+)(?:\s|$)/i;
const SENSITIVE_NAME = new RegExp('(?:^|[^a-z])(?:pass(?:word|wd|phrase|code)?|pwd|otp|totp|mfa|2fa|pin|' +
  'cvc|cvv2?|csc|ccv|' +
  'card-?(?:number|num|no)|cc-?(?:num|number|csc|exp|name)|iban|ssn|secret|token|api-?key|security-?code|' +
  'verification-?code|auth-?code|one-?time-?code)(?:[^a-z]|$)', 'i');
function isSensitive(el) {
  if (!isHTML(el)) return false;
  const tag = tagOf(el);
  if (tag !== 'input' && tag !== 'textarea' && tag !== 'select' && !isEditingHost(el)) return false;
  if (tag === 'input' && el.type === 'password') return true;
  if (SENSITIVE_AUTOCOMPLETE.test(attr(el, 'autocomplete') || '')) return true;
  for (const name of ['name', 'id', 'data-testid', 'aria-label', 'placeholder']) {
    const value = attr(el, name);
    if (value && SENSITIVE_NAME.test(asWords(value.slice(0, 128)))) return true;
  }
  return tag !== 'select' && getComputedStyle(el).webkitTextSecurity !== 'none';
}
// asWords sets hyphens between the words of cardNumber, card_number and card.number.
function asWords(s) {
  return s.replace(/([a-z0-9])([A-Z])/g, '$1-$2').replace(/[_.[\]\s:]+/g, '-').toLowerCase();
}

// Form fields: focus and caret, reading back, and the values that no key can type (browser.md §4).

const PICKER_TYPES = new Set(['date', 'time', 'month', 'week', 'datetime-local', 'color', 'range']);
const NO_TEXT_TYPES = new Set(['hidden', 'image', 'submit', 'button', 'reset']);

// What kind of field an element is: text, textarea, contenteditable, select, checkbox, radio, picker (date, time,
// month, week, datetime-local, color, range), file or none.
function fieldKind(el) {
  const tag = isHTML(el) ? tagOf(el) : '';
  if (tag === 'textarea' || tag === 'select') return tag;
  if (tag === 'input') {
    if (el.type === 'checkbox' || el.type === 'radio' || el.type === 'file') return el.type;
    if (PICKER_TYPES.has(el.type)) return 'picker';
    return NO_TEXT_TYPES.has(el.type) ? 'none' : 'text';
  }
  return isEditable(el) ? 'contenteditable' : 'none';
}

function fieldOf(id) {
  const el = elementOf(id);
  if (!el) return failure('stale_reference', 'unknown');
  return isConnectedOf(el) ? {el} : failure('detached');
}

// Fields in which a caret stands.
const CARET_KINDS = new Set(['text', 'textarea', 'contenteditable']);

// focusField {id, caret: "end"|"all"|"keep"|"fresh"} → {ok: true}: focuses without scrolling and sets the caret. Fresh
// means at the end of a field that did not have the focus.
handlers.focusField = (args) => {
  const field = fieldOf(args.id);
  if (field.fail) return field;
  const el = field.el;
  const had = holdsFocus(el);
  if (!had) (isHTML(el) ? HTMLElement : SVGElement).prototype.focus.call(el, {preventScroll: true});
  if (!holdsFocus(el)) return failure('verification_failed', 'not_focused');
  if (args.caret === 'end' || args.caret === 'all') setCaret(el, args.caret);
  if (args.caret === 'fresh' && !had && CARET_KINDS.has(fieldKind(el))) setCaret(el, 'end');
  return {ok: true};
};

// The element has focus: itself, in its shadow tree (a component that hands focus on), or, for a part of an editable
// root, by that root.
function holdsFocus(el) {
  const root = rootOf(el);
  const active = root instanceof ShadowRoot ? shadowActive(root) : documentActive(root);
  return active === el || (!!active && isEditable(el) && isEditable(active) && isInsideOrSame(el, active));
}

function setCaret(el, caret) {
  if (fieldKind(el) === 'contenteditable') {
    const selection = getSelection();
    selection.selectAllChildren(el);
    if (caret === 'end') selection.collapseToEnd();
    return;
  }
  if (typeof el.select !== 'function') return;
  el.select();
  if (caret === 'all') return;
  if (el.selectionEnd !== null) {
    el.setSelectionRange(el.value.length, el.value.length);
    return;
  }
  // Fields without a selection of their own (email, number) still move their caret.
  getSelection().modify('move', 'forward', 'lineboundary');
}

// readField {id, expect?, value?} → {kind, length, valueHash, equals?, value?}: what the field holds. Length in UTF-16
// units. The text itself only on request: whether it may be told is the caller's decision.
handlers.readField = (args) => {
  const field = fieldOf(args.id);
  if (field.fail) return field;
  const text = fieldText(field.el);
  const told = {kind: fieldKind(field.el), length: text.length, valueHash: hashText(text)};
  if (typeof args.expect === 'string') told.equals = text === args.expect.replace(/\r\n?/g, '\n');
  if (args.value === true) told.value = text;
  if (field.el.maxLength >= 0) told.maxLength = field.el.maxLength;
  if (field.el.validity?.badInput) told.badInput = true;
  return told;
};

function fieldText(el) {
  if (typeof el.value === 'string') return el.value;
  // A block that is empty but for its line break reads as a line feed.
  return innerTextOf(el).replace(/\u00a0/g, ' ').replace(/\n$/, '');
}

// setValue {id, value} → {ok: true, changed, value}: for picker fields. A value that the field does not keep is refused
// before the field is touched.
handlers.setValue = (args) => {
  const field = fieldOf(args.id);
  if (field.fail) return field;
  const el = field.el;
  if (fieldKind(el) !== 'picker') return failure('verification_failed', 'not_editable');
  const refused = disabledFailure(el) || editFailure(el);
  if (refused) return refused;
  const kept = keptValue(el, args.value);
  if (kept === null) return failure('verification_failed', 'rejected');
  if (kept === el.value) return {ok: true, changed: false, value: kept};
  el.value = args.value;
  tellChange(el);
  if (el.value !== kept) return failure('verification_failed', 'reverted');
  return {ok: true, changed: true, value: kept};
};

// What a field of this kind makes of a value, or null when that is another value. A range keeps what its step and ends
// allow.
function keptValue(el, value) {
  const probe = el.cloneNode(false);
  probe.value = value;
  if (el.type === 'range') return value.trim() !== '' && Number(probe.value) === Number(value) ? probe.value : null;
  if (el.type === 'color') return probe.value === value.trim().toLowerCase() ? probe.value : null;
  return (probe.value === '') === (value === '') ? probe.value : null;
}

// The events that follow a change by a person. The page's own scripts run here, at once.
function tellChange(el) {
  el.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
  el.dispatchEvent(new Event('change', {bubbles: true}));
}

// checkedState {id} → {checked: true|false|"mixed"|null}: null for what cannot be checked.
handlers.checkedState = (args) => {
  const field = fieldOf(args.id);
  return field.fail ? field : {checked: checkedStateOf(field.el)};
};

function checkedStateOf(el) {
  if (tagOf(el) === 'input' && (el.type === 'checkbox' || el.type === 'radio')) {
    return el.type === 'checkbox' && el.indeterminate ? 'mixed' : el.checked;
  }
  const told = attr(el, 'aria-checked') ?? attr(el, 'aria-pressed');
  if (told === 'mixed') return 'mixed';
  if (told === 'true' || told === 'false') return told === 'true';
  return CHECKED_ROLES.has(roleOf(el)) ? false : null;
}

// Roles that are not checked where aria-checked is missing.
const CHECKED_ROLES = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio']);

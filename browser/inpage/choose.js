// Choosing options of native selects (browser.md §4).

const OPTION_LABEL_BYTES = 128;

// selectOptions {id, values: […], by: "any"|"value"|"label"|"index"} → {ok: true, changed, chosen: [{value, label}]}.
// All values are resolved before anything changes; input and change fire once, and not at all where nothing changes.
handlers.selectOptions = (args) => {
  const field = fieldOf(args.id);
  if (field.fail) return field;
  const select = field.el;
  if (fieldKind(select) !== 'select') return failure('verification_failed', 'not_a_select');
  const refused = disabledFailure(select);
  if (refused) return refused;
  if (!select.multiple && args.values.length !== 1) return failure('invalid_argument', 'one_value');
  const wanted = new Set();
  for (const value of args.values) {
    const found = findOption(select, value, args.by || 'any');
    if (found.fail) return found;
    wanted.add(found.option);
  }
  return choose(select, wanted);
};

function choose(select, wanted) {
  const isChosen = () => [...select.options].every((option) => option.selected === wanted.has(option));
  const changed = !isChosen();
  if (changed) {
    for (const option of select.options) {
      // Clearing an option of a single select would choose the first one for a moment.
      if (select.multiple || wanted.has(option)) option.selected = wanted.has(option);
    }
    tellChange(select);
    if (!isChosen()) return {...failure('verification_failed', 'reverted'), chosen: chosenOf(select)};
  }
  return {ok: true, changed, chosen: chosenOf(select)};
}

function chosenOf(select) {
  return [...select.selectedOptions].map((option) => ({
    value: cutBytes(option.value, OPTION_LABEL_BYTES),
    label: cutBytes(labelOf(option), OPTION_LABEL_BYTES),
  }));
}

function labelOf(option) {
  return collapse(option.label);
}

// The one option that a value means: {option} or {fail} with the labels there are.
function findOption(select, value, by) {
  const options = [...select.options];
  let found = options.filter((option) => optionMatches(option, String(value), by));
  if (found.length === 0 && (by === 'index' || by === 'any') && /^\d+$/.test(String(value))) {
    found = options.slice(Number(value), Number(value) + 1);
  }
  if (found.length === 0) return optionFailure('not_found', options);
  if (found.length > 1) return optionFailure('ambiguous', found);
  const option = found[0];
  const isOff = option.disabled || (option.parentElement.localName === 'optgroup' && option.parentElement.disabled);
  return isOff ? optionFailure('disabled', options.filter((other) => !other.disabled)) : {option};
}

function optionMatches(option, value, by) {
  const isValue = (by === 'value' || by === 'any') && option.value === value;
  const isLabel = (by === 'label' || by === 'any') && labelOf(option) === collapse(value);
  return isValue || isLabel;
}

function optionFailure(kind, options) {
  const candidates = options.slice(0, MAX_CANDIDATES).map((option) =>
    ({role: 'option', name: cutBytes(labelOf(option), OPTION_LABEL_BYTES)}));
  return {fail: {kind, reason: 'option', candidates}};
}

// What an element is to those who act on it.

// What the Go side needs to know of an element to act on it.
function describe(el, args) {
  const entry = entryOf(el);
  shipNode(el);
  const kind = fieldKind(el);
  const checked = checkedStateOf(el);
  const told = {
    id: idOf(el), role: entry?.role || '', name: entry?.name || '', states: entry?.states || [],
    box: boxOf(el), tag: tagOf(el), type: typeof el.type === 'string' ? el.type : '', kind,
    editable: editFailure(el) === null && !isDisabled(el), sensitive: isSensitive(el),
    href: matches(el, 'a[href],area[href]'),
  };
  if (checked !== null) told.checked = checked;
  if (opensPicker(el, kind)) told.opensPicker = true;
  return told;
}

// A press on these opens a surface of the browser, which the page does not see.
function opensPicker(el, kind) {
  if (kind === 'select') return !el.multiple && el.size <= 1;
  return kind === 'file' || (kind === 'picker' && el.type !== 'range');
}

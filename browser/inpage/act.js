// What an action needs around its input, in as few calls as possible.

handlers.armFocus = function (args) {
  const el = elementOf(args.id);
  if (!el || !isConnectedOf(el)) return {fail: {kind: 'detached'}};
  return armAndFocus(args);
};

function armAndFocus(args) {
  if (!args.keep) arm();
  const before = handlers.readField({id: args.id});
  const focused = handlers.focusField({id: args.id, caret: args.caret});
  return focused.fail ? focused : {...before, ...focused};
}

// prepareFocus checks a field for typing and, when nothing stands against it, gives it the keyboard: one call.
handlers.prepareFocus = function (args) {
  const after = checked => checked.fail ? checked : withFocus(checked, args);
  const checked = args.target ? handlers.prepare(args) : handlers.prepareFocused(args);
  return checked instanceof Promise ? checked.then(after) : after(checked);
};

function withFocus(checked, args) {
  const focused = armAndFocus({id: checked.id, caret: args.caret});
  return focused.fail ? {...focused, dispatched: true, id: checked.id} : {...focused, ...checked, length: focused.length};
}

// readBack compares a field with what was typed: as the whole, or as what now stands in it.
handlers.readBack = function (args) {
  const now = handlers.readField({id: args.id, value: true});
  if (now.fail) return now;
  const flat = s => s.replace(/\r\n?/g, '\n').replace(/\u00a0/g, ' ').replace(/\n+$/, '');
  const has = flat(now.value ?? ''), want = flat(args.text);
  const el = elementOf(args.id);
  delete now.value;
  return {...now, equal: args.whole ? has === want : has.includes(want), maxLength: el.maxLength > 0 ? el.maxLength : 0, type: el.type || ''};
};

// prepareFocused checks the element that has the focus for typing.
handlers.prepareFocused = function (args) {
  refresh();
  let el = document.activeElement;
  while (el && shadowRootOf(el) && shadowRootOf(el).activeElement) el = shadowRootOf(el).activeElement;
  if (!el || el === document.body || el === document.documentElement) return {fail: {kind: 'not_found', reason: 'no_focus'}};
  return handlers.prepare({...args, target: {chain: [{form: 'node', id: idOf(el), known: true}]}, need: 'focus', edit: true, scroll: false});
};

handlers.pointInside = function (args) {
  if (!inViewport(args.point, window)) return {inside: false};
  const outside = carryOut(args.point);
  return outside.fail ? {inside: false} : {inside: true, ...frameOffset(args.point)};
};

// The conditions that wait knows. Each is made once for a wait and answers, whenever it is asked, {ok: true, …},
// {fail}, or {lastState} in a short word: what it sees instead.

// A test for the condition, or {fail}.
function newCondition(args) {
  const make = Object.hasOwn(conditions, args.kind) ? conditions[args.kind] : null;
  return make ? make(args) : invalid('wait', 'this wait is not known in the page');
}

const conditions = {
  'text': ({text}) => () => hasText(text) ? {ok: true} : {lastState: 'text absent'},
  'text-gone': ({text}) => () => hasText(text) ? {lastState: 'text present'} : {ok: true},
  'lifecycle': ({state}) => () => hasReached(state) ? {ok: true} : {lastState: readyStateOf(document)},
  'url': ({url}) => () => location.href === url ? {ok: true} : {lastState: 'another url'},
  'url-prefix': ({url}) => () => location.href.startsWith(url) ? {ok: true} : {lastState: 'another url'},
  'target-attached': (args) => targetCondition(args, () => null),
  'target-visible': (args) => targetCondition(args, (el) => isShown(el) ? null : 'hidden'),
  'target-hidden': hiddenCondition,
  'target-enabled': (args) => targetCondition(args, (el) => disabledFailure(el) ? 'disabled' : null),
  'target-stable': stableCondition,
  'count': countCondition,
  'value': (args) => targetCondition(args, (el) => valueNow(el) === args.value ? null : 'another value'),
};

// text: a substring of the visible text of the whole page, across nodes. Where it is not, the raw text tells at small
// cost; where it is, the innermost element that holds it mostly answers for the page.
function hasText(text) {
  const body = bodyOf(document);
  if (!body) return false;
  const pattern = loosePattern(text);
  if (!pattern.test(textContentOf(body))) return mayHideText(text) && textIncludes(body, text, newPass());
  let at = body;
  for (let inner = body; inner; inner = childThatHolds(inner, pattern)) at = inner;
  return textIncludes(at, text, newPass()) || (at !== body && textIncludes(body, text, newPass()));
}

// The words of a text with any white space, or none (between two blocks), before, between and in them: soft hyphens and
// zero-width blanks are not seen.
function loosePattern(text) {
  const letters = [...collapse(text).replace(/ /g, '')].map(escapePattern);
  return new RegExp(letters.join('[\\s\\u00a0\\u00ad\\u200b]*'), 'i');
}

// Text that the raw text of the body does not hold as it is drawn: in shadow roots, and letters whose case is not
// simple.
function mayHideText(text) {
  return openRoots().length > 1 || textIsTransformed(text);
}

function childThatHolds(el, pattern) {
  for (let child = firstChildOf(el); child; child = nextSiblingOf(child)) {
    if (isElement(child) && !SKIPPED_TAGS.has(tagOf(child)) && pattern.test(textContentOf(child))) return child;
  }
  return null;
}

// load and complete: the load event is over; domcontentloaded: that event is.
function hasReached(state) {
  const reached = readyStateOf(document);
  if (reached === 'complete') return true;
  if (state !== 'domcontentloaded' || reached !== 'interactive') return false;
  return performance.getEntriesByType('navigation')[0]?.domContentLoadedEventEnd > 0;
}

// A condition on the one element that a target resolves to. missing names what the element lacks, or is null.
function targetCondition(args, missing) {
  const find = newFinder(args);
  return () => {
    const found = find();
    if (found.fail) return found.fail.kind === 'not_found' ? {lastState: 'absent'} : found;
    const lack = missing(found.el);
    return lack === null ? metBy(found.el, args.client) : {lastState: lack};
  };
}

function metBy(el, client) {
  shipNode(el);
  publish(client, el);
  return {ok: true, id: idOf(el)};
}

// A node that a reference names is followed through its changes, which are what is waited for: it has to have been
// published to the client, and its state may be another by now. Everything else is resolved anew for every test.
function newFinder(args) {
  const segment = args.target.chain[0];
  const isNode = args.target.chain.length === 1 && (segment.form === 'node' || segment.form === 'ordinal');
  if (!isNode) return () => resolve(args.target, args.client);
  const id = segment.form === 'node' ? segment.id : (lastListOf(args.client) || [])[segment.n - 1];
  return () => {
    const el = id === undefined ? null : elementOf(id);
    if (!el || (segment.guard !== false && !publishedTo(args.client).has(id))) return stale('unknown');
    return isConnectedOf(el) ? {el} : failure('detached');
  };
}

function isShown(el) {
  return isRendered(el) && isSeen(el, newPass());
}

function hiddenCondition(args) {
  const find = newFinder(args);
  return () => {
    const found = find();
    if (!found.fail) return isShown(found.el) ? {lastState: 'visible'} : {ok: true};
    return found.fail.kind === 'not_found' || found.fail.kind === 'detached' ? {ok: true} : found;
  };
}

// Stable: the same box in two frames that follow each other, and no animation that moves it.
function stableCondition(args) {
  let last = null, at = 0;
  const condition = targetCondition(args, (el) => {
    if (!isRendered(el)) return 'hidden';
    const now = {el, box: boxOf(el)};
    const elapsed = performance.now() - at;
    const isSame = last !== null && last.el === el && sameBox(last.box, now.box, STILL_PX);
    if (isSame && elapsed < WAIT_FRAME_MS) return 'moving';
    last = now;
    at = performance.now();
    return isSame && !hasMovingAnimation(el) ? null : 'moving';
  });
  return () => ({...condition(), everyFrame: true});
}

function countCondition(args) {
  return () => {
    const found = matchAll(args.target, args.client);
    if (found.fail) return found;
    const n = found.els.length;
    return n === args.count ? {ok: true, count: n} : {lastState: n + (n === 1 ? ' match' : ' matches')};
  };
}

// What a field holds, as a person would write it: text, the chosen option's value, or the state of a box.
function valueNow(el) {
  const kind = fieldKind(el);
  if (kind === 'checkbox' || kind === 'radio') return String(checkedStateOf(el));
  if (kind !== 'none') return fieldText(el);
  return attr(el, 'aria-valuetext') ?? attr(el, 'aria-valuenow') ?? valueOf(el) ?? '';
}

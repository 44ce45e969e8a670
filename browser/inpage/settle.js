// What an action changed: armed directly before the press, taken when the page has answered (browser.md §4).

const journal = {armed: false, added: new Map(), removed: new Map(), changed: new Map(), texts: [], epoch: 0, stir: 0};
const JOURNAL_TEXTS = 256;

function journalAdded(entry) {
  if (!journal.armed) return;
  const was = journal.removed.get(entry.id);
  if (was) {
    journal.removed.delete(entry.id);
    if (was.sig !== entry.sig) journal.changed.set(entry.id, was);
  } else journal.added.set(entry.id, entry);
}

function journalRemoved(entry) {
  if (!journal.armed) return;
  if (journal.added.delete(entry.id)) return;
  journal.removed.set(entry.id, journal.changed.get(entry.id) || {...entry});
  journal.changed.delete(entry.id);
}

function journalChanged(old) {
  if (!journal.armed || journal.added.has(old.id) || journal.changed.has(old.id)) return;
  journal.changed.set(old.id, old);
}

// What the client's last observation or delta showed of the text, so that text which only becomes visible is known as new.
const knownText = {
  lines: new Set(), cut: true,
  remember(seen) { this.lines = new Set(seen.text.split('\n').map(collapse)); this.cut = seen.cut; },
};

const textWatch = new MutationObserver(noteTexts);

function noteTexts(records) {
  for (const r of records) {
    if (journal.texts.length >= JOURNAL_TEXTS) return;
    if (r.type === 'childList') journal.texts.push(...[...r.addedNodes].slice(0, 32)); else journal.texts.push(r.target);
  }
}

function arm() {
  refresh();
  journal.armed = true;
  taking = null;
  journal.added.clear(); journal.removed.clear(); journal.changed.clear();
  journal.texts = [];
  journal.epoch = index.epoch;
  journal.stir = index.stir;
  journal.title = document.title;
  journal.url = location.href;
  journal.leaving = '';
  if (!knownText.lines.size && document.body) knownText.remember(visibleText(document.body, 16384, 0, newPass()));
  for (const root of index.roots) textWatch.observe(root, {subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['class', 'style', 'hidden', 'open', 'aria-hidden', 'aria-expanded']});
}

function disarm() {
  journal.armed = false;
  textWatch.disconnect();
}

handlers.arm = function () { arm(); return {doc: index.doc, hash: stateHash()}; };
handlers.disarm = function () { disarm(); return {}; };

// The check directly before the press, and the arming, in one round trip.
handlers.armPress = function (args) {
  const checked = handlers.recheck(args);
  if (checked.fail) return checked;
  if (!args.keep) arm();
  return {...checked, doc: index.doc, hash: stateHash()};
};

// A press that starts a navigation is known before the browser says so: the delta then waits for the new document.
let lastLeave = null; // {event, link?}: what an event's path was is known only while it is dispatched
addEventListener('click', event => {
  const link = event.isTrusted && event.button === 0 && event.composedPath().find(n => nodeTypeOf(n) === ELEMENT && matches(n, 'a[href],area[href]'));
  if (link) lastLeave = {event, link};
}, true);
addEventListener('submit', event => { lastLeave = {event}; }, true);

function leaving() {
  if (!lastLeave || lastLeave.event.defaultPrevented) return '';
  return lastLeave.link ? leavingByLink(lastLeave.event, lastLeave.link) : leavingByForm(lastLeave.event);
}

function leavingByForm(event) {
  const form = event.target, by = event.submitter;
  const target = (by && attr(by, 'formtarget')) ?? attr(form, 'target') ?? '_self';
  const method = (by && attr(by, 'formmethod')) ?? attr(form, 'method') ?? 'get';
  if (method.toLowerCase() === 'dialog') return '';
  return ['', '_self', '_top', '_parent'].includes(target) ? 'navigation' : 'other';
}

function leavingByLink(event, link) {
  if (hasAttr(link, 'download') || link.protocol === 'javascript:') return 'other';
  if (event.ctrlKey || event.metaKey || event.shiftKey) return 'other';
  if (!['', '_self', '_top', '_parent'].includes(attr(link, 'target') ?? '')) return 'other';
  return link.hash && String(link.href).split('#')[0] === location.href.split('#')[0] ? '' : 'navigation';
}

// args: client, quietMs, leaveMs, limits {entries, textBytes}, target (id), delta, read (a field to read back first),
// again (tell the delta that was taken already, when there is one)
handlers.settle = function (args) {
  if (args.again && taking) return taking.then(tellAgain);
  const read = args.read ? handlers.readBack(args.read) : undefined;
  taking = new Promise((resolve, reject) => {
    let done = false, timer = 0;
    const finish = () => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      watchers.delete(wake);
      try { resolve({...takeDelta(args), read}); } catch (e) { reject(e); } // an error must answer too
    };
    const afterTask = () => { const c = new MessageChannel(); c.port1.onmessage = () => { c.port1.close(); settleOrLeave(); }; c.port2.postMessage(0); };
    const settleOrLeave = () => {
      if (done) return;
      if (leaving() !== 'navigation') return finish();
      clearTimeout(timer);
      timer = setTimeout(finish, args.leaveMs);
    };
    const wake = () => { watchers.delete(wake); afterTask(); };
    const records = observer.takeRecords();
    if (records.length) noteRecords(records);
    timer = setTimeout(settleOrLeave, args.quietMs);
    // Input, change and scroll events are effects as good as a mutation.
    if (index.epoch > journal.epoch || index.stir > journal.stir) afterTask(); else watchers.add(wake);
  });
  return taking;
};

// The delta that is being taken, or was taken last. A navigation that came to nothing may have cut off its reply.
let taking = null;

function tellAgain(taken) {
  for (const e of [...taken.delta?.added ?? [], ...taken.delta?.changed ?? []]) {
    const el = elementOf(e.id);
    if (el) shipNode(el);
  }
  return {...taken, nodes: undefined};
}

function takeDelta(args) {
  noteTexts(textWatch.takeRecords());
  refresh();
  const target = args.target ? elementOf(args.target) : null;
  const out = {
    doc: index.doc, hash: stateHash(), url: location.href, title: document.title, readyState: document.readyState,
    urlChanged: location.href !== journal.url, titleChanged: document.title !== journal.title,
    targetChanged: !!args.target && (!target || !isConnectedOf(target) || journal.changed.has(args.target) || journal.removed.has(args.target)),
    leaving: leaving(),
  };
  if (args.delta) out.delta = showDelta(args);
  disarm();
  lastLeave = null;
  republish(args.client);
  return out;
}

function showDelta(args) {
  const delta = {added: [], removed: [], changed: [], omitted: {added: 0, removed: 0, changed: 0}};
  let left = args.limits.entries;
  const added = [...journal.added.values()].sort(compareEntries);
  // What changed comes first: it is nearest to what the agent did.
  for (const [id, old] of journal.changed) {
    const entry = index.entries.get(old.el);
    if (!entry || entry.sig === old.sig) continue;
    if (left-- > 0) delta.changed.push(changedEntry(entry, old, args)); else delta.omitted.changed++;
  }
  for (const e of added) {
    if (left-- > 0) { delta.added.push(addedEntry(e, args)); } else delta.omitted.added++;
  }
  for (const [id, e] of journal.removed) {
    if (left-- > 0) delta.removed.push({id, role: e.role, name: cutBytes(e.name, 80)}); else delta.omitted.removed++;
  }
  delta.kept = index.entries.size - journal.added.size;
  delta.text = newText(args.limits.textBytes);
  return delta;
}

function addedEntry(e, args) {
  shipNode(e.el);
  publish(args.client, e.el);
  const out = {id: e.id, role: e.role, name: cutBytes(e.name, 160)};
  const states = statesOf(e.el);
  if (states.length) out.states = states;
  if (e.value) out.value = cutBytes(e.value, 160);
  return out;
}

function changedEntry(e, old, args) {
  const out = addedEntry(e, args);
  const was = [];
  if (old.name !== e.name) was.push(old.name);
  if (old.value !== e.value && old.value) was.push(old.value);
  const lost = old.states.filter(s => !e.states.includes(s));
  if (lost.length) was.push(lost.join(' '));
  if (was.length) out.was = cutBytes(was.join(', '), 160);
  return out;
}

// newText is the first visible text that the action brought: inserted, rewritten, or shown.
function newText(bytes) {
  const pass = newPass(), parts = [], taken = new Set();
  let left = bytes;
  const nodes = [...new Set(journal.texts)].filter(n => isConnectedOf(n));
  nodes.sort(compareNodes);
  for (const n of nodes) {
    const el = n.nodeType === 1 ? n : n.parentElement;
    if (!el || taken.has(el) || [...taken].some(t => t.contains(el))) continue;
    taken.add(el);
    if (!isSeen(el, pass)) continue;
    for (const line of visibleText(el, bytes, 0, pass).text.split('\n')) {
      const text = collapse(line);
      if (!text || knownText.lines.has(text)) continue;
      knownText.lines.add(text);
      const cut = cutBytes(text, left);
      if (cut) parts.push(cut);
      left -= byteLength(cut) + 1;
      if (left <= 0) return parts.join('\n');
    }
  }
  return parts.join('\n');
}

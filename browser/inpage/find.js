// Finding controls and text by a query: the cheap way through a large page.

const FIND_NEAR = 3; // controls of the same row or item that are named beside a text match
const FIND_TEXT_BYTES = 160;

// args: client, salt, query, role, near, offset, limit
handlers.find = function (args) {
  refresh();
  const q = collapse(args.query).toLowerCase(), matches = [], taken = new Set();
  for (const e of controls()) {
    if (args.role && e.role !== args.role) continue;
    if (q && !e.name.toLowerCase().includes(q)) continue;
    taken.add(e.el);
    matches.push({el: e.el});
  }
  if (q) textMatches(q, args, taken, matches);
  const pool = args.near ? nearText(matches, collapse(args.near).toLowerCase()) : matches;
  const offset = args.offset || 0, page = pool.slice(offset, offset + args.limit);
  const shown = page.map(m => showMatch(m, args));
  return {doc: index.doc, hash: stateHash(), url: location.href, matches: shown, total: pool.length, cut: index.incomplete};
};

function textMatches(q, args, taken, matches) {
  const pass = newPass();
  for (const root of openRoots()) {
    const walker = document.createTreeWalker(root === document ? document.body || document.documentElement : root, NodeFilter.SHOW_TEXT);
    for (let n = walker.nextNode(); n; n = walker.nextNode()) {
      if (!n.data || !n.parentElement) continue;
      let el = n.parentElement, hit = n.data.toLowerCase().includes(q);
      if (!hit) { // across inline parts: the smallest block that holds all of it
        const first = q.split(' ', 1)[0];
        if (first === q || !n.data.toLowerCase().includes(first)) continue;
        for (let up = el, i = 0; up && i < 4 && !hit; up = up.parentElement, i++) {
          if (up.textContent.length > q.length + 4096) break;
          if (collapse(up.textContent).toLowerCase().includes(q)) { hit = true; el = up; }
        }
        if (!hit) continue;
      }
      const owner = ownerControl(el) || el;
      if (taken.has(owner) || !isSeen(el, pass)) continue;
      if (args.role && entryOf(owner).role !== args.role) continue;
      taken.add(owner);
      matches.push({el: owner, text: true});
    }
  }
}

function ownerControl(el) {
  for (let n = el; n; n = parentOf(n)) if (index.entries.has(n)) return n;
  return null;
}

function nearText(matches, near) {
  return matches.filter(m => (contextOf(m.el) || '').toLowerCase().includes(near) || regionOf(m.el).toLowerCase().includes(near));
}

function showMatch(m, args) {
  const el = m.el, entry = entryOf(el);
  shipNode(el);
  publish(args.client, el);
  const out = {id: entry.id, role: entry.role};
  if (entry.name) out.name = entry.name;
  const states = statesOf(el);
  if (states.length) out.states = states;
  if (entry.value) out.value = cutBytes(entry.value, FIND_TEXT_BYTES);
  const text = collapse(el.innerText ?? el.textContent ?? '');
  if (text && text !== entry.name && m.text) out.text = cutBytes(text, FIND_TEXT_BYTES);
  const region = regionOf(el);
  if (region) out.region = cutBytes(region, 64);
  if (m.text && !index.entries.has(el)) out.near = nearControls(el, args.client);
  return out;
}

// nearControls names the controls of the same record: a person who finds a row by its text wants to press its button.
function nearControls(el, client) {
  const record = el.closest('tr, li, article, [role=row], [role=listitem], [role=article], form, fieldset, dialog, section');
  if (!record) return undefined;
  const list = [];
  for (const c of query(record, candidateSelector())) {
    const entry = index.entries.get(c);
    if (!entry) continue;
    shipNode(c);
    publish(client, c);
    list.push({id: entry.id, role: entry.role, name: entry.name});
    if (list.length === FIND_NEAR) break;
  }
  return list.length ? list : undefined;
}

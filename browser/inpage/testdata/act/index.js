// A small stand-in of index.js, for the tests of locating and acting alone: it looks everything up afresh.

const handlers = {};
const nodesById = new Map();
const idsByNode = new WeakMap();
const clients = new Map();
const closedRoots = [];

function refresh() {}

function idOf(el) {
  let id = idsByNode.get(el);
  if (!id) {
    id = nodesById.size + 1;
    idsByNode.set(el, id);
    nodesById.set(id, el);
  }
  return id;
}

function elementOf(id) {
  return nodesById.get(id) || null;
}

function shipNode() {}

function openRoots() {
  const roots = [document];
  for (let i = 0; i < roots.length; i++) {
    for (const el of query(roots[i], '*')) {
      if (shadowRootOf(el)) roots.push(shadowRootOf(el));
    }
  }
  return roots.concat(closedRoots);
}

function controls() {
  const found = [];
  for (const root of openRoots()) {
    for (const el of query(root, CONTROL_SELECTOR)) {
      if (isControl(el) && isRendered(el)) found.push(makeEntry(el));
    }
  }
  return found;
}

function entryOf(el) {
  return makeEntry(el);
}

function makeEntry(el) {
  const role = roleOf(el), name = nameOf(el, 1024).name, states = statesOf(el);
  const sig = [role, name, ...states.filter((state) => state !== 'focused')].join('\n');
  return {el, id: idOf(el), role, name, states, value: valueOf(el), sig};
}

function clientOf(client) {
  if (!clients.has(client)) clients.set(client, {shown: new Map(), list: []});
  return clients.get(client);
}

function publishedTo(client) {
  return clientOf(client).shown;
}

function lastListOf(client) {
  return clientOf(client).list;
}

function publish(client, el) {
  publishedTo(client).set(idOf(el), {sig: makeEntry(el).sig, ctx: contextHashOf(el)});
}

handlers.observe = (args) => {
  const entries = controls();
  clientOf(args.client).list = entries.map((entry) => entry.id);
  for (const entry of entries) publish(args.client, entry.el);
  return {count: entries.length};
};
handlers.resolve = (args) => {
  const found = resolve(args.target, args.client);
  return found.fail ? found : {tag: tagOf(found.el), key: attr(found.el, 'id') || ''};
};
globalThis.glassTest = {run: (name, args) => handlers[name](args)};

function contextHashOf(el) { return hashText(contextOf(el)); }

function knownRoots() { return null; }

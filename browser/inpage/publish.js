// What each client was last shown (contract.md §2.3): references, ordinals and contexts are judged against this.

const PUBLISHED_CLIENTS = 64;
const PUBLISHED_NODES = 1024;

const publications = new Map(); // client → {nodes: Map id → {sig, ctx}, list: ids of the last list, ranked: it left some out, epoch}

function publicationOf(client) {
  let p = publications.get(client);
  if (!p) {
    if (publications.size >= PUBLISHED_CLIENTS) publications.delete(publications.keys().next().value);
    publications.set(client, p = {nodes: new Map(), list: [], ranked: false, epoch: -1});
  }
  return p;
}

function publishedTo(client) { return publicationOf(client).nodes; }

function lastListOf(client) { return publicationOf(client).list; }

let contextSalt = '';

// contextHashOf names what stands around an element, salted so that it tells nothing outside this session.
function contextHashOf(el) { return hashText(contextOf(el), contextSalt); }

function publish(client, el) {
  const nodes = publishedTo(client), id = idOf(el), entry = entryOf(el);
  nodes.delete(id);
  nodes.set(id, {sig: entry.sig, ctx: contextHashOf(el)});
  if (nodes.size > PUBLISHED_NODES) nodes.delete(nodes.keys().next().value);
}

// republish makes everything that the client knows current again: an action's own effects never make its caller's
// references stale (contract.md §2.3). Nothing is computed when nothing has changed.
function republish(client) {
  const p = publicationOf(client);
  if (p.epoch === index.epoch + '/' + index.stir) return;
  for (const id of [...p.nodes.keys()]) {
    const el = elementOf(id);
    if (el && isConnectedOf(el)) {
      const entry = entryOf(el);
      p.nodes.set(id, {sig: entry.sig, ctx: contextHashOf(el)});
    } else p.nodes.delete(id);
  }
  p.epoch = index.epoch + '/' + index.stir;
}

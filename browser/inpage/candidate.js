// Candidates of an ambiguous locator: each with an id and with what tells it apart, at most 160 bytes together.

const CANDIDATE_BYTES = 160;
const CANDIDATE_ROLE_BYTES = 24;
const CANDIDATE_NAME_BYTES = 56;
const CANDIDATE_REGION_BYTES = 32;

function ambiguous(els, client) {
  const shown = els.slice(0, MAX_CANDIDATES);
  const contexts = shown.map((el) => collapse(contextOf(el)));
  const candidates = shown.map((el, i) => candidateOf(el, client, nearbyOf(contexts, i, el)));
  const fail = {kind: 'ambiguous', candidates};
  if (els.length > MAX_CANDIDATES) fail.more = true;
  return {fail};
}

// One candidate. It is published to the client, so that the reference that the answer gives can be used.
function candidateOf(el, client, nearby) {
  const entry = entryOf(el) || {role: '', name: ''};
  const candidate = {
    id: idOf(el),
    role: cutBytes(entry.role, CANDIDATE_ROLE_BYTES),
    name: cutBytes(entry.name, CANDIDATE_NAME_BYTES),
  };
  // The text of an editable part is what a person typed.
  const text = candidate.name || isEditable(el) ? '' : seenText(el, CANDIDATE_NAME_BYTES);
  if (text) candidate.text = text;
  const region = cutBytes(regionOf(el) || '', CANDIDATE_REGION_BYTES);
  if (region) candidate.region = region;
  const used = [candidate.role, candidate.name, text, region].reduce((n, s) => n + byteLength(s), 0);
  const near = cutBytes(nearby, CANDIDATE_BYTES - used);
  if (near) candidate.nearby = near;
  shipNode(el);
  publish(client, el);
  return candidate;
}

function seenText(el, bytes) {
  return cutBytes(collapse(visibleText(el, 4 * bytes, 0, newPass()).text), bytes);
}

// The context of a candidate from the word on at which it differs from another's; its place where no text differs.
function nearbyOf(contexts, i, el) {
  const own = contexts[i];
  const others = contexts.filter((other, j) => j !== i);
  if (own === '' || others.includes(own)) return placeOf(el);
  if (byteLength(own) <= CANDIDATE_BYTES / 3) return own;
  const same = Math.max(...others.map((other) => commonPrefix(own, other)));
  return own.slice(own.lastIndexOf(' ', same) + 1);
}

function commonPrefix(a, b) {
  const end = Math.min(a.length, b.length);
  let i = 0;
  while (i < end && a[i] === b[i]) i++;
  return i;
}

function placeOf(el) {
  const box = rectOf(el);
  return 'at ' + Math.round(box.x + scrollX) + ',' + Math.round(box.y + scrollY);
}

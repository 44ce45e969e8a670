// The one entry that the Go side calls. A reply is an array: the result as JSON text, then the elements that the result
// names and whose backend node ids the Go side does not know yet, in the order of result.nodes.

let shipped = new WeakSet();
let shipping = new Set();

// NODE_ATTRIBUTE_CHARS bounds what DevTools serialises with a node: its attributes come along whole.
const NODE_ATTRIBUTE_CHARS = 256 << 10;
const attributesOf = getterOf(Element.prototype, 'attributes');

function shipNode(el) {
  if (shipped.has(el) || shipping.has(el)) return;
  let size = 0;
  for (const a of attributesOf(el)) size += a.value.length;
  if (size <= NODE_ATTRIBUTE_CHARS) shipping.add(el);
}

function reply(result) {
  const nodes = [...shipping];
  shipping = new Set();
  if (nodes.length) result.nodes = nodes.map(idOf);
  for (const el of nodes) shipped.add(el);
  result.doc ??= index.doc;
  result.hash ??= stateHash();
  return [JSON.stringify(result), ...nodes];
}

// args.expectHash and args.expectDoc: the state that the caller's revision names; when the controls have changed since,
// the handler does not run. args.resync: a reply was lost, so all node ids must be told again.
function run(name, args) {
  if (args.resync) shipped = new WeakSet();
  if (args.salt) contextSalt = args.salt;
  if (args.expectHash) {
    refresh();
    if (index.doc !== args.expectDoc || stateHash() !== args.expectHash) return reply({movedOn: true});
  }
  const result = handlers[name](args);
  return result instanceof Promise ? result.then(reply) : reply(result);
}

// What callers may use. The property is the global's own, so that no element of the page stands in its place.
Object.defineProperty(globalThis, 'glass', {
  value: {
    run, adoptRoot, idOf,
    roleOf, nameOf, statesOf, valueOf, isDisabled, isSensitive, CONTROL_SELECTOR, isControl, isClickable, hasOwnPointer,
    newPass, isRendered, isSeen, isInert, visibleText, textIncludes, outlineOf, regionOf, contextOf, hashText,
    shadowHosts, byteLength, cutBytes, collapse, cleanLabel,
  },
});

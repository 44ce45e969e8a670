// css= (browser.md §3): a CSS selector that pierces open shadow roots.

// Elements that the selector matches, hidden ones too: {els} or {fail}.
function matchCSS(selector) {
  const roots = openRoots();
  const els = new Set();
  try {
    for (const root of roots) {
      for (const el of query(root, selector)) els.add(el);
    }
    if (roots.length > 1) addPiercing(selector, roots, els);
  } catch {
    return invalid('css', 'the css selector is not valid');
  }
  return {els: [...els]};
}

// A descendant combinator reaches into shadow roots: "x-card button" matches a button in the shadow root of an x-card.
function addPiercing(selector, roots, els) {
  for (const complex of splitSelector(selector, ',')) {
    const parts = splitSelector(complex, ' ');
    if (parts.length < 2) continue;
    const last = parts.at(-1);
    for (const root of roots) {
      for (const el of query(root, last)) {
        if (!els.has(el) && hasAncestors(el, parts)) els.add(el);
      }
    }
  }
}

// Descent is transitive, so that the nearest ancestor that matches a part is always a right choice.
function hasAncestors(el, parts) {
  let at = el;
  for (let i = parts.length - 2; i >= 0; i--) {
    do at = parentElementIn(at) || hostOf(at);
    while (at && !matches(at, parts[i]));
    if (!at) return false;
  }
  return true;
}

function parentElementIn(el) {
  const parent = parentNodeOf(el);
  return parent && isElement(parent) ? parent : null;
}

// Splits a selector at its top-level commas, or at its top-level descendant combinators.
function splitSelector(selector, at) {
  const parts = [];
  let part = '', depth = 0, quote = '';
  for (let i = 0; i < selector.length; i++) {
    const c = selector[i];
    if (c === '\\') {
      part += c + (selector[++i] ?? '');
      continue;
    }
    if (quote) {
      if (c === quote) quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '(' || c === '[') depth++;
    else if (c === ')' || c === ']') depth--;
    else if (depth === 0 && isSplit(selector, i, at, part)) {
      if (part.trim()) parts.push(part.trim());
      part = '';
      continue;
    }
    part += c;
  }
  if (part.trim()) parts.push(part.trim());
  return parts;
}

// A blank is a descendant combinator unless another combinator stands beside it.
function isSplit(selector, i, at, before) {
  if (at === ',') return selector[i] === ',';
  if (!/\s/.test(selector[i])) return false;
  return !/[>+~]\s*$/.test(before) && !/^\s*[>+~]/.test(selector.slice(i));
}

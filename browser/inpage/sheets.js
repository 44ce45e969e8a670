// What the page's style sheets may do, found out once per sheet, so that of each element only that is read which the
// page uses at all: generated content, properties that hide or move, selectors that tell equal siblings apart.

// SHEET_MAX_RULES: beyond this a sheet is taken to do everything.
const SHEET_MAX_RULES = 2000;
// USES: the properties that each kind of look needs, as they stand in a rule.
const USES = {
  clip: /clip/, move: /transform|translate|scale|rotate|zoom|offset|margin[^:]*:[^;]*-/, indent: /text-indent/,
  skip: /content-visibility/, fade: /opacity|animation|filter/, overflow: /overflow/, position: /position\s*:/,
  see: /visibility/, font: /font/, colour: /(?:^|[\s;])color\s*:|text-fill|stroke|shadow/, paint: /background/,
  image: /url\(|gradient|image|paint/, white: /white-space|text-transform|text-wrap/,
};
const USE_NAMES = Object.keys(USES);
const EVERYTHING = {generated: true, sources: null, structural: true, lines: true, length: -1};
for (const name of USE_NAMES) EVERYTHING[name] = true;
const sheetFacts = new WeakMap();

// mayGenerateContent: false only when no ::before or ::after rule of a sheet that reaches el is for it.
const GENERATED_MAX = 200;
function mayGenerateContent(el) {
  const facts = factsFor(el);
  if (!facts.generated) return false;
  if (facts.sources === null) return true;
  if (facts.owners === undefined) facts.owners = ownersOf(facts.sources);
  return facts.owners === '' || matches(el, facts.owners);
}

// ownersOf: one selector for all that the rules generate content in; '' when that cannot be told.
function ownersOf(sources) {
  const owners = sources.join(',').replace(/::?(?:before|after)/gi, '').split(',').map(s => s.trim() || '*').join(',');
  if (/&|::|:host|\(\s*\)/.test(owners) || /[>+~ ](?:,|$)/.test(owners)) return '';
  try { matches(document.documentElement, owners); } catch { return ''; }
  return owners;
}

// factsFor: what the sheets that reach el may do: those of its tree and of the trees around.
function factsFor(el) {
  const root = rootOf(el);
  const known = once('sheets', () => new Map());
  let facts = known.get(root);
  if (!facts) known.set(root, facts = factsOfRoot(root));
  return facts;
}

function factsOfRoot(root) {
  const total = {generated: false, sources: [], structural: false, lines: false, length: 0};
  for (const name of USE_NAMES) total[name] = false;
  for (let scope = root; scope; scope = scope.host ? rootOf(scope.host) : null) {
    for (const sheet of sheetsOf(scope)) merge(total, factsOfSheet(sheet));
  }
  return total;
}

const documentSheets = getterOf(Document.prototype, 'styleSheets');
const documentAdopted = getterOf(Document.prototype, 'adoptedStyleSheets');
const shadowSheets = getterOf(ShadowRoot.prototype, 'styleSheets');
const shadowAdopted = getterOf(ShadowRoot.prototype, 'adoptedStyleSheets');
function sheetsOf(scope) {
  if (scope === document) return [...documentSheets(document), ...documentAdopted(document)];
  return scope instanceof ShadowRoot ? [...shadowSheets(scope), ...shadowAdopted(scope)] : [];
}

function factsOfSheet(sheet) {
  let rules;
  try { rules = sheet.cssRules; } catch { return EVERYTHING; } // another origin's sheet
  const known = sheetFacts.get(sheet);
  const last = rules[rules.length - 1];
  if (known && known.length === rules.length && known.last === last) return known;
  if (rules.length > SHEET_MAX_RULES) return EVERYTHING;
  const facts = {generated: false, sources: [], structural: false, lines: false, left: SHEET_MAX_RULES};
  facts.length = rules.length;
  facts.last = last;
  for (const name of USE_NAMES) facts[name] = false;
  readRules(rules, facts);
  sheetFacts.set(sheet, facts);
  return facts;
}

const GENERATED = /::?(?:before|after)/i;
const STRUCTURAL = /[[+~]|:(?:nth|first|last|only|empty|has|not|is|where|host|hover|focus|target|dir|lang)/i;
const LINES = /:first-l/i;
function readRules(rules, facts) {
  for (const rule of rules) {
    if (--facts.left < 0) { merge(facts, EVERYTHING); return; }
    if (rule.styleSheet) { merge(facts, factsOfSheet(rule.styleSheet)); continue; }
    const selector = rule.selectorText;
    if (selector !== undefined) {
      if (GENERATED.test(selector)) addSource(facts, [selector]);
      if (STRUCTURAL.test(selector)) facts.structural = true;
      if (LINES.test(selector)) facts.lines = true;
    }
    const inner = rule.cssRules;
    if (inner && inner.length) readRules(inner, facts);
    if (rule.style) readDeclarations(rule.style.cssText, facts);
  }
}
function readDeclarations(text, facts) {
  for (const name of USE_NAMES) if (!facts[name] && USES[name].test(text)) facts[name] = true;
  if (/var\(/.test(text)) facts.image = true; // a background may come from anywhere
  if (/\ball\s*:/.test(text)) for (const name of USE_NAMES) facts[name] = true;
}
function addSource(facts, selectors) {
  facts.generated = true;
  if (facts.sources === null) return;
  facts.sources.push(...selectors);
  if (facts.sources.length > GENERATED_MAX) facts.sources = null;
}
function merge(into, from) {
  if (from.generated) {
    if (from.sources === null) into.sources = null;
    addSource(into, from.sources || []);
  }
  into.structural ||= from.structural;
  into.lines ||= from.lines;
  for (const name of USE_NAMES) into[name] ||= from[name];
}

// sheetChanges counts the changes of sheets that no mutation tells of: rules inserted or deleted by script, sheets switched
// on and off. A rule that is rewritten in place is not seen.
const SHEET_ROOTS = 256;
const sheetState = {seen: [], changes: 0};
function sheetChanges() {
  const now = [];
  for (const root of openRoots().slice(0, SHEET_ROOTS)) {
    for (const sheet of sheetsOf(root)) {
      let rules = null;
      try { rules = sheet.cssRules; } catch { /* another origin's sheet cannot be rewritten by this one either */ }
      now.push(sheet, sheet.disabled, rules?.length, rules?.[rules.length - 1]);
    }
  }
  if (now.length !== sheetState.seen.length || now.some((part, i) => part !== sheetState.seen[i])) sheetState.changes++;
  sheetState.seen = now;
  return sheetState.changes;
}

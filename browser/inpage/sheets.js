// What the page's style sheets may do, found out once per sheet: whether an element can have generated content, and
// whether selectors look at more than an element's own tag, class and place under its parent.

// SHEET_MAX_RULES: beyond this a sheet is taken to do everything.
const SHEET_MAX_RULES = 4000;
const sheetFacts = new WeakMap();

// mayGenerateContent: false only when no style sheet that reaches el has a ::before or ::after rule.
function mayGenerateContent(el) {
  return factsFor(el).generated;
}

// hasStructuralSelectors: whether two siblings with equal tag and class may be styled differently.
function hasStructuralSelectors(el) {
  return factsFor(el).structural;
}

function factsFor(el) {
  const root = rootOf(el);
  const known = once('sheets', () => new Map());
  let facts = known.get(root);
  if (!facts) known.set(root, facts = factsOfRoot(root));
  return facts;
}

function factsOfRoot(root) {
  const total = {generated: false, structural: false};
  const scopes = root === document ? [document] : [root, document];
  for (const scope of scopes) {
    for (const sheet of sheetsOf(scope)) {
      const facts = factsOfSheet(sheet);
      total.generated ||= facts.generated;
      total.structural ||= facts.structural;
    }
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
  try { rules = sheet.cssRules; } catch { return {generated: true, structural: true}; } // another origin's sheet
  const known = sheetFacts.get(sheet);
  if (known && known.length === rules.length) return known;
  const facts = {length: rules.length, generated: false, structural: false, left: SHEET_MAX_RULES};
  readRules(rules, facts);
  sheetFacts.set(sheet, facts);
  return facts;
}

const GENERATED = /::?(?:before|after)/i;
const STRUCTURAL = /[[+~]|:(?:nth|first|last|only|empty|has|not|is|where|host|hover|focus|target|dir|lang)/i;
function readRules(rules, facts) {
  for (const rule of rules) {
    if (--facts.left < 0) { facts.generated = facts.structural = true; return; }
    const selector = rule.selectorText;
    if (selector !== undefined) {
      if (!facts.generated && GENERATED.test(selector)) facts.generated = true;
      if (!facts.structural && STRUCTURAL.test(selector)) facts.structural = true;
    }
    if (rule.styleSheet) merge(facts, factsOfSheet(rule.styleSheet));
    else if (rule.cssRules && rule.cssRules.length) readRules(rule.cssRules, facts);
    if (facts.generated && facts.structural) return;
  }
}
function merge(into, from) {
  into.generated ||= from.generated;
  into.structural ||= from.structural;
}

// Elements that are controls only by their pointer cursor have no markup that says so. The page's style sheets name them:
// the selectors of rules that set the cursor join the selector of all other candidates, so that no sweep over the whole
// document is needed. (Whether the cursor really begins there, isControl decides.)

const POINTER_RULES = 2000; // rules read of one page's sheets
const POINTER_SELECTORS = 200;

const pointer = {selector: CONTROL_SELECTOR, print: ''};

// candidateSelector matches every element that can be a control on this page.
function candidateSelector() { return pointer.selector; }

// sheetsPrint changes when a sheet comes, goes, or gets or loses rules: CSSOM changes cause no mutation.
function sheetsPrint() {
  let print = '';
  for (const root of index.roots) {
    for (const sheet of sheetsOf(root)) print += (rulesOf(sheet)?.length ?? 'x') + (sheet.disabled ? 'd,' : ',');
    print += ';';
  }
  return print;
}

function rulesOf(sheet) {
  try { return sheet.cssRules; } catch { return null; } // another origin's sheet
}

// watchSheets looks at everything again after the sheets have changed: they show and hide without a mutation.
function watchSheets() {
  const print = sheetsPrint();
  if (print === pointer.print) return;
  pointer.print = print;
  const found = new Set();
  let left = POINTER_RULES;
  const read = rules => {
    for (const rule of rules) {
      if (left-- <= 0 || found.size >= POINTER_SELECTORS) { index.pointerCut = true; return; }
      if (rule.style?.cursor === 'pointer' && rule.selectorText) addPointerSelector(rule.selectorText, found);
      if (rule.styleSheet) read(rulesOf(rule.styleSheet) || []); else if (rule.cssRules?.length) read(rule.cssRules);
    }
  };
  index.pointerCut = false;
  for (const root of index.roots) {
    for (const sheet of sheetsOf(root)) {
      const rules = rulesOf(sheet);
      if (rules) read(rules); else index.pointerCut = true;
    }
  }
  pointer.selector = [CONTROL_SELECTOR, '[style*="cursor" i]', ...found].join(',');
  markEverything();
}

// A selector that needs the pointer over the element, or names a part of one, shows nothing beforehand.
function addPointerSelector(text, found) {
  if (/::|:host|&|:hover|:active/.test(text)) return;
  try { matches(document.documentElement, text); } catch { return; }
  found.add(text);
}

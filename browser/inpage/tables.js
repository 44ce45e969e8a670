// Whether a table holds data, by the signs that Chrome goes by: structure first, then borders and backgrounds of cells.

const DATA_TABLE_ROWS = 20;
const DATA_TABLE_SURE_CELLS = 10;
const DATA_TABLE_MAX_CELLS = 400;

function isDataTable(table) {
  const known = once('tables', () => new Map());
  let data = known.get(table);
  if (data === undefined) known.set(table, data = holdsData(table));
  return data;
}

function holdsData(table) {
  if (hasAttr(table, 'role') || isEditable(table)) return true;
  if (table.tHead || table.tFoot || table.caption || attr(table, 'summary') || attr(table, 'rules')) return true;
  for (let c = firstChildOf(table); c; c = nextSiblingOf(c)) if (isTag(c, 'col') || isTag(c, 'colgroup')) return true;
  const rows = table.rows;
  if (rows.length >= DATA_TABLE_ROWS) return true;
  if (rows.length === 0 || (rows.length === 1 && rows[0].cells.length === 1)) return false;
  return cellsLookLikeData(table, rows);
}

function cellsLookLikeData(table, rows) {
  const style = getComputedStyle(table);
  const spaced = !/^0px/.test(style.borderSpacing) && !/ 0px$/.test(style.borderSpacing);
  const count = {valid: 0, bordered: 0, coloured: 0, top: 0, bottom: 0, left: 0, right: 0};
  const stripes = [];
  let looked = 0;
  for (let r = 0; r < rows.length; r++) {
    for (const cell of rows[r].cells) {
      if (tagOf(cell) === 'th' || ['headers', 'abbr', 'axis', 'scope'].some(name => attr(cell, name))) return true;
      if (++looked > DATA_TABLE_MAX_CELLS) continue;
      if (countCell(cell, count, spaced, style.backgroundColor)) return true;
      if (r < 5 && stripes.length === r) stripes.push(getComputedStyle(rows[r]).backgroundColor);
    }
  }
  if (count.valid <= 1) return false;
  const half = count.valid >> 1;
  const {bordered, top, bottom, left, right, coloured} = count;
  if ([bordered, top, bottom, left, right, coloured].some(n => n >= half)) return true;
  return stripes.length > 2 && stripes.every((c, i) => i === 0 || (i % 2 === 1) === (c !== stripes[0]));
}

// countCell reports true when the cell alone settles the question.
function countCell(cell, count, spaced, tableColour) {
  if (cell.offsetWidth < 1 || cell.offsetHeight < 1) return false;
  count.valid++;
  const style = getComputedStyle(cell);
  if (style.emptyCells === 'hide') return true;
  const has = side => parseFloat(style['border' + side + 'Width']) > 0;
  const top = has('Top'), bottom = has('Bottom'), left = has('Left'), right = has('Right');
  if ((top && bottom) || (left && right)) count.bordered++;
  if (top) count.top++;
  if (bottom) count.bottom++;
  if (left) count.left++;
  if (right) count.right++;
  const colour = style.backgroundColor;
  if (spaced && colour !== tableColour && colour !== 'rgba(0, 0, 0, 0)') count.coloured++;
  return count.bordered >= DATA_TABLE_SURE_CELLS || count.coloured >= DATA_TABLE_SURE_CELLS;
}

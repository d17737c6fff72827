// A table as CSV.

type Cell = string | number | null;

export function csvText(rows: readonly (readonly Cell[])[]): string {
  return rows.map(csvLine).join('');
}

/** Cells that a spreadsheet would run as a formula start with an apostrophe. */
function csvLine(cells: readonly Cell[]): string {
  const texts = cells.map((cell) => {
    if (cell === null) return '';
    if (typeof cell === 'number') return String(cell);
    const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  });
  return `${texts.join(',')}\r\n`;
}

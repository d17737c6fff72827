// Lines of a table as CSV.

/** One line. Cells that a spreadsheet would run as a formula start with an apostrophe. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  const texts = cells.map((cell) => {
    if (cell === null) return '';
    if (typeof cell === 'number') return String(cell);
    const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  });
  return `${texts.join(',')}\r\n`;
}

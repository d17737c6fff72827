// Saves a text that the page has made as a file, such as a table as CSV.

const keptMs = 10_000;

export function saveFile(name: string, text: string, type = 'text/csv;charset=utf-8'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), keptMs);
}

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

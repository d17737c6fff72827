// The rows of a CSV from pieces of its text. A piece is parsed together with the row that the piece
// before it left unfinished, so that a row, a quoted cell and a line end may lie across a border.

import Papa from 'papaparse';
import type { DecodedText } from './decoded.ts';
import { WrongFile } from './wrong-file.ts';

/** How the cells and rows of a file are parted. */
export interface CsvForm {
  readonly separator: string;
  readonly newline: '\n' | '\r';
}

export interface CsvRow {
  readonly cells: readonly string[];
  readonly problem?: string;
}

interface CsvPiece {
  readonly form: CsvForm;
  readonly header: readonly string[];
  /** Blank rows are left out. */
  readonly rows: readonly CsvRow[];
  /** Of the file, read so far. */
  readonly bytes: number;
}

/** In UTF-16 units. A row is far shorter, unless a quotation mark is missing. */
const rowMax = 2 * 1024 * 1024;
const guessedFrom = 64 * 1024;

/** Pieces of at least `pieceChars` but for the last one. Throws `WrongFile`. */
export async function* csvPieces(
  texts: AsyncIterable<DecodedText>,
  pieceChars: number,
  known?: CsvForm,
): AsyncGenerator<CsvPiece> {
  const reader = new RowReader(known);
  let waiting = '';
  let bytes = 0;
  for await (const one of texts) {
    waiting += one.text;
    bytes = one.bytes;
    if (waiting.length < Math.max(pieceChars, reader.form === undefined ? guessedFrom : 0))
      continue;
    const rows = reader.read(waiting, false);
    waiting = '';
    const { form, header } = reader;
    if (form !== undefined && header !== undefined) yield { form, header, rows, bytes };
  }
  const rows = reader.read(waiting, true);
  const { form, header } = reader;
  if (form !== undefined && header !== undefined) yield { form, header, rows, bytes };
}

class RowReader {
  form: CsvForm | undefined;
  header: readonly string[] | undefined;
  readonly #known: CsvForm | undefined;
  #rest = '';
  #rows = 0;

  constructor(known: CsvForm | undefined) {
    this.#known = known;
  }

  /** The rows that end in the text, and with `isLast` the one that ends with it. */
  read(more: string, isLast: boolean): CsvRow[] {
    let text = this.#rest + more;
    const firstLine = this.#rows + (this.header === undefined ? 0 : 1);
    if (this.form === undefined) {
      const begun = withoutSeparatorLine(text);
      text = begun.text;
      this.form = this.#known ?? formOf(text, begun.separator);
    }
    const { separator: delimiter, newline } = this.form;
    const parser = new Papa.Parser({ delimiter, newline });
    const { data, errors, meta } = parser.parse(text, 0, !isLast) as Papa.ParseResult<string[]>;
    this.#rest = isLast ? '' : text.slice(meta.cursor);
    if (this.#rest.length > rowMax) throw notClosed(firstLine + data.length);
    const wrong = new Set<number>();
    for (const { code, row } of errors) {
      if (code === 'MissingQuotes') throw notClosed(firstLine + (row ?? 0));
      if (row !== undefined) wrong.add(row);
    }
    const rows: CsvRow[] = [];
    for (const [at, cells] of data.entries()) {
      if (wrong.has(at) && cells.some(hasLines)) throw notClosed(firstLine + at);
      const row = this.#rowOf(cells, wrong.has(at));
      if (row !== undefined) rows.push(row);
    }
    return rows;
  }

  #rowOf(cells: string[], hasWrongQuotes: boolean): CsvRow | undefined {
    const last = cells.at(-1);
    if (this.form?.newline === '\n' && last?.endsWith('\r') === true)
      cells[cells.length - 1] = last.slice(0, -1);
    if (cells.every((cell) => cell.trim() === '')) return undefined;
    const { header } = this;
    if (header === undefined) {
      if (hasWrongQuotes) throw new WrongFile('the quotation marks in the first line are wrong.');
      this.header = cells.map(namedAs);
      return undefined;
    }
    this.#rows++;
    const problem = hasWrongQuotes
      ? 'the quotation marks in the line are wrong'
      : this.#problemOf(cells, header.length);
    return problem === undefined ? { cells } : { cells, problem };
  }

  #problemOf(cells: readonly string[], columns: number): string | undefined {
    if (this.#isHeaderAgain(cells)) return 'the line repeats the names of the columns';
    const values = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
    if (values > columns) return `the line has ${values} values for ${columns} columns`;
    const { separator = ',' } = this.form ?? {};
    const isWhole = (line: string) => line.split(separator).length === columns;
    // Between its first and its last line, which have the ends of other cells.
    const swallows = (cell: string) => cell.split(lineEnd).slice(1, -1).some(isWhole);
    if (columns < 3 || !cells.some((cell) => hasLines(cell) && swallows(cell))) return undefined;
    return 'a value spans several lines of the file; a quotation mark may be missing';
  }

  /** As where files were joined. One word alone may well be a value. */
  #isHeaderAgain(cells: readonly string[]): boolean {
    const { header = [] } = this;
    if (header.length < 2 || cells.length !== header.length) return false;
    return cells.every((cell, at) => namedAs(cell) === header[at]);
  }
}

/** The name of a column in one form. */
function namedAs(cell: string): string {
  return cell.normalize('NFC').trim();
}

const lineEnd = /\r\n|\n|\r/;

function hasLines(cell: string): boolean {
  return cell.includes('\n') || cell.includes('\r');
}

function notClosed(line: number): WrongFile {
  const where = line <= 0 ? 'its first line' : `line ${line} after the header`;
  return new WrongFile(`${where} has an opening quotation mark without a closing one.`);
}

/** A first line `sep=;`, which Excel reads and writes, names the separator and is no data. */
function withoutSeparatorLine(text: string): {
  readonly text: string;
  readonly separator?: string;
} {
  const [line, written] = /^"?sep=(\\t|[^\r\n"]?)\1*"?(?:\r\n|\n|\r|$)/iu.exec(text) ?? [];
  if (line === undefined) return { text };
  const separator = written?.toLowerCase() === '\\t' ? '\t' : written;
  return { text: text.slice(line.length), ...(separator ? { separator } : {}) };
}

/** Lines end in LF, or in CR alone. The CR of a CR LF is taken off the row's last cell. */
function formOf(text: string, separator: string | undefined): CsvForm {
  // Excel for Mac ends lines with CR and breaks those within a cell with LF.
  const outside = text.replace(/"[^"]*(?:"|$)/g, '');
  const newline = !outside.includes('\n') && outside.includes('\r') ? '\r' : '\n';
  if (separator !== undefined) return { separator, newline };
  const { meta } = Papa.parse<string[]>(text, { preview: 20, newline, skipEmptyLines: 'greedy' });
  return { separator: meta.delimiter, newline };
}

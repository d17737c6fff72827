// Fills an EventRows from JavaScript values. Refuse unpaired surrogates before: as UTF-8 they would
// all become U+FFFD.

import { Buffer } from 'node:buffer';
import type { Slices } from '../../../engine/base/string-table.ts';
import type { EventRows } from './event-rows.ts';
import { clearEventRows, rowsMax } from './event-rows.ts';

/** `finish` makes the buffer `rows.bytes`. */
export class RowWriter {
  readonly #rows: EventRows;
  readonly #names = new Map<string, number>();
  #buffer: Buffer;
  #length = 0;

  constructor(rows: EventRows, bytesExpected: number) {
    this.#rows = rows;
    this.#buffer = Buffer.allocUnsafe(bytesExpected);
    clearEventRows(rows, this.#buffer);
  }

  /** Begins a row without texts; returns its number. Throws beyond `rowsMax`. */
  begin(index: number, atMs: number): number {
    const rows = this.#rows;
    const row = rows.count++;
    if (row >= rowsMax) throw new RangeError('more rows than an EventRows holds');
    rows.index[row] = index;
    rows.atMs[row] = atMs;
    rows.refs[row] = 0;
    rows.external.end[row] = 0;
    rows.id.end[row] = 0;
    rows.props.end[row] = 0;
    return row;
  }

  name(row: number, text: string): void {
    let index = this.#names.get(text);
    if (index === undefined) {
      index = this.#rows.nameCount++;
      this.#names.set(text, index);
      this.text(this.#rows.names, index, text);
    }
    this.#rows.name[row] = index;
  }

  /** `which` indexes `references`. */
  reference(row: number, which: number, text: string): void {
    const rows = this.#rows;
    this.text(rows.reference[which] as Slices, row, text);
    rows.refs[row] = (rows.refs[row] as number) | (1 << which);
    rows.anyRefs = true;
  }

  /** A non-empty text, for any column of slices. */
  text(column: Slices, row: number, text: string): void {
    column.start[row] = this.#length;
    this.#append(text);
    column.end[row] = this.#length;
  }

  appId(text: string): void {
    this.#rows.appIdStart = this.#length;
    this.#append(text);
    this.#rows.appIdEnd = this.#length;
  }

  finish(): void {
    this.#rows.bytes = this.#buffer;
  }

  #append(text: string): void {
    // A UTF-16 unit takes at most three UTF-8 bytes.
    if (text.length * 3 > this.#buffer.length - this.#length) {
      const grown = Buffer.allocUnsafe(this.#buffer.length * 2 + text.length * 3);
      this.#buffer.copy(grown, 0, 0, this.#length);
      this.#buffer = grown;
    }
    this.#length += this.#buffer.write(text, this.#length);
  }
}

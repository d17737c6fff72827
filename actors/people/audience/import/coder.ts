// Values by row as codes, for one slice of an import after another.

import type { CodedColumn } from '../protocol.ts';

export class Coder<Value> {
  readonly codes: Uint16Array;
  #values: Value[] = [];
  readonly #codeOf = new Map<Value, number>();

  constructor(rows: number) {
    this.codes = new Uint16Array(rows);
  }

  get values(): CodedColumn<Value>['values'] {
    return this.#values;
  }

  /** For the next slice. */
  clear(): void {
    this.codes.fill(0);
    this.#values = [];
    this.#codeOf.clear();
  }

  set(row: number, value: Value): void {
    this.codes[row] = this.codeOf(value);
  }

  /** Lists are not compared, so each has a code of its own. */
  codeOf(value: Value): number {
    let code = this.#codeOf.get(value);
    if (code === undefined) {
      code = this.#values.push(value);
      this.#codeOf.set(value, code);
    }
    return code;
  }
}

// Columns of some rows of a slice.

import type { CodedColumn } from '../protocol.ts';

/** A column of some rows, without values that none of them has. `codeOf`: 0 for none. */
export function recoded<Value>(
  { values, codes }: CodedColumn<Value>,
  rows: readonly number[],
  codeOf = (row: number): number => codes[row] as number,
): CodedColumn<Value> {
  const kept: Value[] = [];
  const newCodes = new Uint16Array(values.length + 1);
  const ofRows = Uint16Array.from(rows, (row) => {
    const code = codeOf(row);
    if (code !== 0) newCodes[code] ||= kept.push(values[code - 1] as Value);
    return newCodes[code] as number;
  });
  return { values: kept, codes: ofRows };
}

// What all values of a column have in common. A type is guessed from the whole file: one value that
// it would change makes the column a text.

import {
  cellValue,
  isExactNumber,
  isList,
  isNumber,
  isYesNo,
  type TagType,
} from './typed-value.ts';

/** A value and the line that has it, counted from 1. */
export interface Found {
  readonly line: number;
  readonly value: string;
}

export interface ColumnFacts {
  /** Those that are not blank. */
  readonly values: number;
  /** Numbers that are written back as they stand. */
  readonly exactNumbers: number;
  readonly numbers: number;
  readonly yesNos: number;
  /** The word no, which is also the code of Norway and of its language. */
  readonly nos: number;
  readonly lists: number;
  /** Where a text is parted into a list; absent where a list is a list already. */
  readonly splitAt?: '|' | ';' | ',';
  /** The first value of each kind that is not. */
  readonly notExact?: Found;
  readonly notNumber?: Found;
  readonly notYesNo?: Found;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export const noFacts: ColumnFacts = {
  values: 0,
  exactNumbers: 0,
  numbers: 0,
  yesNos: 0,
  nos: 0,
  lists: 0,
  splitAt: ',',
};

/** Collects the facts of all columns, line by line. */
export class Survey {
  readonly #columns: Mutable<ColumnFacts>[] = [];

  /** Cells of a CSV. */
  addCells(line: number, cells: readonly string[]): void {
    for (const [column, cell] of cells.entries()) {
      const value = cellValue(cell);
      if (value === '') continue;
      const facts = this.#at(column);
      facts.values++;
      const found = mayBeNumber(value) && isNumber(value);
      if (found) facts.numbers++;
      else facts.notNumber ??= { line, value };
      if (found && isExactNumber(value)) facts.exactNumbers++;
      else facts.notExact ??= { line, value };
      // The longest is "false".
      if (value.length <= 5 && isYesNo(value)) {
        facts.yesNos++;
        if (/^no$/i.test(value)) facts.nos++;
      } else facts.notYesNo ??= { line, value };
      if (!value.includes('|') && !value.includes(';')) continue;
      if (!isList(value)) continue;
      facts.lists++;
      if (value.includes('|')) facts.splitAt = '|';
      else if (facts.splitAt === ',') facts.splitAt = ';';
    }
  }

  /** Values of JSON, which have their types already. `texts` are the values as cells. */
  addValues(line: number, values: readonly unknown[], texts: readonly string[]): void {
    for (const [column, value] of values.entries()) {
      const text = texts[column] ?? '';
      if (text === '') continue;
      const facts = this.#at(column);
      delete facts.splitAt;
      facts.values++;
      const found = { line, value: text };
      if (typeof value === 'number') {
        facts.exactNumbers++;
        facts.numbers++;
      } else {
        facts.notExact ??= found;
        facts.notNumber ??= found;
      }
      if (typeof value === 'boolean') facts.yesNos++;
      else facts.notYesNo ??= found;
      if (Array.isArray(value)) facts.lists++;
    }
  }

  facts(columns: number): readonly ColumnFacts[] {
    return Array.from({ length: columns }, (_, at) => ({ ...this.#at(at) }));
  }

  #at(column: number): Mutable<ColumnFacts> {
    const known = this.#columns[column];
    if (known !== undefined) return known;
    const made = { ...noFacts };
    this.#columns[column] = made;
    return made;
  }
}

/** Begins with a digit or a minus; half the time of a first pass without it. */
function mayBeNumber(value: string): boolean {
  const first = value.charCodeAt(0);
  return first === 0x2d || (first >= 0x30 && first <= 0x39);
}

/** A type that leaves every value of the column as it is. */
export function tagTypeOf({ values, exactNumbers, yesNos, nos, lists }: ColumnFacts): TagType {
  if (values === 0) return 'string';
  if (exactNumbers === values) return 'number';
  if (yesNos === values && nos < values) return 'boolean';
  return lists >= values * 0.5 ? 'list' : 'string';
}

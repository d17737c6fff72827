// Declares a table: its number in keys, its name, its stored field order. Append only: a new order
// or a reused id would change every record already written.

import type { TypedTable } from '../engine/actor/message.ts';
import { assert } from '../engine/base/assert.ts';
import { decodeRecord, encodeRecord } from './codec.ts';

/** A table and its codec. `Row` is plain data: no classes, functions, Date or top-level null. */
export interface Table<Row extends object> extends TypedTable<Row> {
  readonly version: number;
  readonly fields: readonly string[];
  /** A row's record. Drops undeclared fields. */
  encode(row: Row): Uint8Array;
  /** A row of this or an older version, without absent fields. Throws `DamagedRecord`. */
  decode(record: Uint8Array, key: Uint8Array): Row;
}

interface TableDeclaration<Row extends object, Field extends keyof Row & string> {
  /** 0 to 255, never reused: the first byte of every key. */
  readonly id: number;
  /** Plural, as in the documentation. */
  readonly name: string;
  /** All fields in stored order; new ones go last, removed ones keep their place. */
  readonly fields: readonly Field[];
  /** 1 to 255; raise it for each change of the list or a field's meaning. */
  readonly version: number;
  /** Updates a row of an older version (fills a default, changes a unit). */
  readonly upgrade?: (row: Row, version: number) => Row;
}

// The runtime passes tables by their plain type, and tools start from a key's first byte.
const declared = new Map<number, Table<never>>();

/**
 * `defineTable<Org>()({ id, name, fields, version })`. A field missing from `fields` does not
 * compile. The empty call: TypeScript cannot infer `Field` beside a given `Row`.
 */
export function defineTable<Row extends object>() {
  return <const Field extends keyof Row & string>(
    declaration: TableDeclaration<Row, Field> &
      ([Exclude<keyof Row, Field>] extends [never]
        ? unknown
        : { readonly fields: readonly (keyof Row)[]; readonly missing: Exclude<keyof Row, Field> }),
  ): Table<Row> => {
    const { id, name, version, upgrade } = declaration;
    const fields: readonly Field[] = declaration.fields;
    assert(Number.isInteger(id) && id >= 0 && id <= 255, `table ${name}: an id is 0 to 255`);
    assert(
      Number.isInteger(version) && version >= 1 && version <= 255,
      `table ${name}: a version is 1 to 255`,
    );
    assert(!declared.has(id), `tables ${declared.get(id)?.name} and ${name} both have id ${id}`);
    assert(new Set(fields).size === fields.length, `table ${name} names a field twice`);
    const table: Table<Row> = {
      id,
      name,
      version,
      fields,
      encode(row) {
        const values: unknown[] = new Array(fields.length);
        for (let i = 0; i < fields.length; i++) {
          const value: unknown = row[fields[i] as Field];
          assert(value !== null, `${name}.${fields[i]} is null: leave an absent field out`);
          values[i] = value;
        }
        return encodeRecord(version, values);
      },
      decode(record, key) {
        const stored = decodeRecord(version, record, name, key);
        const row: Record<string, unknown> = {};
        const count = Math.min(fields.length, stored.fields.length);
        for (let i = 0; i < count; i++) {
          const value = stored.fields[i];
          if (value !== null && value !== undefined) row[fields[i] as Field] = value;
        }
        // The only place where bytes become a typed row: the checksum proves `encode` wrote them.
        const typed = row as Row;
        return stored.version < version && upgrade ? upgrade(typed, stored.version) : typed;
      },
    };
    declared.set(id, table as unknown as Table<never>);
    return table;
  };
}

/** The declared table of a runtime reference; asserts that it exists. */
export function declaredTable<Row extends object>(reference: TypedTable<Row>): Table<Row> {
  const table = declared.get(reference.id);
  assert(table === (reference as unknown), `table ${reference.name} was not made by defineTable`);
  return table as unknown as Table<Row>;
}

/** By name, in a program that has loaded its areas. */
export function tableNamed(name: string): Table<object> | undefined {
  return [...declared.values()].find((table) => table.name === name) as Table<object> | undefined;
}

/** The table with this id, if declared; for tools that walk raw keys. */
export function tableById(id: number): Table<object> | undefined {
  return declared.get(id) as Table<object> | undefined;
}

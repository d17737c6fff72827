// Declares a table: its number in the keys, its name, and the order of its fields at rest. The
// declaration is the whole schema, so changing the order of fields or reusing an id is changing
// every record already written: append only.

import type { TypedTable } from '../engine/actor/message.ts';
import { assert } from '../engine/base/assert.ts';
import { decodeRecord, encodeRecord } from './codec.ts';

/**
 * A declared table, with its codec. `Row` is plain data: no classes, no functions, no Date, no
 * top-level null.
 */
export interface Table<Row extends object> extends TypedTable<Row> {
  /** The version that new records get. */
  readonly version: number;
  /** Names in stored order. */
  readonly fields: readonly string[];
  /** The record of a row. Fields that are not declared are not written. */
  encode(row: Row): Uint8Array;
  /**
   * The row of a record of this or any older version; absent fields are left out. Throws
   * `DamagedRecord`.
   */
  decode(record: Uint8Array, key: Uint8Array): Row;
}

/** What a table is declared from. */
interface TableDeclaration<Row extends object, Field extends keyof Row & string> {
  /** 0 to 255, never reused: it is the first byte of every key. */
  readonly id: number;
  /** Plural, as the documentation calls it. */
  readonly name: string;
  /**
   * Every field of `Row`, in stored order; new ones go last, and removed ones keep their place
   * under any name.
   */
  readonly fields: readonly Field[];
  /** 1 to 255; raise it with every change of what a field means, or of the list. */
  readonly version: number;
  /** Brings a row of an older version up to date, once read (fills a default, changes a unit). */
  readonly upgrade?: (row: Row, version: number) => Row;
}

// By id. A registry, because the runtime hands tables on by their plain type and tools start from a
// key's first byte.
const declared = new Map<number, Table<never>>();

/**
 * Declares a table: `defineTable<Org>()({ id, name, fields, version })`. A field of `Row` missing
 * from `fields` does not compile. The empty call is there because TypeScript cannot infer `Field`
 * beside a given `Row`.
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
        // The one place where bytes become a typed row: the checksum says that `encode` wrote them.
        const typed = row as Row;
        return stored.version < version && upgrade ? upgrade(typed, stored.version) : typed;
      },
    };
    declared.set(id, table as unknown as Table<never>);
    return table;
  };
}

/**
 * The declared table that a runtime's table reference stands for. Asserts that it was declared
 * here.
 */
export function declaredTable<Row extends object>(reference: TypedTable<Row>): Table<Row> {
  const table = declared.get(reference.id);
  assert(table === (reference as unknown), `table ${reference.name} was not made by defineTable`);
  return table as unknown as Table<Row>;
}

/** The table with this id, if the running program declares one; for tools that walk raw keys. */
export function tableById(id: number): Table<object> | undefined {
  return declared.get(id) as Table<object> | undefined;
}

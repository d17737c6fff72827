// How rows of counted tables come into an app's sums: each change by what it adds, and once all
// rows that were there before anything counted them. That goes table by table and row by row, and
// a change of a row that it has not reached yet is left for it.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentReader,
  type DocumentWrite,
  type KeyPart,
  type Tell,
  type TypedTable,
} from '../../../engine/actor/message.ts';
import type { Bytes } from '../../../engine/base/brand.ts';
import { encodeKey } from '../../../storage/keys.ts';
import { declaredTable } from '../../../storage/table.ts';
import type { EveryArea } from '../../area.ts';
import type { RowBytes, RowKind } from '../../stored-share.ts';
import { rowBytes } from '../../weight.ts';
import type { UsageEntry } from './protocol.ts';
import type { UsageView } from './reads.ts';
import type { Counted, RowPlace } from './stored-bytes.ts';

/** Rows per turn; one may have half a megabyte. */
const sliceRows = 16;
/** The same of the ledger of webhooks, whose rows are small and many. */
const sliceSmallRows = 256;

type Tables = EveryArea<never>['stored']['tables'];
type Reading = Pick<Context, 'owner'> & { readonly documents: Pick<DocumentReader, 'lend'> };

/** Of all tables, counted or not. */
export class CountedTables {
  readonly #kinds: (RowKind | undefined)[] = new Array(256).fill(undefined);
  /** In the order of their numbers. */
  readonly ordered: readonly TypedTable<object>[];

  constructor(tables: Tables) {
    for (const [kind, { id }] of tables) this.#kinds[id] = kind;
    this.ordered = tables.map(([, table]) => table).sort((a, b) => a.id - b.id);
  }

  kindOf(table: number): RowKind | undefined {
    return this.#kinds[table];
  }
}

/** What a decision's documents add to counted rows; `undefined` without such documents. */
export function rowsGrown(
  tables: CountedTables,
  counted: Counted,
  writes: readonly DocumentWrite[],
  context: Reading,
): RowBytes | undefined {
  let last: Map<string, DocumentWrite> | undefined;
  for (const write of writes) {
    if (tables.kindOf(write.table.id) === undefined) continue;
    if (counted !== 'all' && !isCounted(counted, write, context.owner)) continue;
    last ??= new Map();
    // A decision may write a row twice: the last one stays.
    last.set(nameOf(write, context.owner), write);
  }
  if (last === undefined) return undefined;
  const sums: { [Kind in RowKind]?: Bytes } = {};
  for (const { table, key, value } of last.values()) {
    const kind = tables.kindOf(table.id);
    if (kind === undefined) continue;
    const after = value === undefined ? 0 : rowBytes + declaredTable(table).encode(value).length;
    const grown = after - storedLength(table, key, context);
    if (grown !== 0) sums[kind] = (sums[kind] ?? 0) + grown;
  }
  return sums;
}

/** Counts the next rows that nobody counted; it tells itself to go on. */
export function countRows(
  { stored }: UsageView,
  tables: CountedTables,
  context: Context,
): Decision<null> {
  const { owner, documents } = context;
  const { counted } = stored;
  const table =
    counted === 'all' ? undefined : tables.ordered.find(({ id }) => id >= counted.table);
  if (counted === 'all' || table === undefined) return accepted(null);
  const kind = tables.kindOf(table.id) as RowKind;
  const limit = kind === 'webhooks' ? sliceSmallRows : sliceRows;
  const from = counted.table === table.id ? counted.key : undefined;
  const keys: (readonly KeyPart[])[] = [];
  const range = { limit, damaged: (key: readonly KeyPart[]) => keys.push(key) };
  const start = from === undefined ? {} : { from: after(from) };
  for (const { key } of documents.range(table, { ...start, ...range })) keys.push(key);
  keys.sort((a, b) => Buffer.compare(encodeKey(table.id, owner, a), encodeKey(table.id, owner, b)));
  let bytes = 0;
  for (const key of keys) bytes += storedLength(table, key, context);
  const isLast = keys.length < limit && table === tables.ordered.at(-1);
  const last = keys.length < limit ? undefined : keys.at(-1);
  const place: RowPlace =
    last === undefined ? { table: table.id + 1 } : { table: table.id, key: last };
  const entry: UsageEntry = {
    kind: 'storage.counted',
    owner,
    to: isLast ? 'all' : place,
    ...(bytes === 0 ? {} : { rows: { [kind]: bytes } }),
  };
  return accepted(null, { entries: [entry], work: bytes, tells: isLast ? [] : [countTell(owner)] });
}

export function countTell(owner: number): Tell {
  return { to: owner, message: { kind: 'storage.count', by: -1 } as Tell['message'] };
}

/** Also of a record that nobody can read. */
function storedLength(
  table: TypedTable<object>,
  key: readonly KeyPart[],
  { documents }: Reading,
): Bytes {
  let length = 0;
  const isThere = documents.lend(table, key, (record) => {
    length = record.byteLength;
  });
  return isThere ? rowBytes + length : 0;
}

/** Whether the count has reached a row. */
function isCounted(to: RowPlace, { table, key }: DocumentWrite, owner: number): boolean {
  if (table.id !== to.table) return table.id < to.table;
  if (to.key === undefined) return false;
  const one = encodeKey(table.id, owner, key);
  return Buffer.compare(one, encodeKey(table.id, owner, to.key)) <= 0;
}

/** The least key after one: the same with the least part behind it. */
function after(key: readonly KeyPart[]): readonly KeyPart[] {
  return [...key, 0];
}

function nameOf({ table, key }: DocumentWrite, owner: number): string {
  return Buffer.from(encodeKey(table.id, owner, key)).toString('latin1');
}

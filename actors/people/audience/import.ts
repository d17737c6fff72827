// Decides one slice of a bulk import: upserts rows in order; a bad one leaves only its error.
// Documents and people change only after the decision, so `SliceDocuments`, `newcomers` and
// `created` show later rows what earlier ones did.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentWrite,
  type Entry,
  type KeyPart,
  type TypedTable,
} from '../../../engine/actor/message.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { DamagedRecord } from '../../../storage/codec.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import type { AudienceEntry, ImportReply, RowError, SubscriberInput } from './protocol.ts';
import { type Upserted, type UpsertResult, upsert } from './upsert.ts';
import type { AudienceView } from './view.ts';

/** Bytes of records after which a slice ends: small rows may change large records. */
const sliceBytesMax = 2 * 1024 * 1024;

/** Upserts at least one of the rows; `handled` in the reply says how many. */
export function importSlice(
  app: AudienceView,
  rows: readonly SubscriberInput[],
  context: Context,
  allowHttp: boolean,
): Decision<ImportReply> {
  const documents = new SliceDocuments(context.documents);
  const entries = new SliceEntries();
  const errors: RowError[] = [];
  const newcomers = new Map<string, PersonOrdinal>();
  const within = { owner: context.owner, nowMs: context.nowMs, rng: context.rng, documents };
  let created = 0;
  let updated = 0;
  let bytes = 0;
  let handled = 0;
  const upsertRow = (row: SubscriberInput): UpsertResult => {
    const known = row.externalUserId;
    const person =
      known === undefined ? undefined : (newcomers.get(known) ?? app.people.find(known));
    const existing = person === undefined ? undefined : documents.get(subscribers, [person]);
    return upsert(app, row, existing, within, {
      allowHttp,
      nextPerson: app.people.next + created,
    });
  };
  while (handled < rows.length && bytes < sliceBytesMax) {
    const result = orDamaged(upsertRow, rows[handled] as SubscriberInput);
    if ('fault' in result) errors.push({ row: handled, error: result.fault.message });
    else {
      const { row, bytesMax } = result;
      documents.write(result.documents);
      entries.add(result.entries);
      bytes += bytesMax;
      if (!result.created) updated++;
      else {
        created++;
        if (row.externalUserId !== undefined) newcomers.set(row.externalUserId, row.person);
      }
    }
    handled++;
  }
  return accepted(
    { handled, created, updated, errors },
    { entries: entries.all, documents: documents.writes() },
  );
}

/** A damaged record fails the rows that need it, not the slice. */
function orDamaged(
  upsertRow: (row: SubscriberInput) => UpsertResult,
  row: SubscriberInput,
): UpsertResult {
  try {
    return upsertRow(row);
  } catch (error) {
    if (!(error instanceof DamagedRecord)) throw error;
    const message = 'row: the stored record to update cannot be read';
    return { fault: { code: 'internal', message, detail: error.message } };
  }
}

/** The documents with the slice's writes so far, the last one per key. */
class SliceDocuments {
  readonly #below: Context['documents'];
  readonly #written = new Map<string | number, DocumentWrite>();

  constructor(below: Context['documents']) {
    this.#below = below;
  }

  get<Row extends object>(table: TypedTable<Row>, key: readonly KeyPart[]): Row | undefined {
    const written = this.#written.get(nameOf(table.id, key));
    // The name starts with this table's id.
    return written === undefined ? this.#below.get(table, key) : (written.value as Row | undefined);
  }

  write(documents: Upserted['documents']): void {
    for (const write of documents) this.#written.set(nameOf(write.table.id, write.key), write);
  }

  writes(): readonly DocumentWrite[] {
    return [...this.#written.values()];
  }
}

/** A unique name of table and key: no channel has a NUL, and bytes come last. */
function nameOf(table: number, key: readonly KeyPart[]): string | number {
  const [first] = key;
  // A table's id is a byte.
  if (typeof first === 'number' && key.length === 1) return first * 256 + table;
  let name = String(table);
  for (const part of key) {
    name += typeof part === 'object' ? `\0${latin1(part)}` : `\0${part}`;
  }
  return name;
}

function latin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

/** The entries of a slice, one per person. */
class SliceEntries {
  readonly all: Entry[] = [];
  readonly #seen = new Set<PersonOrdinal>();

  add(entries: readonly Entry[]): void {
    for (const entry of entries as readonly AudienceEntry[]) {
      if ('person' in entry) {
        if (this.#seen.has(entry.person)) continue;
        this.#seen.add(entry.person);
      }
      this.all.push(entry);
    }
  }
}

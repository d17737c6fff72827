// Decides one slice of a bulk import: upserts rows in order; a bad one leaves only its error, and a
// bad device of a good row only its own.
// Documents and people change only after the decision, so `PendingDocuments`, `newcomers` and
// `created` show later rows what earlier ones did.

import {
  accepted,
  type Context,
  type Decision,
  type Entry,
} from '../../../../engine/actor/message.ts';
import type { PersonOrdinal } from '../../../../engine/base/brand.ts';
import { DamagedRecord } from '../../../../storage/codec.ts';
import { subscribers } from '../../../../storage/tables/subscriber.ts';
import { isWaiting, owingMails } from '../consent.ts';
import type { AudienceView } from '../memory.ts';
import { PendingDocuments } from '../pending-documents.ts';
import type {
  AudienceEntry,
  Consent,
  ImportReply,
  RowError,
  SubscriberInput,
  TriedImport,
} from '../protocol.ts';
import { newTags } from '../tags.ts';
import { type UpsertReads, type UpsertResult, upsert } from '../upsert.ts';
import type { SliceRows } from './pack-rows.ts';
import { PackedSlice } from './packed-slice.ts';
import { unpackedRow } from './unpack-row.ts';

/** Bytes of records after which a slice ends: small rows may change large records. */
const sliceBytesMax = 2 * 1024 * 1024;

/** The rows, and what their people have agreed to; default: `confirmed`. */
interface ConsentedRows extends SliceRows {
  readonly consent?: Consent;
}

/** Upserts at least one of the rows; `handled` in the reply says how many. */
export function importSlice(
  app: AudienceView,
  slice: ConsentedRows,
  context: Context,
  allowHttp: boolean,
): Decision<ImportReply> {
  const decided = decideSlice(app, slice, context, allowHttp);
  const { reply, entries, documents, packed, waiting } = decided;
  const ofPacked = packed?.end() ?? { entries: [], records: [] };
  const decision = accepted(reply, {
    entries: [...ofPacked.entries, ...entries.all],
    documents: documents.writes(),
    records: ofPacked.records,
  });
  return owingMails(decision, waiting, context);
}

/** The same reply, after the slices that were tried before this one, and nothing is written. */
export function trySlice(
  app: AudienceView,
  { rows, consent }: { readonly rows: readonly SubscriberInput[]; readonly consent?: Consent },
  tried: TriedImport = nothingTried,
  context: Context,
  allowHttp: boolean,
): Decision<ImportReply & { readonly tried: TriedImport }> {
  const asked = consent === undefined ? {} : { consent };
  const slice = decideSlice(app, { rows, ...asked }, context, allowHttp, tried);
  const { reply, documents, newcomers } = slice;
  const refused = reply.errors.filter(({ device }) => device === undefined);
  const failed = new Set(refused.map(({ row }) => row));
  const tags = new Set(tried.tags);
  for (const [place, row] of rows.slice(0, reply.handled).entries())
    if (!failed.has(place))
      for (const key of newTags(row.tags ?? {}, app.traits.tags)) tags.add(key);
  const created = tried.created + reply.created;
  return accepted({ ...reply, tried: { writes: documents.written, newcomers, created, tags } });
}

const nothingTried: TriedImport = {
  writes: new Map(),
  newcomers: new Map(),
  created: 0,
  tags: new Set(),
};

function decideSlice(
  app: AudienceView,
  { rows, packed: columns, consent = 'confirmed' }: ConsentedRows,
  context: Context,
  allowHttp: boolean,
  tried: TriedImport = nothingTried,
) {
  const documents = new PendingDocuments(context.documents, tried.writes);
  const isAsked = consent === 'doubleOptIn';
  const packed = columns && new PackedSlice(app, columns, context, documents, isAsked);
  const entries = new SliceEntries();
  const told = new SliceTold(isAsked);
  const newcomers = new Map<string, PersonOrdinal>(tried.newcomers);
  const within = { owner: context.owner, nowMs: context.nowMs, rng: context.rng, documents };
  const reads = tried.tags.size === 0 ? app : withTags(app, tried.tags);
  const nextPerson = () => app.people.next + tried.created + told.created;
  let bytes = 0;
  let handled = 0;
  let ofPacked = 0;
  const upsertRow = (row: SubscriberInput): UpsertResult => {
    const known = row.externalUserId;
    const person =
      known === undefined ? undefined : (newcomers.get(known) ?? app.people.find(known));
    const existing = person === undefined ? undefined : documents.get(subscribers, [person]);
    return upsert(reads, row, existing, within, {
      allowHttp,
      skipsDevices: true,
      keepsOut: true,
      skipsUnchanged: person !== undefined && !app.monthlyActive.isUnvouched(person),
      nextPerson: nextPerson(),
      ...(isAsked ? { consent } : {}),
    });
  };
  const decideRow = (input: SubscriberInput): void => {
    const result = orDamaged(upsertRow, input);
    told.add(handled, result);
    if ('fault' in result) return;
    const { row, bytesMax } = result;
    documents.write(result.documents);
    entries.add(result.entries);
    bytes += bytesMax;
    if (result.created && row.externalUserId !== undefined)
      newcomers.set(row.externalUserId, row.person);
  };
  while (handled < rows.length && bytes < sliceBytesMax) {
    const row = rows[handled] as SubscriberInput | null;
    if (row !== null) decideRow(row);
    else if (columns !== undefined) {
      const outcome = packed?.decide(ofPacked, nextPerson());
      if (outcome === undefined) decideRow(unpackedRow(columns, ofPacked));
      else {
        told[outcome === 'created' ? 'created' : 'updated']++;
        bytes += columns.bytesMax[ofPacked] as number;
      }
      ofPacked++;
    }
    handled++;
  }
  return {
    reply: told.reply(handled),
    ...{ entries, documents, newcomers, packed, waiting: told.waiting },
  };
}

/** What became of the rows. */
class SliceTold {
  created = 0;
  updated = 0;
  readonly waiting: PersonOrdinal[] = [];
  readonly #isAsked: boolean;
  readonly #errors: RowError[] = [];
  #keptOut = 0;

  constructor(isAsked: boolean) {
    this.#isAsked = isAsked;
  }

  add(place: number, result: UpsertResult): void {
    if ('fault' in result) {
      this.#errors.push({ row: place, error: result.fault.message });
      return;
    }
    this[result.created ? 'created' : 'updated']++;
    this.#keptOut += result.keptOut;
    for (const one of result.refused) this.#errors.push({ row: place, ...one });
    if (this.#isAsked && isWaiting(result.row)) this.waiting.push(result.row.person);
  }

  reply(handled: number): ImportReply {
    return {
      handled,
      created: this.created,
      updated: this.updated,
      ...(this.#isAsked ? { unconfirmed: new Set(this.waiting).size } : {}),
      ...(this.#keptOut > 0 ? { keptOut: this.#keptOut } : {}),
      errors: this.#errors,
    };
  }
}

/** The app as it would be with more tags. */
function withTags(
  { people, settings, emailDomains, traits, unvouched, topics }: AudienceView,
  more: Iterable<string>,
): UpsertReads {
  const tags = new Map<string, unknown>(traits.tags);
  for (const key of more) tags.set(key, true);
  const { events } = traits;
  return { people, settings, emailDomains, traits: { tags, events }, unvouched, topics };
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

// Decides one `POST /e`: reads the body, finds or creates people, drops seen ids, packs the rest as
// one columnar entry. Errors are per event. A repeated id counts as accepted, so a retried batch
// gets the same response.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentWrite,
  refused,
} from '../../../engine/actor/message.ts';
import { type Bytes, hourMs, type PersonOrdinal } from '../../../engine/base/brand.ts';
import { type Hash64, type HashKey, hash64 } from '../../../engine/base/hash.ts';
import { subscriberId } from '../../../engine/base/id.ts';
import { aliases, type SubscriberRow, subscribers } from '../../../storage/tables/subscriber.ts';
import { fault, unknownFieldFault } from '../../faults.ts';
import { limits } from '../../limits.ts';
import type { PeopleReads } from '../../people/audience/reads.ts';
import { verificationOf } from '../../people/identity-keys.ts';
import type { KeylessQuota } from '../../people/keyless.ts';
import { addressLimitReached, appLimitReached, mayCreateKeyless } from '../../people/keyless.ts';
import { addressNamesReached, type NameQuota, nameLimitReached } from '../../people/name-limit.ts';
import { keptDaysOf, keptFromMs } from '../../tenants/accounts/records.ts';
import { encodeBatch, unnumbered } from '../log/batch.ts';
import { createEventRows, type IngestLimits, rowsMax, sliceText } from '../log/event-rows.ts';
import type { EventsMemory, EventsView } from '../memory.ts';
import type { EventsEntry, IngestReply } from '../protocol.ts';
import { oldestIdHour } from '../retention.ts';
import { SeenIds } from './seen-ids.ts';
import { readIngest, readParts } from './slow-path.ts';
import { UnknownNames } from './unknown-names.ts';

// A thread decides one request at a time and reuses the columns.
const rows = createEventRows();
const unknown = new UnknownNames();
const accepting = new Uint8Array(rowsMax);
const person = new Uint32Array(rowsMax);
const createdRow = new Uint16Array(rowsMax);
const createdHigh16 = new Uint16Array(rowsMax);
/** By row: its external id's person, or −1. */
const known = new Int32Array(rowsMax);
const idHigh = new Uint32Array(rowsMax);
const idLow = new Uint32Array(rowsMax);
const hash: Hash64 = { high: 0, low: 0 };

/** Ids of the current request, at most `rowsMax`. */
const seenIds = new SeenIds(4096);

/** Without an API key: the person of its client token, and what its address may still create. */
interface KeylessSender {
  readonly proven?: PersonOrdinal;
  /** Whether an `identityHash` proved that person. */
  readonly isVouched?: boolean;
  readonly room: KeylessQuota | undefined;
  /** What it may still name; undefined for no limit. */
  readonly names: NameQuota | undefined;
}

/**
 * `sender` is undefined with an API key. `isStrict` refuses a call with members that nobody reads.
 */
export function ingest(
  state: EventsMemory,
  app: EventsView,
  sender: KeylessSender | undefined,
  isStrict: boolean,
  context: Context,
): Decision<IngestReply> {
  const keyless = sender !== undefined;
  const body = context.bytes;
  if (body === undefined)
    return refused(fault('invalid', 'body: expected a batch of events', { field: 'body' }));
  const read = readIngest(body, boundsOf(app, context), rows, unknown);
  if (read.outcome === 'refused') return refused(read.fault);
  if (isStrict && !unknown.isEmpty) return refused(unknownFieldFault(unknown.warnings));
  const errors = [...read.errors];
  const taken = takeRows(state, app, sender, errors, context);
  const { good, stored, created, brought } = taken;
  errors.sort((a, b) => a.index - b.index);
  const reply = replyOf(good, stored, errors, keyless ? created : 0, brought);
  return stored === 0 ? accepted(reply) : tracked(app, sender, taken, reply, context);
}

/**
 * Small requests of callers with a key, as if one request had all of their events: to decide, fold
 * and store a request costs several times what an event does. Only where every event of all of
 * them is accepted and new, since then each has the answer that it would have had by itself.
 */
export function ingestParts(
  state: EventsMemory,
  app: EventsView,
  parts: readonly Bytes[],
  context: Context,
): Decision<IngestReply> {
  const { bytes } = context;
  const each = bytes && readParts(bytes, parts, boundsOf(app, context), rows, unknown);
  if (each === undefined) return accepted(apart());
  const errors: IngestReply['errors'][number][] = [];
  const taken = takeRows(state, app, undefined, errors, context);
  if (errors.length > 0 || taken.stored < rows.count) return accepted(apart());
  const reply = { ...replyOf(rows.count, rows.count, errors, 0, 0), each };
  return tracked(app, undefined, taken, reply, context);
}

function apart(): IngestReply {
  unknown.clear();
  return { ...replyOf(0, 0, [], 0, 0), isApart: true };
}

function boundsOf(app: EventsView, { owner, nowMs, ages }: Context): IngestLimits {
  const retentionMs = nowMs - keptFromMs(app.settings, ages, nowMs);
  return { appOrdinal: owner, nowMs, retentionMs, keptDays: keptDaysOf(app.settings) };
}

interface Taken {
  /** Valid rows, and those of them that were not seen before. */
  readonly good: number;
  readonly stored: number;
  readonly created: number;
  readonly documents: readonly DocumentWrite[];
  /** New names that a keyless call brings. */
  readonly brought: number;
}

/** Decides which rows are stored and whom they are about. Adds to `errors`. */
function takeRows(
  state: EventsMemory,
  app: EventsView,
  sender: KeylessSender | undefined,
  errors: IngestReply['errors'][number][],
  context: Context,
): Taken {
  const key =
    state.eventIdKey === undefined ? undefined : saltedKey(state.eventIdKey, context.owner);
  const { people } = app;
  people.findAllBytes(rows.bytes, rows.external, rows.count, known);
  if (key !== undefined) hashIds(state, key);
  const keyless = sender !== undefined;
  const reading: Reading = {
    people,
    context,
    keyless,
    proven: sender?.proven,
    proofNeeded: keyless && verificationOf(app) === 'required',
    app,
    room: sender?.room,
    newcomers: undefined,
    created: 0,
    documents: [],
  };
  const names = newNames(app, sender);
  const { good, stored } = acceptRows(state, reading, names.surplus, key, errors);
  const { created, documents } = reading;
  return { good, stored, created, documents, brought: names.brought };
}

function tracked(
  app: EventsView,
  sender: KeylessSender | undefined,
  { created, documents }: Taken,
  reply: IngestReply,
  context: Context,
): Decision<IngestReply> {
  const entry: EventsEntry = {
    kind: 'events.tracked',
    owner: context.owner,
    atMs: context.nowMs,
    keyless: sender !== undefined,
    ...(sender?.isVouched === true ? { proven: sender.proven } : {}),
    batch: encodeBatch(
      rows,
      {
        accepted: accepting,
        person,
        receivedAtMs: context.nowMs,
        firstSeq: unnumbered,
        expectedSeq: app.nextEvent,
        ...(created > 0
          ? { created: { count: created, row: createdRow, high16: createdHigh16 } }
          : {}),
      },
      (bytes) => context.room.take(bytes),
    ),
  };
  return accepted(reply, { entries: [entry], documents });
}

/** If all events were seen before, nothing is written and nobody created. */
function replyOf(
  good: number,
  stored: number,
  errors: IngestReply['errors'],
  created: number,
  brought: number,
): IngestReply {
  return {
    accepted: good,
    rejected: errors.length,
    repeated: good - stored,
    errors,
    keylessCreated: stored > 0 ? created : 0,
    namesBrought: stored > 0 ? brought : 0,
    ...(unknown.isEmpty ? {} : { unknown: unknown.warnings }),
  };
}

interface Reading {
  readonly people: EventsView['people'];
  readonly context: Context;
  readonly keyless: boolean;
  readonly proven: PersonOrdinal | undefined;
  readonly proofNeeded: boolean;
  readonly app: EventsView;
  /** What a keyless sender's address may still create; undefined for no limit. */
  readonly room: KeylessQuota | undefined;
  newcomers: Map<string, number> | undefined;
  created: number;
  readonly documents: DocumentWrite[];
}

/** `good` counts valid rows, `stored` those not seen before. */
function acceptRows(
  state: EventsMemory,
  reading: Reading,
  surplus: NewNames['surplus'],
  key: HashKey | undefined,
  errors: IngestReply['errors'][number][],
): { readonly good: number; readonly stored: number } {
  let stored = 0;
  let good = 0;
  seenIds.clear();
  const { nowMs, ages } = reading.context;
  const hour = Math.floor(nowMs / hourMs);
  const oldest = oldestIdHour(ages, nowMs);
  for (let row = 0; row < rows.count; row++) {
    accepting[row] = 0;
    const problem = surplus?.get(rows.name[row] as number) ?? personProblem(reading, row);
    if (problem !== undefined) {
      errors.push({ index: rows.index[row] as number, error: problem });
      continue;
    }
    good++;
    if (
      key !== undefined &&
      (rows.id.end[row] as number) > 0 &&
      seenBefore(state, row, hour, oldest)
    )
      continue;
    accepting[row] = 1;
    stored++;
  }
  return { good, stored };
}

/** Fills `person[row]`. Returns an error sentence, if any. */
function personProblem(reading: Reading, row: number): string | undefined {
  const { people, context, proven, proofNeeded } = reading;
  if (rows.external.end[row] === 0) {
    const named = storedPerson(people, row, context);
    if (named < 0) return 'subscriberId: no such subscriber in this app';
    if (proofNeeded && named !== proven && isKnown(named, context))
      return `subscriberId: ${proofProblem(proven)}`;
    person[row] = named;
    return undefined;
  }
  const found = known[row] as number;
  if (proofNeeded && (proven === undefined || found !== proven))
    return `externalUserId: ${proofProblem(proven)}`;
  if (found >= 0) {
    person[row] = found;
    return undefined;
  }
  const text = sliceText(rows, rows.external, row) as string;
  reading.newcomers ??= new Map();
  const newcomer = reading.newcomers.get(text);
  if (newcomer !== undefined) {
    person[row] = newcomer;
    return undefined;
  }
  const { created, keyless, app, room } = reading;
  if (keyless) {
    if (room !== undefined && created >= room.mayCreate)
      return `externalUserId: ${addressLimitReached}`;
    if (!mayCreateKeyless(app, room, created, context.nowMs))
      return `externalUserId: ${appLimitReached(app.settings)}`;
  }
  const ordinal = people.next + created;
  const high16 = context.rng.uint32() >>> 16;
  reading.newcomers.set(text, ordinal);
  person[row] = ordinal;
  createdRow[created] = row;
  createdHigh16[created] = high16;
  reading.created++;
  reading.documents.push(newPerson(context, ordinal, high16, text, reading.keyless));
  return undefined;
}

interface NewNames {
  /** Why a name of the request is refused; nearly always undefined. */
  readonly surplus: ReadonlyMap<number, string> | undefined;
  /** How many new names a keyless call brings. */
  readonly brought: number;
}

const noNewNames: NewNames = { surplus: undefined, brought: 0 };

/** Looks at the request's names without a key, or if the app may lack room for them. */
function newNames({ traits }: EventsView, sender: KeylessSender | undefined): NewNames {
  const ofApp = limits.namesMax - traits.events.size;
  if (sender === undefined && ofApp >= rows.nameCount) return noNewNames;
  const ofAddress = sender?.names?.mayName ?? Number.POSITIVE_INFINITY;
  let surplus: Map<number, string> | undefined;
  let brought = 0;
  for (let index = 0; index < rows.nameCount; index++) {
    const name = sliceText(rows, rows.names, index);
    if (name === undefined || traits.events.has(name)) continue;
    if (brought < ofApp && brought < ofAddress) brought++;
    else {
      surplus ??= new Map();
      const problem = brought < ofApp ? addressNamesReached : nameLimitReached('events');
      surplus.set(index, `name: ${problem}`);
    }
  }
  return { surplus, brought };
}

/** Per app, so that equal ids of two apps hash differently. */
export function saltedKey(key: HashKey, owner: number): HashKey {
  return { low: (key.low ^ owner) >>> 0, high: key.high };
}

function newPerson(
  context: Context,
  ordinal: number,
  high16: number,
  externalUserId: string,
  unclaimed: boolean,
): DocumentWrite {
  const value: SubscriberRow = {
    id: subscriberId(context.owner, ordinal, context.nowMs, high16),
    person: ordinal,
    externalUserId,
    devices: [],
    tags: {},
    createdMs: context.nowMs,
    updatedMs: context.nowMs,
    ...(unclaimed ? { unclaimed } : {}),
  };
  return { table: subscribers, key: [ordinal], value };
}

function proofProblem(proven: PersonOrdinal | undefined): string {
  return proven === undefined
    ? 'this app requires identity verification; send the event with an API key or a clientToken'
    : 'the clientToken belongs to someone else';
}

/** A person with an external user id needs proof; an anonymous one does not. */
function isKnown(person: PersonOrdinal, context: Context): boolean {
  return context.documents.get(subscribers, [person])?.externalUserId !== undefined;
}

/** The subscriber id's person, merges followed; −1 unless all parts match. */
function storedPerson(people: PeopleReads, row: number, context: Context): PersonOrdinal | -1 {
  const ordinal = rows.person[row] as number;
  if (ordinal >= people.next) return -1;
  const canonical = people.canonical(ordinal);
  const { documents } = context;
  const stored =
    canonical === ordinal
      ? documents.get(subscribers, [ordinal])
      : documents.get(aliases, [ordinal]);
  const atMs = rows.personCreatedMs[row] as number;
  const named = subscriberId(context.owner, ordinal, atMs, rows.personHigh16[row] as number);
  return stored?.id === named ? canonical : -1;
}

/** Fills `idHigh` and `idLow`, and prefetches so that cache misses overlap. */
function hashIds(state: EventsMemory, key: HashKey): void {
  const { start, end } = rows.id;
  for (let row = 0; row < rows.count; row++) {
    if (end[row] === 0) continue;
    hash64(key, rows.bytes, start[row] as number, end[row] as number, hash);
    idHigh[row] = hash.high;
    idLow[row] = hash.low;
  }
  state.eventIds.touch(idHigh, rows.count);
}

function seenBefore(state: EventsMemory, row: number, hour: number, oldest: number): boolean {
  const high = idHigh[row] as number;
  const low = idLow[row] as number;
  return state.eventIds.has(high, low, hour, oldest) || seenIds.addOrHas(high, low);
}

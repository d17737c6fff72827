// An entry's facts: events as columns, and changed records. Each area has a `facts.ts`;
// `runtime/facts.ts` combines them. Columns are made once per entry, history's rows only when read.

import type { Entry } from '../../engine/actor/message.ts';
import type { Bytes, Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import { type ChannelId, channelIds } from '../channels/channel-ids.ts';
import type { AudienceEntry, Unsubscribed } from '../people/audience/protocol.ts';
import type { PeopleReads } from '../people/audience/reads.ts';
import { type EventDraft, encodeDrafts } from './drafts.ts';
import { decodeBatch, type EventBatch } from './event-batch.ts';
import { references, rowsMax } from './event-rows.ts';
import type { FactRows } from './fact-rows.ts';
import type { EventsEntry } from './protocol.ts';

/** The events of an entry in history. */
export type EventsOf = (entry: Entry) => readonly EventBatch[];

/** Of an event without properties, about. */
const codedRowBytes = 16;

/** No facts; areas override what their entries have. */
export class EntryFacts {
  /** Exactly the events that are numbered, folded and followed. */
  rows(): FactRows {
    return noRows;
  }

  /** Acceptance time, whatever the events' times. */
  acceptedMs(): Millis {
    return 0;
  }

  /** About what its events take in history. */
  storedBytes(): Bytes {
    return this.rows().count * codedRowBytes;
  }

  /** The channel, if all are receipts. */
  channel(): ChannelId | undefined {
    return undefined;
  }

  /** False for events that journeys cause: two could enroll into each other forever. */
  mayEnroll(_row: number): boolean {
    return true;
  }

  /** Whether it came of a call with a key or with this person's proof, or of a provider. */
  isVouched(_person: PersonOrdinal): boolean {
    return true;
  }

  /** Changed records, for which any filter may differ. */
  changedPeople(): readonly PersonOrdinal[] {
    return [];
  }

  /** Applies later merges. Call before reading. */
  resolve(_people: PeopleReads): void {}

  /** The events of these names in full, in the order of their numbers; all without `wants`. */
  drafts(_wants?: WantsName): readonly NumberedDraft[] {
    return [];
  }

  /** History's rows, with the entry's people. */
  batches(): readonly EventBatch[] {
    const drafts = this.drafts();
    const [first] = drafts;
    return first === undefined ? [] : packedBatches(drafts, this.acceptedMs(), first.seq);
  }
}

export type WantsName = (name: string) => boolean;

/** An event with its number in the app. */
export interface NumberedDraft extends EventDraft {
  readonly seq: number;
}

const noRows: FactRows = {
  count: 0,
  names: [],
  nameIndex: () => 0,
  person: () => 0,
  atMs: () => 0,
};

export const noFacts = new EntryFacts();

/** Rows of name and person, all of one instant. */
export class CodedRows implements FactRows {
  readonly names: readonly string[];
  /** Into `names` by row; absent if all have the first. */
  readonly codes: Uint8Array | undefined;
  readonly people: Uint32Array;
  readonly #atMs: Millis;

  constructor(
    names: readonly string[],
    codes: Uint8Array | undefined,
    people: Uint32Array,
    atMs: Millis,
  ) {
    this.names = names;
    this.codes = codes;
    this.people = people;
    this.#atMs = atMs;
  }

  get count(): number {
    return this.people.length;
  }

  nameIndex(row: number): number {
    return this.codes === undefined ? 0 : (this.codes[row] as number);
  }

  person(row: number): PersonOrdinal {
    return this.people[row] as PersonOrdinal;
  }

  atMs(): Millis {
    return this.#atMs;
  }
}

/** Drafts as history's batches, numbered from `firstSeq`. */
function packedBatches(
  drafts: readonly EventDraft[],
  receivedMs: Millis,
  firstSeq: number,
): readonly EventBatch[] {
  const batches: EventBatch[] = [];
  for (let from = 0; from < drafts.length; from += rowsMax) {
    const some = drafts.slice(from, from + rowsMax);
    batches.push(decodeBatch(encodeDrafts(some, receivedMs, firstSeq + from)));
  }
  return batches;
}

/** Events of a client, provider or platform: the batch itself. */
export class TrackedFacts extends EntryFacts {
  /** By a call without an API key. */
  readonly keyless: boolean;
  readonly #batch: EventBatch;
  readonly #entry: EventsEntry;

  constructor(entry: EventsEntry) {
    super();
    this.keyless = entry.keyless;
    this.#batch = decodeBatch(entry.batch);
    this.#entry = entry;
  }

  override isVouched(person: PersonOrdinal): boolean {
    return !this.#entry.keyless || this.#entry.proven === person;
  }

  override rows(): EventBatch {
    return this.#batch;
  }

  override acceptedMs(): Millis {
    return this.#batch.receivedMs;
  }

  override storedBytes(): Bytes {
    return this.#batch.bytes.byteLength;
  }

  override changedPeople(): readonly PersonOrdinal[] {
    return this.#batch.createdPeople().map(({ person }) => person);
  }

  override drafts(wants?: WantsName): readonly NumberedDraft[] {
    const batch = this.#batch;
    const wanted = batch.names.map((name) => wants?.(name) ?? true);
    const drafts: NumberedDraft[] = [];
    for (let row = 0; row < batch.count; row++)
      if (wanted[batch.nameIndex(row)] === true) drafts.push(draftOf(batch, row));
    return drafts;
  }

  override batches(): readonly EventBatch[] {
    return [this.#batch];
  }
}

function draftOf(batch: EventBatch, row: number): NumberedDraft {
  const draft: { -readonly [Member in keyof NumberedDraft]: NumberedDraft[Member] } = {
    seq: batch.seq(row),
    name: batch.name(row),
    person: batch.person(row),
    atMs: batch.atMs(row),
    channel: batch.channel(row),
  };
  const propsJson = batch.propsJson(row);
  if (propsJson !== undefined) draft.propsJson = propsJson;
  const metaJson = batch.metaJson(row);
  if (metaJson !== undefined) draft.metaJson = metaJson;
  for (const name of references) {
    const text = batch.reference(row, name);
    if (text !== undefined) draft[name] = text;
  }
  return draft;
}

export const eventsFacts = {
  'events.tracked': (entry: EventsEntry) => new TrackedFacts(entry),
};

type AudienceEntryOf<Kind extends AudienceEntry['kind']> = Extract<AudienceEntry, { kind: Kind }>;

export class ChangedFacts extends EntryFacts {
  readonly #people: readonly PersonOrdinal[];
  readonly #isProven: boolean;

  /** `isProven`: not by a client without proof of who it is. */
  constructor(people: readonly PersonOrdinal[], isProven = true) {
    super();
    this.#people = people;
    this.#isProven = isProven;
  }

  override isVouched(): boolean {
    return this.#isProven;
  }

  override changedPeople(): readonly PersonOrdinal[] {
    return this.#people;
  }
}

export class UnsubscribedFacts extends EntryFacts {
  readonly unsubscribed: Unsubscribed;
  readonly #rows: CodedRows;

  constructor(unsubscribed: Unsubscribed) {
    super();
    const people = Uint32Array.from(unsubscribed.people);
    this.#rows = new CodedRows(['unsubscribed'], undefined, people, unsubscribed.atMs);
    this.unsubscribed = unsubscribed;
  }

  override rows(): FactRows {
    return this.#rows;
  }

  override acceptedMs(): Millis {
    return this.unsubscribed.atMs;
  }

  override drafts(): readonly NumberedDraft[] {
    const { people, atMs, firstEvent, source, reason, scope, about } = this.unsubscribed;
    const { variant, ...named } = about ?? {};
    const channel = channelIds.indexOf(this.unsubscribed.channel) + 1;
    const metaJson = JSON.stringify({ source, reason, scope, variant });
    const of = { name: 'unsubscribed', atMs, channel, metaJson, ...named };
    return people.map((person, i) => ({ ...of, person, seq: firstEvent + i }));
  }
}

/** Here because the audience lies below this area. */
export const audienceFacts = {
  'subscriber.created': ({ person, keyless }: AudienceEntryOf<'subscriber.created'>) =>
    new ChangedFacts([person], !keyless),
  'subscriber.merged': ({ person, into, unproven }: AudienceEntryOf<'subscriber.merged'>) =>
    new ChangedFacts([person, into], unproven !== true),
  'suppression.added': ({ unsubscribed }: AudienceEntryOf<'suppression.added'>) =>
    unsubscribed === undefined ? noFacts : new UnsubscribedFacts(unsubscribed),
};

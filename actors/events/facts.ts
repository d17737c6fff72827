// What an entry says happened: events of people as columns, and whose record changed. Each area
// says it of its own entries in a `facts.ts`; `runtime/facts.ts` puts them together. Columns are
// made once an entry, the rows of history only when they are read.

import type { Entry } from '../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import { type ChannelId, channelIds } from '../channels/channel-ids.ts';
import type { AudienceEntry, Unsubscribed } from '../people/audience/protocol.ts';
import type { PeopleReads } from '../people/audience/reads.ts';
import { type EventDraft, encodeDrafts } from './drafts.ts';
import { decodeBatch, type EventBatch } from './event-batch.ts';
import { rowsMax } from './event-rows.ts';
import type { FactRows } from './fact-rows.ts';
import type { EventsEntry } from './protocol.ts';

/** The events that history stores of an entry. */
export type EventsOf = (entry: Entry) => readonly EventBatch[];

/** An entry without facts; what an entry says more, its area's class overrides. */
export class EntryFacts {
  /** The events. What is numbered, folded and followed is exactly these. */
  rows(): FactRows {
    return noRows;
  }

  /** When the entry was accepted, whatever its events say. */
  acceptedMs(): Millis {
    return 0;
  }

  /** Where the events are receipts: the channel of all of them. */
  channel(): ChannelId | undefined {
    return undefined;
  }

  /** False for events that journeys bring about themselves: two could go round for ever. */
  mayEnroll(_row: number): boolean {
    return true;
  }

  /** Whose record changed, so that any filter may have another answer. */
  changedPeople(): readonly PersonOrdinal[] {
    return [];
  }

  /** Takes merges into account that came since the rows were handed out; before anybody asks. */
  resolve(_people: PeopleReads): void {}

  /** The rows of history; they name people as the entry does. */
  batches(): readonly EventBatch[] {
    return [];
  }
}

const noRows: FactRows = {
  count: 0,
  names: [],
  nameIndex: () => 0,
  person: () => 0,
  atMs: () => 0,
};

/** For all entries without facts. */
export const noFacts = new EntryFacts();

/** Rows that say no more than a name and a person, all of one instant. */
export class CodedRows implements FactRows {
  readonly names: readonly string[];
  /** Of each row, an index into `names`; absent where all have the first. */
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

/** Drafts as the batches that history stores, numbered from `firstSeq` on. */
export function packedBatches(
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

/** Events that a client, a provider or a platform told of: the batch itself. */
export class TrackedFacts extends EntryFacts {
  readonly #batch: EventBatch;

  constructor(entry: EventsEntry) {
    super();
    this.#batch = decodeBatch(entry.batch);
  }

  override rows(): EventBatch {
    return this.#batch;
  }

  override acceptedMs(): Millis {
    return this.#batch.receivedMs;
  }

  override changedPeople(): readonly PersonOrdinal[] {
    return this.#batch.createdPeople().map(({ person }) => person);
  }

  override batches(): readonly EventBatch[] {
    return [this.#batch];
  }
}

export const eventsFacts = {
  'events.tracked': (entry: EventsEntry) => new TrackedFacts(entry),
};

type AudienceEntryOf<Kind extends AudienceEntry['kind']> = Extract<AudienceEntry, { kind: Kind }>;

/** People whose record an entry changed. */
export class ChangedFacts extends EntryFacts {
  readonly #people: readonly PersonOrdinal[];

  constructor(people: readonly PersonOrdinal[]) {
    super();
    this.#people = people;
  }

  override changedPeople(): readonly PersonOrdinal[] {
    return this.#people;
  }
}

/** People who opted out. */
class UnsubscribedFacts extends EntryFacts {
  readonly #unsubscribed: Unsubscribed;
  readonly #rows: CodedRows;

  constructor(unsubscribed: Unsubscribed) {
    super();
    const people = Uint32Array.from(unsubscribed.people);
    this.#rows = new CodedRows(['unsubscribed'], undefined, people, unsubscribed.atMs);
    this.#unsubscribed = unsubscribed;
  }

  override rows(): FactRows {
    return this.#rows;
  }

  override acceptedMs(): Millis {
    return this.#unsubscribed.atMs;
  }

  override batches(): readonly EventBatch[] {
    const { people, atMs, firstEvent, source, reason } = this.#unsubscribed;
    const channel = channelIds.indexOf(this.#unsubscribed.channel) + 1;
    const metaJson = JSON.stringify({ source, reason });
    const of = { name: 'unsubscribed', atMs, channel, metaJson };
    return packedBatches(
      people.map((person) => ({ ...of, person })),
      atMs,
      firstEvent,
    );
  }
}

/** What the entries of people mean as events; that area lies below this one. */
export const audienceFacts = {
  'subscriber.created': ({ person }: AudienceEntryOf<'subscriber.created'>) =>
    new ChangedFacts([person]),
  'subscriber.merged': ({ person, into }: AudienceEntryOf<'subscriber.merged'>) =>
    new ChangedFacts([person, into]),
  'suppression.added': ({ unsubscribed }: AudienceEntryOf<'suppression.added'>) =>
    unsubscribed === undefined ? noFacts : new UnsubscribedFacts(unsubscribed),
};

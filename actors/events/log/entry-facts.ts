// What an entry means to others: its events as columns, and the records it changed. Columns are
// made once per entry, history's rows only when read.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Bytes, Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { PeopleReads } from '../../people/audience/reads.ts';
import { type EventDraft, encodeDrafts } from './drafts.ts';
import { decodeBatch, type EventBatch } from './event-batch.ts';
import { rowsMax } from './event-rows.ts';
import type { FactRows } from './fact-rows.ts';

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

  /** Whether the send of a receipt was counted when its relay accepted it: no email, no month. */
  isCountedBefore(_row: number): boolean {
    return false;
  }

  /** Whether a machine opened or clicked: the event counts for no person. */
  isByMachine(_row: number): boolean {
    return false;
  }

  /** Of the receipt of an email: how many copies it had. */
  copiesOf(_row: number): number {
    return 0;
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

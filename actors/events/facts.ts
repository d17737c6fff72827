// The facts of events' entries, and of the audience's. Each area has a `facts.ts`;
// `runtime/facts.ts` combines them.

import type { Bytes, Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import { channelIds } from '../channels/channel-ids.ts';
import type { AudienceEntry, Unsubscribed } from '../people/audience/protocol.ts';
import type { TopicsEntry } from '../people/topics/protocol.ts';
import {
  CodedRows,
  EntryFacts,
  type NumberedDraft,
  noFacts,
  type WantsName,
} from './log/entry-facts.ts';
import { decodeBatch, type EventBatch } from './log/event-batch.ts';
import { references } from './log/event-rows.ts';
import type { FactRows } from './log/fact-rows.ts';
import { isByMachine } from './log/machine-mark.ts';
import type { EventsEntry } from './protocol.ts';

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

  override isByMachine(row: number): boolean {
    return isByMachine(this.#batch.name(row), this.#batch, row);
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
    const { relay, relayName } = this.unsubscribed;
    const { variant, ...named } = about ?? {};
    const channel = channelIds.indexOf(this.unsubscribed.channel) + 1;
    const metaJson = JSON.stringify({ source, reason, scope, variant, relay, relayName });
    const of = { name: 'unsubscribed', atMs, channel, metaJson, ...named };
    return people.map((person, i) => ({ ...of, person, seq: firstEvent + i }));
  }
}

type PreferencesChanged = Extract<TopicsEntry, { kind: 'preferences.changed' }>;

export class PreferencesFacts extends EntryFacts {
  readonly #entry: PreferencesChanged;
  readonly #rows: CodedRows;

  constructor(entry: PreferencesChanged) {
    super();
    const people = Uint32Array.from(entry.people);
    this.#rows = new CodedRows(['preferences_changed'], undefined, people, entry.atMs);
    this.#entry = entry;
  }

  /** The message whose link left a topic. */
  get about(): PreferencesChanged['about'] {
    return this.#entry.about;
  }

  override isVouched(): boolean {
    return this.#entry.unproven !== true;
  }

  override rows(): FactRows {
    return this.#rows;
  }

  override acceptedMs(): Millis {
    return this.#entry.atMs;
  }

  override drafts(): readonly NumberedDraft[] {
    const { people, props, atMs, firstEvent, about } = this.#entry;
    const { variant: _variant, ...named } = about ?? {};
    return people.map((person, i) => {
      const event = { name: 'preferences_changed', person, atMs, seq: firstEvent + i };
      return { ...named, ...event, propsJson: props[i] as string };
    });
  }
}

/** Here because the audience and topics lie below this area. */
export const audienceFacts = {
  'preferences.changed': (entry: PreferencesChanged) => new PreferencesFacts(entry),
  'subscriber.created': ({ person, keyless }: AudienceEntryOf<'subscriber.created'>) =>
    new ChangedFacts([person], !keyless),
  'subscribers.imported': ({ people }: AudienceEntryOf<'subscribers.imported'>) =>
    new ChangedFacts([...people]),
  'subscribers.retagged': ({ people }: AudienceEntryOf<'subscribers.retagged'>) =>
    new ChangedFacts([...people]),
  'subscriber.merged': ({ person, into, unproven }: AudienceEntryOf<'subscriber.merged'>) =>
    new ChangedFacts([person, into], unproven !== true),
  'suppression.added': ({ unsubscribed }: AudienceEntryOf<'suppression.added'>) =>
    unsubscribed === undefined ? noFacts : new UnsubscribedFacts(unsubscribed),
};

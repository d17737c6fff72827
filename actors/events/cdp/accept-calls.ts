// Decides a platform's calls in order: finds or creates people, merges traits into tags, packs
// events as one batch. A bad call never affects others; a repeated `messageId` counts as accepted.
// Calls about one person build on each other before documents show it; hence `#people`.

import { Buffer } from 'node:buffer';
import {
  accepted,
  type Context,
  type Decision,
  type DocumentWrite,
  type Entry,
} from '../../../engine/actor/message.ts';
import { assert } from '../../../engine/base/assert.ts';
import { hourMs, type PersonOrdinal } from '../../../engine/base/brand.ts';
import { type Hash64, hash64 } from '../../../engine/base/hash.ts';
import { DamagedRecord } from '../../../storage/codec.ts';
import { type SubscriberRow, subscribers } from '../../../storage/tables/subscriber.ts';
import { limits } from '../../limits.ts';
import type { AudienceEntry } from '../../people/audience/protocol.ts';
import { newPerson, upsert } from '../../people/audience/upsert.ts';
import { nameLimitReached } from '../../people/name-limit.ts';
import { keptDaysOf, keptFromMs, tooOld } from '../../tenants/accounts/records.ts';
import { type EventDraft, encodeDrafts } from '../drafts.ts';
import { saltedKey } from '../ingest.ts';
import type { EventsEntry } from '../protocol.ts';
import { oldestIdHour } from '../retention.ts';
import {
  type CdpCall,
  type CdpEntry,
  type CdpError,
  type CdpReply,
  callsMax,
  type EventCall,
  type IdentifyCall,
} from './protocol.ts';
import type { CdpMemory, CdpView } from './view.ts';

/** `row` is their record, once needed. */
interface CalledPerson {
  readonly person: PersonOrdinal;
  readonly isNew: boolean;
  row: SubscriberRow | undefined;
  isChanged: boolean;
}

/** Record bytes that end a turn: small traits may change large records. */
const turnBytesMax = 2 * 1024 * 1024;

/** Decides calls of a valid key: at least 1, `handled` in the reply. */
export function acceptCalls(
  state: CdpMemory,
  app: CdpView,
  calls: readonly CdpCall[],
  context: Context,
): Decision<CdpReply> {
  assert(calls.length <= callsMax, `a platform's calls come by at most ${callsMax}`);
  const batch = new CallBatch(state, app, context);
  const errors: CdpError[] = [];
  let handled = 0;
  for (const call of calls) {
    if (batch.recordBytes >= turnBytesMax) break;
    handled++;
    const id = batch.idOf(call);
    if (id !== undefined && batch.seenBefore(id)) continue;
    const error = call.kind === 'identify' ? batch.identify(call) : batch.track(call);
    if (error !== undefined) errors.push({ index: call.index, error });
    else if (id !== undefined) batch.note(id, call.kind);
  }
  return accepted({ handled, errors }, batch.effect());
}

class CallBatch {
  readonly #state: CdpMemory;
  readonly #app: CdpView;
  readonly #context: Context;
  readonly #people = new Map<string, CalledPerson>();
  readonly #drafts: EventDraft[] = [];
  readonly #seen = new Set<string>();
  readonly #newNames = new Set<string>();
  /** Of calls without an event. */
  readonly #hashes: number[] = [];
  readonly #oldestMs: number;
  #created = 0;
  #recordBytes = 0;

  constructor(state: CdpMemory, app: CdpView, context: Context) {
    this.#state = state;
    this.#app = app;
    this.#context = context;
    this.#oldestMs = keptFromMs(app.settings, context.ages, context.nowMs);
  }

  /** Upper bound of changed record bytes so far. */
  get recordBytes(): number {
    return this.#recordBytes;
  }

  /** Remembered for 24 hours, as for events. */
  idOf({ messageId }: CdpCall): Hash64 | undefined {
    const { eventIdKey } = this.#state;
    if (messageId === undefined || eventIdKey === undefined) return undefined;
    const bytes = Buffer.from(messageId);
    const id: Hash64 = { high: 0, low: 0 };
    hash64(saltedKey(eventIdKey, this.#context.owner), bytes, 0, bytes.length, id);
    return id;
  }

  seenBefore({ high, low }: Hash64): boolean {
    const { nowMs, ages } = this.#context;
    const hour = Math.floor(nowMs / hourMs);
    const oldest = oldestIdHour(ages, nowMs);
    return this.#seen.has(`${high} ${low}`) || this.#state.eventIds.has(high, low, hour, oldest);
  }

  note({ high, low }: Hash64, kind: CdpCall['kind']): void {
    this.#seen.add(`${high} ${low}`);
    // Its batch remembers an event's id.
    if (kind === 'identify') this.#hashes.push(high, low);
  }

  /** Merges traits into tags. Returns an error sentence, if any. */
  identify(call: IdentifyCall): string | undefined {
    const one = this.#find(call.userId);
    const existing = this.#rowOf(one, call.userId);
    if (existing === undefined) return 'userId: the stored record of this person cannot be read';
    const result = upsert(this.#app, { tags: call.traits }, existing, this.#context);
    if ('fault' in result) return result.fault.message.replace(/^tags/, 'traits');
    this.#recordBytes += result.bytesMax;
    one.row = result.row;
    one.isChanged = true;
    this.#keep(one, call.userId);
    return undefined;
  }

  /** Returns an error sentence, if any. */
  track(call: EventCall): string | undefined {
    const { nowMs } = this.#context;
    if (call.atMs < this.#oldestMs)
      return `timestamp: ${tooOld(this.#oldestMs, keptDaysOf(this.#app.settings), nowMs)}`;
    if (!this.#admits(call.name)) return `event: ${nameLimitReached('events')}`;
    const one = this.#find(call.userId);
    if (one.isNew) this.#rowOf(one, call.userId);
    this.#keep(one, call.userId);
    this.#drafts.push({
      name: call.name,
      person: one.person,
      atMs: Math.min(call.atMs, nowMs),
      ...(call.messageId === undefined ? {} : { id: call.messageId }),
      ...(call.propsJson === undefined ? {} : { propsJson: call.propsJson }),
    });
    return undefined;
  }

  /** Whether the app has room for this name; counts a new one. */
  #admits(name: string): boolean {
    const { events } = this.#app.traits;
    if (events.has(name) || this.#newNames.has(name)) return true;
    if (events.size + this.#newNames.size >= limits.namesMax) return false;
    this.#newNames.add(name);
    return true;
  }

  /** People come before their events. */
  effect(): { readonly entries: readonly Entry[]; readonly documents: readonly DocumentWrite[] } {
    const { owner, nowMs: atMs } = this.#context;
    const entries: (AudienceEntry | EventsEntry | CdpEntry)[] = [];
    const documents: DocumentWrite[] = [];
    for (const [externalUserId, { person, isNew, isChanged, row }] of this.#people) {
      if (isNew)
        entries.push({
          kind: 'subscriber.created',
          owner,
          person,
          externalUserId,
          atMs,
          keyless: false,
        });
      else if (isChanged)
        entries.push({ kind: 'subscriber.changed', owner, person, atMs, vouched: true });
      if (row !== undefined && (isNew || isChanged))
        documents.push({ table: subscribers, key: [person], value: row });
    }
    if (this.#drafts.length > 0) {
      const batch = encodeDrafts(this.#drafts, atMs);
      entries.push({ kind: 'events.tracked', owner, atMs, keyless: false, batch });
    }
    if (this.#hashes.length > 0)
      entries.push({ kind: 'cdp.seen', owner, atMs, hashes: this.#hashes });
    return { entries, documents };
  }

  /** Existing or new; only `#keep` records a new one. */
  #find(userId: string): CalledPerson {
    const called = this.#people.get(userId);
    if (called !== undefined) return called;
    const { people } = this.#app;
    const known = people.find(userId);
    const person = known ?? people.next + this.#created;
    return { person, isNew: known === undefined, row: undefined, isChanged: false };
  }

  #keep(one: CalledPerson, userId: string): void {
    if (this.#people.has(userId)) return;
    this.#people.set(userId, one);
    if (one.isNew) this.#created++;
  }

  /** Changed before, stored, or new; undefined if damaged. */
  #rowOf(one: CalledPerson, externalUserId: string): SubscriberRow | undefined {
    if (one.row === undefined && !one.isNew) {
      try {
        one.row = this.#context.documents.get(subscribers, [one.person]);
      } catch (error) {
        if (error instanceof DamagedRecord) return undefined;
        throw error;
      }
    }
    one.row ??= newPerson(one.person, { externalUserId }, this.#context);
    return one.row;
  }
}

// Decides a platform's calls in order: finds or creates people, merges traits into tags and
// devices, packs events as one batch. A bad call never affects others; a repeated `messageId`
// counts as accepted. Calls build on each other before documents show it; hence `#people` and
// `#documents`.

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
import { withoutDevice } from '../../people/audience/endpoint-owner.ts';
import { endpointPolicy } from '../../people/audience/identity.ts';
import { PendingDocuments } from '../../people/audience/pending-documents.ts';
import type { AudienceEntry, SubscriberInput } from '../../people/audience/protocol.ts';
import { newPerson, upsert, withoutWrongChoices } from '../../people/audience/upsert.ts';
import { nameLimitReached } from '../../people/name-limit.ts';
import { keptDaysOf, keptFromMs, tooOld } from '../../tenants/accounts/records.ts';
import { saltedKey } from '../ingest/ingest.ts';
import { type EventDraft, encodeDrafts } from '../log/drafts.ts';
import type { EventsEntry } from '../protocol.ts';
import { oldestIdHour } from '../retention.ts';
import type { CdpMemory, CdpView } from './memory.ts';
import {
  type CdpCall,
  type CdpEntry,
  type CdpError,
  type CdpReply,
  callsMax,
  type EventCall,
  type IdentifyCall,
} from './protocol.ts';
import {
  contactChanges,
  type DeviceChanges,
  type DeviceRules,
  pushChanges,
} from './trait-devices.ts';

interface CalledPerson {
  readonly person: PersonOrdinal;
  readonly isNew: boolean;
  isChanged: boolean;
}

/** A change of a person that failed as a whole, as a sentence. */
type Problem = string | undefined;

/** Record bytes that end a turn: small traits may change large records. */
const turnBytesMax = 2 * 1024 * 1024;

/** Decides calls of a valid key: at least 1, `handled` in the reply. */
export function acceptCalls(
  state: CdpMemory,
  app: CdpView,
  calls: readonly CdpCall[],
  context: Context,
  allowPaid: boolean,
): Decision<CdpReply> {
  assert(calls.length <= callsMax, `a platform's calls come by at most ${callsMax}`);
  const errors: CdpError[] = [];
  const batch = new CallBatch(state, app, context, allowPaid, errors);
  let handled = 0;
  for (const call of calls) {
    if (batch.recordBytes >= turnBytesMax) break;
    handled++;
    const id = batch.idOf(call);
    if (id !== undefined && batch.seenBefore(id)) continue;
    const error = orDamaged(() =>
      call.kind === 'identify' ? batch.identify(call) : batch.track(call),
    );
    if (error !== undefined) errors.push({ index: call.index, error });
    else if (id !== undefined) batch.note(id, call.kind);
  }
  return accepted({ handled, errors }, batch.effect());
}

class CallBatch {
  readonly #state: CdpMemory;
  readonly #app: CdpView;
  readonly #context: Context;
  readonly #rules: DeviceRules;
  readonly #errors: CdpError[];
  readonly #documents: PendingDocuments;
  readonly #people = new Map<string, CalledPerson>();
  /** Who lost a device to somebody else. */
  readonly #others = new Set<PersonOrdinal>();
  readonly #drafts: EventDraft[] = [];
  readonly #seen = new Set<string>();
  readonly #newNames = new Set<string>();
  /** Of calls without an event. */
  readonly #hashes: number[] = [];
  readonly #oldestMs: number;
  #created = 0;
  #recordBytes = 0;

  /** `errors` gets what of an accepted call cannot be stored. */
  constructor(
    state: CdpMemory,
    app: CdpView,
    context: Context,
    allowPaid: boolean,
    errors: CdpError[],
  ) {
    this.#state = state;
    this.#app = app;
    this.#context = context;
    this.#rules = { policy: endpointPolicy(app.settings), allowPaid };
    this.#errors = errors;
    this.#documents = new PendingDocuments(context.documents);
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

  /** Merges traits into tags and devices. Returns an error sentence, if any. */
  identify(call: IdentifyCall): Problem {
    const one = this.#find(call.userId);
    const row = this.#rowOf(one, call.userId);
    const { timezone, contact = {} } = call;
    const { tags, problems } = withoutWrongChoices(call.traits, this.#app);
    for (const { message } of problems)
      this.#errors.push({ index: call.index, error: message.replace(/^tags/, 'traits') });
    const isOn = this.#app.writeKeys?.devicesFromTraits !== false;
    const contacts = isOn ? contactChanges(contact, row, this.#rules, this.#reads) : noChanges;
    const changes = [contacts, this.#pushed(call, row)];
    const input = { tags, ...(timezone === undefined ? {} : { timezone }) };
    const problem = this.#change(one, row, input, changes, call.index);
    if (problem === undefined) this.#keep(one, call.userId);
    return problem;
  }

  /** Returns an error sentence, if any. */
  track(call: EventCall): Problem {
    const { nowMs } = this.#context;
    if (call.atMs < this.#oldestMs)
      return `timestamp: ${tooOld(this.#oldestMs, keptDaysOf(this.#app.settings), nowMs)}`;
    if (!this.#admits(call.name)) return `event: ${nameLimitReached('events')}`;
    const one = this.#find(call.userId);
    if (one.isNew && !this.#people.has(call.userId)) {
      const value = this.#rowOf(one, call.userId);
      this.#documents.write([{ table: subscribers, key: [one.person], value }]);
    }
    this.#keep(one, call.userId);
    const problem = orDamaged(() => this.#register(one, call));
    if (problem !== undefined) this.#errors.push({ index: call.index, error: problem });
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

  get #reads(): { readonly documents: PendingDocuments } {
    return { documents: this.#documents };
  }

  /** Registers the push token of a call about an event. */
  #register(one: CalledPerson, call: EventCall): Problem {
    if (call.push === undefined) return undefined;
    const row = this.#rowOf(one, call.userId);
    const pushed = this.#pushed(call, row);
    if (pushed.added.length > 0) return this.#change(one, row, {}, [pushed], call.index);
    for (const error of pushed.errors) this.#errors.push({ index: call.index, error });
    return undefined;
  }

  /** What the push token of a call changes. */
  #pushed({ push }: CdpCall, row: SubscriberRow): DeviceChanges {
    return push === undefined ? noChanges : pushChanges(push, row, this.#reads);
  }

  /** Returns an error sentence if nothing is changed. What devices lack is noted by itself. */
  #change(
    one: CalledPerson,
    row: SubscriberRow,
    input: SubscriberInput,
    changes: readonly DeviceChanges[],
    index: number,
  ): Problem {
    const removed = changes.flatMap((change) => change.removed);
    const added = changes.flatMap((change) => change.added);
    const devices = row.devices.filter((device) => !removed.includes(device));
    const existing = removed.length === 0 ? row : { ...row, devices };
    const wanted = { ...input, devices: added.map(({ device }) => device) };
    const context = { ...this.#context, documents: this.#documents };
    // Whoever has an app can read its write key, and confirms nothing for others.
    const { consent = 'confirmed' } = this.#app.writeKeys ?? {};
    const asked = consent === 'doubleOptIn' ? { consent } : {};
    const how = { skipsDevices: true, asksToConfirm: true, ...asked };
    const result = upsert(this.#app, wanted, existing, context, how);
    if ('fault' in result) return result.fault.message.replace(/^tags/, 'traits');
    for (const error of changes.flatMap(({ errors }) => errors))
      this.#errors.push({ index, error });
    for (const { device, error } of result.refused) {
      const problem = error.replace(/^devices\[\d+\](?:\.endpoint)?: /, '');
      this.#errors.push({ index, error: `${added[device]?.field}: ${problem}` });
    }
    this.#recordBytes += result.bytesMax;
    this.#documents.write(removed.flatMap(withoutDevice));
    this.#documents.write(result.documents);
    for (const entry of result.entries as readonly AudienceEntry[]) {
      if (!('person' in entry) || entry.person === one.person) continue;
      this.#others.add(entry.person);
      this.#recordBytes += limits.subscriberBytesMax;
    }
    one.isChanged = true;
    return undefined;
  }

  /** People come before their events. */
  effect(): { readonly entries: readonly Entry[]; readonly documents: readonly DocumentWrite[] } {
    const { owner, nowMs: atMs } = this.#context;
    const entries: (AudienceEntry | EventsEntry | CdpEntry)[] = [];
    for (const [externalUserId, { person, isNew, isChanged }] of this.#people) {
      if (isNew || isChanged) this.#others.delete(person);
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
    }
    for (const person of this.#others)
      entries.push({ kind: 'subscriber.changed', owner, person, atMs });
    if (this.#drafts.length > 0) {
      const batch = encodeDrafts(this.#drafts, atMs);
      entries.push({ kind: 'events.tracked', owner, atMs, keyless: false, batch });
    }
    if (this.#hashes.length > 0)
      entries.push({ kind: 'cdp.seen', owner, atMs, hashes: this.#hashes });
    return { entries, documents: this.#documents.writes() };
  }

  /** Existing or new; only `#keep` records a new one. */
  #find(userId: string): CalledPerson {
    const called = this.#people.get(userId);
    if (called !== undefined) return called;
    const { people } = this.#app;
    const known = people.find(userId);
    const person = known ?? people.next + this.#created;
    return { person, isNew: known === undefined, isChanged: false };
  }

  #keep(one: CalledPerson, userId: string): void {
    if (this.#people.has(userId)) return;
    this.#people.set(userId, one);
    if (one.isNew) this.#created++;
  }

  /** Changed before, stored, or new. Throws if it is damaged. */
  #rowOf(one: CalledPerson, externalUserId: string): SubscriberRow {
    const row = this.#documents.get(subscribers, [one.person]);
    return row ?? newPerson(one.person, { externalUserId }, this.#context);
  }
}

const noChanges: DeviceChanges = { removed: [], added: [], errors: [] };
const unreadable = 'userId: the stored record of this person cannot be read';

/** A damaged record is the problem of the calls that need it, not of the batch. */
function orDamaged(decide: () => Problem): Problem {
  try {
    return decide();
  } catch (error) {
    if (error instanceof DamagedRecord) return unreadable;
    throw error;
  }
}

// What outcomes and receipts change beside the send itself: dead letters, devices that end or move,
// opt-outs. A batch reads and writes each person's record once.

import type { Context, DocumentWrite, Entry } from '../../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { newId } from '../../../engine/base/id.ts';
import { type DeadLetterRow, deadLetters } from '../../../storage/tables/send.ts';
import { endpoints, type SubscriberRow, subscribers } from '../../../storage/tables/subscriber.ts';
import { type SuppressionRow, suppressions } from '../../../storage/tables/suppression.ts';
import { catalog } from '../../channels/catalog.ts';
import type { Moved, Outcome } from '../../channels/port/outcome.ts';
import type { AboutSend } from '../../people/about-send.ts';
import type { EndpointKey } from '../../people/audience/endpoint-index.ts';
import { identityKey, parseIdentityKey } from '../../people/audience/identity.ts';
import { reachOfOptOut, withOptOut } from '../../people/audience/opt-out.ts';
import type { AudienceEntry } from '../../people/audience/protocol.ts';
import type { OptOutReads } from '../../people/audience/reads.ts';
import { readableRow } from '../../readable-row.ts';
import { closedActivity, isActivity } from './activity-push.ts';
import { sourceOf, type Target } from './job.ts';
import { letterAt } from './letter-at.ts';
import { movedDevice } from './moved-device.ts';
import type { LateStatus, Origin, Receipt } from './records.ts';

export type SettlementContext = Pick<Context, 'owner' | 'nowMs' | 'rng' | 'documents'>;

type Tried = Pick<Target, 'deviceId' | 'channel' | 'deadLetter'>;

interface AskedBy {
  readonly source?: 'callback' | 'bounce' | 'unsubscribe';
  readonly about?: AboutSend;
  /** The relay where the person asked for it. */
  readonly by?: Pick<Receipt, 'relay' | 'relayName'>;
  /** Everything without it. */
  readonly covers?: true | 'marketing';
}

/** Changes of a send's dead-letter counts. */
export interface LetterChange {
  readonly open: number;
  readonly recovered: number;
}

export const unchanged: LetterChange = { open: 0, recovered: 0 };

export class SettlementEffects {
  readonly #app: OptOutReads;
  readonly #context: SettlementContext;
  readonly #people = new Map<PersonOrdinal, SubscriberRow>();
  readonly #documents: DocumentWrite[] = [];
  /** Letters that callbacks changed; `null` for a removed one. */
  readonly #letters = new Map<string, DeadLetterRow | null>();
  readonly #changed: AudienceEntry[] = [];
  readonly #optedOut = new Map<string, SuppressionRow>();
  /** Addresses that devices have moved to. */
  readonly #newAddresses = new Set<string>();
  readonly #optOuts: AudienceEntry[] = [];

  constructor(app: OptOutReads, context: SettlementContext) {
    this.#app = app;
    this.#context = context;
  }

  /** A failure opens a dead letter; a redriven letter is recovered, opened again or removed. */
  ofReceipt(sendId: string, tried: Tried, receipt: Receipt, origin?: Origin): LetterChange {
    const { status, reason, detail, test } = receipt;
    const { owner, nowMs, rng, documents } = this.#context;
    if (tried.deadLetter === undefined) {
      if (status !== 'failed') return unchanged;
      const subscriberId = this.#person(receipt.person)?.id;
      this.#write({
        id: newId('dl', owner, nowMs, rng),
        sendId,
        deviceId: tried.deviceId,
        channel: tried.channel,
        lane: sourceOf(origin),
        reason: reason ?? 'unknown',
        attempts: receipt.attempts,
        atMs: nowMs,
        ...(detail === undefined ? {} : { detail }),
        ...(subscriberId === undefined ? {} : { subscriberId }),
        ...(origin === undefined ? {} : { origin }),
        ...(test === true ? { test } : {}),
      });
      return { open: 1, recovered: 0 };
    }
    const letter = readableRow(documents, deadLetters, [tried.deadLetter]);
    if (letter === undefined) return unchanged;
    if (status === 'delivered' || status === 'accepted') {
      this.#write({ ...letter, recoveredMs: nowMs });
      return { open: -1, recovered: 1 };
    }
    if (status === 'failed') {
      const { redrivenMs: _redriven, detail: _before, ...open } = letter;
      this.#write({
        ...open,
        reason: reason ?? status,
        ...(detail === undefined ? {} : { detail }),
        atMs: nowMs,
      });
      return unchanged;
    }
    // Bounced or suppressed since: another redrive could not deliver it.
    this.#documents.push({ table: deadLetters, key: [letter.id], value: undefined });
    return { open: -1, recovered: 0 };
  }

  /** A late delivery recovers the letter, a late bounce removes it. Skips letters under redrive. */
  ofLate(
    sendId: string,
    { deviceId, atMs }: { readonly deviceId: string; readonly atMs: Millis },
    status: LateStatus,
  ): LetterChange {
    const { documents, owner, nowMs } = this.#context;
    const stored = letterAt(documents, owner, sendId, { deviceId, atMs });
    const staged = stored && this.#letters.get(stored.id);
    const letter = staged === undefined ? stored : (staged ?? undefined);
    const wasRecovered = letter?.recoveredMs !== undefined;
    if (letter === undefined || (letter.redrivenMs !== undefined && !wasRecovered))
      return unchanged;
    if (status === 'bounced') {
      this.#letters.set(letter.id, null);
      return wasRecovered ? { open: 0, recovered: -1 } : { open: -1, recovered: 0 };
    }
    if (wasRecovered) return unchanged;
    this.#letters.set(letter.id, { ...letter, recoveredMs: nowMs });
    return { open: -1, recovered: 1 };
  }

  /** A device that is already disabled keeps its reason. */
  disableOnce(person: PersonOrdinal, deviceId: string, reason: string): void {
    const device = this.#person(person)?.devices.find((one) => one.id === deviceId);
    if (device?.enabled === true) this.#disable(person, deviceId, reason);
  }

  /** May disable or move a device, close a Live Activity, or record an opt-out. */
  ofOutcome(person: PersonOrdinal, tried: Tried, outcome: Outcome | undefined): void {
    if (outcome?.outcome === 'accepted' && outcome.moved !== undefined)
      this.#move(person, tried.deviceId, outcome.moved);
    if (outcome?.outcome !== 'dead' && outcome?.outcome !== 'opted_out') return;
    if (isActivity(tried)) {
      const closed = closedActivity(this.#context.documents, tried.deviceId, this.#context.nowMs);
      if (closed !== undefined) this.#documents.push(closed);
    } else if (outcome.outcome === 'dead') this.#disable(person, tried.deviceId, outcome.reason);
    else this.#optOut(person, tried, outcome.reason);
  }

  /** A spam complaint opts the address out. */
  complaint(
    person: PersonOrdinal,
    tried: Tried,
    about: AboutSend,
    covers: true | 'marketing',
  ): void {
    this.#optOut(person, tried, 'complaint', { source: 'bounce', about, covers });
  }

  /** What the link in an email does to marketing, where a relay has a link of its own. */
  unsubscribe(
    person: PersonOrdinal,
    tried: Tried,
    about: AboutSend,
    by: NonNullable<AskedBy['by']>,
  ): void {
    const asked = { source: 'unsubscribe', about, by, covers: 'marketing' } as const;
    this.#optOut(person, tried, 'unsubscribed_at_relay', asked);
  }

  documents(): readonly DocumentWrite[] {
    const people = [...this.#people].map(([person, row]) => ({
      table: subscribers,
      key: [person],
      value: row,
    }));
    const letters = [...this.#letters].map(([id, letter]) => ({
      table: deadLetters,
      key: [id],
      value: letter ?? undefined,
    }));
    return [...this.#documents, ...letters, ...people];
  }

  entries(): Entry[] {
    return [...this.#optOuts, ...this.#changed];
  }

  #disable(person: PersonOrdinal, deviceId: string, reason: string): void {
    const { nowMs, owner } = this.#context;
    const row = this.#person(person);
    if (row === undefined) return;
    const devices = row.devices.map((device) =>
      device.id === deviceId
        ? { ...device, enabled: false, disabledReason: reason, updatedMs: nowMs }
        : device,
    );
    this.#people.set(person, { ...row, devices, updatedMs: nowMs });
    this.#changed.push({ kind: 'subscriber.changed', owner, person, atMs: nowMs });
  }

  /** A provider tells of a person's new number. */
  changeNumber(person: PersonOrdinal, deviceId: string, to: Moved): void {
    this.#move(person, deviceId, to, 'number_changed');
  }

  #move(person: PersonOrdinal, deviceId: string, to: Moved, reason?: string): void {
    const { nowMs, owner, documents } = this.#context;
    const row = this.#person(person);
    const isInUse = (key: EndpointKey) =>
      this.#newAddresses.has(nameOf(key)) || documents.get(endpoints, key) !== undefined;
    const moved = row && movedDevice(row, deviceId, to, isInUse, nowMs, reason);
    if (moved === undefined) return;
    this.#people.set(person, moved.row);
    this.#changed.push({ kind: 'subscriber.changed', owner, person, atMs: nowMs });
    this.#documents.push(...moved.documents);
    if (moved.address !== undefined) this.#newAddresses.add(nameOf(moved.address));
  }

  #optOut(
    person: PersonOrdinal,
    tried: Tried,
    reason: string,
    { source = 'callback', about, by: relay = {}, covers = true }: AskedBy = {},
  ): void {
    const { nowMs, owner } = this.#context;
    const device = this.#person(person)?.devices.find((one) => one.id === tried.deviceId);
    const key =
      typeof device?.endpoint === 'string'
        ? identityKey(tried.channel, device.endpoint)
        : undefined;
    const named = key === undefined ? undefined : parseIdentityKey(key);
    if (key === undefined || named === undefined) {
      this.#disable(person, tried.deviceId, reason); // a push endpoint has no identity to suppress
      return;
    }
    const known = this.#optedOut.get(key) ?? this.#known(key);
    const endsMarketing: readonly string[] = catalog[tried.channel].endsMarketing ?? [];
    const isMarketing = covers === 'marketing' || endsMarketing.includes(reason);
    const scope = isMarketing ? ({ scope: 'marketing' } as const) : {};
    const row = withOptOut(known, { ...named, reason, source, createdMs: nowMs, ...scope });
    // A link counts for its message whatever is known of the address: reports come in any order.
    const isNews =
      source === 'unsubscribe' ||
      known === undefined ||
      reachOfOptOut(known) !== reachOfOptOut(row);
    if (row === known && !isNews) return;
    if (row !== known) {
      this.#optedOut.set(key, row);
      this.#documents.push({ table: suppressions, key: [key], value: row });
    }
    const who = { people: [person], firstEvent: 0, atMs: nowMs, channel: tried.channel };
    const by = about === undefined ? {} : { about };
    this.#optOuts.push({
      kind: 'suppression.added',
      owner,
      identityKey: key,
      ...(row.scope === undefined ? {} : { scope: row.scope }),
      row,
      ...(isNews ? { unsubscribed: { ...who, source, reason, ...scope, ...by, ...relay } } : {}),
    });
  }

  #known(key: string): SuppressionRow | undefined {
    const { suppressions: all, marketingOptOuts } = this.#app;
    if (!all.has(key) && !marketingOptOuts.has(key)) return undefined;
    return this.#context.documents.get(suppressions, [key]);
  }

  #write(letter: DeadLetterRow): void {
    this.#documents.push({ table: deadLetters, key: [letter.id], value: letter });
  }

  #person(person: PersonOrdinal): SubscriberRow | undefined {
    return this.#people.get(person) ?? readableRow(this.#context.documents, subscribers, [person]);
  }
}

function nameOf([channel, bytes]: EndpointKey): string {
  return `${channel} ${Buffer.from(bytes).toString('hex')}`;
}

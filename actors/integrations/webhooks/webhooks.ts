// An app's destinations in memory, and what happened that is not in the tables yet. The line of
// each destination is a table: memory grows with destinations, not with deliveries.

import type { Rebase } from '../../../engine/actor/machine.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { NumberedDraft } from '../../events/log/entry-facts.ts';
import type { AppSettings } from '../../tenants/accounts/records.ts';
import { DegradedChannels, type DegradedSnapshot } from './degraded.ts';
import { chunkNumbers } from './delivery-id.ts';
import {
  concurrencyDefault,
  type DestinationHealth,
  type DestinationRecord,
  healthAfterRuns,
  isServed,
  kindBit,
  kindsOf,
  legacyKinds,
  legacyNumber,
  legacyType,
  noHealth,
  rebasedHealth,
} from './destination.ts';
import type { WebhookKind } from './event.ts';
import { kindOf, kindOfRow } from './happened.ts';
import { Passes, type PassesSnapshot } from './passes.ts';
import { ProgressNotices, type ProgressNoticesSnapshot } from './progress.ts';
import type { WebhooksEntry } from './protocol.ts';
import { Replayed, type ReplayedSnapshot } from './replayed.ts';

export interface Destination {
  record: DestinationRecord;
  /** Bits of the kinds that it gets. */
  kinds: number;
  /** Deliveries that have not ended. */
  open: number;
  health: DestinationHealth;
  /** In strict order: the chunk in which a delivery waits to be tried again, before all others. */
  head?: readonly [atMs: Millis, chunk: number] | null;
  /** Kinds that it gets only of what happened after its save: not of so much that still waits. */
  skips?: readonly Skip[];
}

/** The first `count` of what waits in memory, of kinds with these bits. */
interface Skip {
  readonly kinds: number;
  readonly count: number;
}

export type LegacySettings = Pick<AppSettings, 'webhookUrl'>;

type EntryOf<Kind extends WebhooksEntry['kind']> = Extract<WebhooksEntry, { kind: Kind }>;

export interface WebhooksSnapshot {
  readonly destinations: readonly Destination[];
  readonly nextNumber: number;
  readonly nextChunk: number;
  readonly unwritten: readonly NumberedDraft[];
  readonly progress: ProgressNoticesSnapshot;
  readonly passes: PassesSnapshot;
  readonly degraded: DegradedSnapshot;
  /** Absent in checkpoints of older releases. */
  readonly replayed?: ReplayedSnapshot;
  /** Absent if there are none. */
  readonly removed?: readonly (readonly [number: number, type: string])[];
}

/** Types of removed destinations that are known; the ledger forgets a delivery after 30 days. */
const removedMax = 256;

export class Webhooks {
  readonly destinations = new Map<number, Destination>();
  nextNumber = legacyNumber + 1;
  nextChunk = 0;
  readonly unwritten: NumberedDraft[] = [];
  readonly progress: ProgressNotices;
  readonly passes: Passes;
  readonly degraded: DegradedChannels;
  readonly replayed: Replayed;
  /** Types of those that were removed: their deliveries are still in the ledger. */
  readonly removed = new Map<number, string>();
  /** Bits of the kinds that any destination gets; 0 for nearly every app. */
  #wanted = 0;
  #legacyUrl: string | null | undefined;

  constructor(from?: Pick<WebhooksSnapshot, 'progress' | 'passes' | 'degraded' | 'replayed'>) {
    this.progress = new ProgressNotices(from?.progress);
    this.passes = new Passes(from?.passes);
    this.degraded = new DegradedChannels(from?.degraded);
    this.replayed = new Replayed(from?.replayed);
  }

  get wanted(): number {
    return this.#wanted;
  }

  /** Whether it has, or may have, anything in the ledger. */
  get isUsed(): boolean {
    return this.destinations.size > 0 || this.passes.hasLedger;
  }

  /** Of an event in the stream. */
  readonly wantsRow = (name: string): boolean => this.#wants(kindOfRow(name));

  wants(name: string): boolean {
    return this.#wants(kindOf(name));
  }

  byType(type: string): Destination | undefined {
    for (const one of this.destinations.values()) if (one.record.type === type) return one;
    return undefined;
  }

  save(record: DestinationRecord): void {
    const before = this.destinations.get(record.number);
    const kinds = kindsOf(record.type, record.events);
    const isNew = before === undefined || (record.enabled && !before.record.enabled);
    const wasServed = before !== undefined && isServed(before.record);
    const skips = [...(before?.skips ?? [])];
    const fresh = isNew && !wasServed ? kinds : kinds & ~(before?.kinds ?? 0);
    if (fresh !== 0 && this.unwritten.length > 0)
      skips.push({ kinds: fresh, count: this.unwritten.length });
    this.destinations.set(record.number, {
      record,
      kinds,
      open: before?.open ?? 0,
      health: isNew ? noHealth : before.health,
      head: before?.head ?? null,
      skips,
    });
    this.nextNumber = Math.max(this.nextNumber, record.number + 1);
    if (wasServed && !isServed(record)) this.passes.stop(record.number, record.updatedMs);
    this.#sum();
  }

  /** Queues an event for every destination except one, which gets no waiting event of this kind. */
  tellOthers(number: number, draft: NumberedDraft): void {
    if (!this.wants(draft.name)) return;
    const count = this.unwritten.push(draft);
    const kind = kindOf(draft.name);
    const one = this.destinations.get(number);
    if (one === undefined || kind === undefined) return;
    one.skips = [...(one.skips ?? []), { kinds: kindBit(kind), count }];
  }

  /** The type of a destination, also of one that was removed. */
  typeOf(number: number): string {
    const type = this.destinations.get(number)?.record.type ?? this.removed.get(number);
    return type ?? (number === legacyNumber ? legacyType : 'webhook'); // as older releases did
  }

  /** What is open of it stops, as far as it is from before this instant. */
  remove(number: number, atMs: number): void {
    const type = this.destinations.get(number)?.record.type;
    if (type === undefined) return;
    this.destinations.delete(number);
    if (number !== legacyNumber) this.removed.set(number, type);
    const [oldest] = this.removed.keys();
    if (this.removed.size > removedMax && oldest !== undefined) this.removed.delete(oldest);
    this.passes.stop(number, atMs);
    this.#sum();
  }

  /** After a restore: what was open in the backup may have been sent since. */
  hold(atMs: number): void {
    for (const number of this.destinations.keys()) this.passes.stop(number, atMs);
  }

  /** Instants of the wrong clock become those of the right one; a pass does so in the tables. */
  rebase(to: Rebase): void {
    const { passes, progress, degraded, replayed } = this;
    for (const one of [passes, progress, degraded, replayed]) one.rebase(to);
    for (const one of this.destinations.values()) one.health = rebasedHealth(one.health, to);
  }

  /** The legacy address comes and goes with the settings; another one is not switched off. */
  settings({ webhookUrl }: LegacySettings, atMs: Millis = Number.MAX_SAFE_INTEGER): void {
    const isEnabled = this.destinations.get(legacyNumber)?.record.enabled;
    if (webhookUrl === null) this.remove(legacyNumber, atMs);
    else if (isEnabled === undefined || (!isEnabled && webhookUrl !== this.#legacyUrl))
      this.save(legacyRecord(atMs === Number.MAX_SAFE_INTEGER ? 0 : atMs));
    this.#legacyUrl = webhookUrl;
  }

  written({ chunks, counts, taken, atMs }: EntryOf<'webhook.written'>): void {
    this.replayed.written(atMs, taken);
    this.nextChunk = (this.nextChunk + chunks) % chunkNumbers;
    this.unwritten.splice(0, taken);
    this.passes.hasLedger ||= chunks > 0;
    for (const [number, count] of counts) {
      const one = this.destinations.get(number);
      if (one !== undefined) one.open += count;
    }
    if (taken === 0) return;
    for (const one of this.destinations.values()) one.skips = skipsAfter(one, taken);
  }

  settled({ destination, opened, runs, lost, atMs, head }: EntryOf<'webhook.settled'>): void {
    const one = this.destinations.get(destination);
    if (one === undefined) return;
    if (head !== undefined) one.head = head;
    one.open = Math.max(0, one.open + opened);
    one.health = healthAfterRuns(one.health, runs, lost ?? [], atMs);
  }

  snapshot(): WebhooksSnapshot {
    const { destinations, nextNumber, nextChunk, unwritten, progress } = this;
    return {
      destinations: [...destinations.values()],
      nextNumber,
      nextChunk,
      unwritten: [...unwritten],
      progress: progress.snapshot(),
      passes: this.passes.snapshot(),
      degraded: this.degraded.snapshot(),
      replayed: this.replayed.snapshot(),
      ...(this.removed.size === 0 ? {} : { removed: [...this.removed] }),
    };
  }

  static restore(from: WebhooksSnapshot, settings: LegacySettings | undefined): Webhooks {
    const webhooks = new Webhooks(from);
    webhooks.#legacyUrl = settings?.webhookUrl;
    for (const one of from.destinations) {
      const { number, type, events } = one.record;
      // A release may have added kinds that its words name.
      webhooks.destinations.set(number, { ...one, kinds: kindsOf(type, events) });
    }
    for (const [number, type] of from.removed ?? []) webhooks.removed.set(number, type);
    webhooks.nextNumber = from.nextNumber;
    webhooks.nextChunk = from.nextChunk;
    webhooks.unwritten.push(...from.unwritten);
    webhooks.#sum();
    return webhooks;
  }

  #wants(kind: WebhookKind | undefined): boolean {
    return kind !== undefined && (this.#wanted & kindBit(kind)) !== 0;
  }

  #sum(): void {
    this.#wanted = 0;
    for (const { record, kinds } of this.destinations.values())
      if (isServed(record)) this.#wanted |= kinds;
  }
}

function skipsAfter({ skips = [] }: Destination, taken: number): readonly Skip[] {
  return skips
    .map(({ kinds, count }) => ({ kinds, count: count - taken }))
    .filter(({ count }) => count > 0);
}

function legacyRecord(atMs: Millis): DestinationRecord {
  return {
    number: legacyNumber,
    type: legacyType,
    sealed: new Uint8Array(0), // its address and secret are settings
    events: legacyKinds,
    enabled: true,
    concurrency: concurrencyDefault,
    createdMs: atMs,
    updatedMs: atMs,
  };
}

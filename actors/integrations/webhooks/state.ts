// An app's destinations in memory, and what happened that is not in the tables yet. The line of
// each destination is a table: memory grows with destinations, not with deliveries.

import type { NewApp, Slice } from '../../area.ts';
import type { NumberedDraft } from '../../events/facts.ts';
import type { AppSettings } from '../../tenants/accounts/records.ts';
import { chunkNumbers } from './delivery-id.ts';
import {
  concurrencyDefault,
  type DestinationHealth,
  type DestinationRecord,
  kindBit,
  kindsOf,
  legacyNumber,
  legacyType,
  noHealth,
} from './destination.ts';
import { kindOf } from './happened.ts';
import { Progress, type ProgressSnapshot } from './progress.ts';
import type { WebhooksEntry } from './protocol.ts';

export interface Destination {
  record: DestinationRecord;
  /** Bits of the kinds that it gets. */
  kinds: number;
  /** Deliveries that have not ended. */
  open: number;
  health: DestinationHealth;
}

type EntryOf<Kind extends WebhooksEntry['kind']> = Extract<WebhooksEntry, { kind: Kind }>;

export interface WebhooksSnapshot {
  readonly destinations: readonly Destination[];
  readonly nextNumber: number;
  readonly nextChunk: number;
  readonly unwritten: readonly NumberedDraft[];
  readonly progress: ProgressSnapshot;
  readonly unscrubbed: number;
  readonly scrubbing: boolean;
}

export class Webhooks {
  readonly destinations = new Map<number, Destination>();
  nextNumber = legacyNumber + 1;
  nextChunk = 0;
  readonly unwritten: NumberedDraft[] = [];
  readonly progress: Progress;
  /** People erased since the last pass over the payloads began, and whether one is running. */
  unscrubbed = 0;
  scrubbing = false;
  /** Bits of the kinds that any destination gets; 0 for nearly every app. */
  #wanted = 0;

  constructor(progress?: ProgressSnapshot) {
    this.progress = new Progress(progress);
  }

  get wanted(): number {
    return this.#wanted;
  }

  readonly wants = (name: string): boolean => {
    const kind = kindOf(name);
    return kind !== undefined && (this.#wanted & kindBit(kind)) !== 0;
  };

  byType(type: string): Destination | undefined {
    for (const one of this.destinations.values()) if (one.record.type === type) return one;
    return undefined;
  }

  save(record: DestinationRecord): void {
    const before = this.destinations.get(record.number);
    const kinds = kindsOf(record.type, record.events);
    const isNew = before === undefined || (record.enabled && !before.record.enabled);
    this.destinations.set(record.number, {
      record,
      kinds,
      open: before?.open ?? 0,
      health: isNew ? noHealth : before.health,
    });
    this.nextNumber = Math.max(this.nextNumber, record.number + 1);
    this.#sum();
  }

  remove(number: number): void {
    this.destinations.delete(number);
    this.#sum();
  }

  /** The legacy address comes and goes with the settings. */
  settings({ webhookUrl }: Pick<AppSettings, 'webhookUrl'>): void {
    if (webhookUrl === null) this.remove(legacyNumber);
    else if (!this.destinations.has(legacyNumber)) this.save(legacyRecord);
  }

  written({ chunks, counts, taken }: EntryOf<'webhook.written'>): void {
    this.nextChunk = (this.nextChunk + chunks) % chunkNumbers;
    this.unwritten.splice(0, taken);
    for (const [number, count] of counts) {
      const one = this.destinations.get(number);
      if (one !== undefined) one.open += count;
    }
  }

  settled({ destination, opened, runs, atMs }: EntryOf<'webhook.settled'>): void {
    const one = this.destinations.get(destination);
    if (one === undefined) return;
    one.open = Math.max(0, one.open + opened);
    for (const run of runs) one.health = healthAfter(one.health, run, atMs);
  }

  snapshot(): WebhooksSnapshot {
    const { destinations, nextNumber, nextChunk, unwritten, progress } = this;
    return {
      destinations: [...destinations.values()],
      nextNumber,
      nextChunk,
      unwritten: [...unwritten],
      progress: progress.snapshot(),
      unscrubbed: this.unscrubbed,
      scrubbing: this.scrubbing,
    };
  }

  static restore(from: WebhooksSnapshot): Webhooks {
    const webhooks = new Webhooks(from.progress);
    for (const one of from.destinations) webhooks.destinations.set(one.record.number, { ...one });
    webhooks.nextNumber = from.nextNumber;
    webhooks.nextChunk = from.nextChunk;
    webhooks.unwritten.push(...from.unwritten);
    webhooks.unscrubbed = from.unscrubbed;
    webhooks.scrubbing = from.scrubbing;
    webhooks.#sum();
    return webhooks;
  }

  #sum(): void {
    this.#wanted = 0;
    for (const { record, kinds } of this.destinations.values())
      if (record.enabled) this.#wanted |= kinds;
  }
}

export function healthAfter(
  { failures, failingMs, successMs }: DestinationHealth,
  run: number,
  atMs: number,
): DestinationHealth {
  if (run > 0) return { failures: 0, successMs: atMs };
  return {
    failures: failures - run,
    failingMs: failingMs ?? atMs,
    ...(successMs === undefined ? {} : { successMs }),
  };
}

const legacyRecord: DestinationRecord = {
  number: legacyNumber,
  type: legacyType,
  sealed: new Uint8Array(0), // its address and secret are settings
  events: [],
  enabled: true,
  concurrency: concurrencyDefault,
  createdMs: 0,
  updatedMs: 0,
};

export interface WebhooksApp {
  readonly webhooks: Webhooks;
}

interface AppSnapshot {
  /** Absent in checkpoints of older releases, which have the settings. */
  readonly webhooks?: WebhooksSnapshot;
  readonly settings?: Pick<AppSettings, 'webhookUrl'>;
}

export const webhooksOfApp: Slice<WebhooksApp, AppSnapshot, NewApp> = {
  make: () => ({ webhooks: new Webhooks() }),
  snapshot: ({ webhooks }) => ({ webhooks: webhooks.snapshot() }),
  restore: ({ webhooks: from, settings }) => {
    if (from !== undefined) return { webhooks: Webhooks.restore(from) };
    const webhooks = new Webhooks();
    if (settings !== undefined) webhooks.settings(settings);
    return { webhooks };
  },
};

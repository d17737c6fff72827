// What the log says of an app's destinations: who subscribed to what since when, and what each of
// them is owed. Words for kinds are read here once more, not by the product's bits.

import type { CampaignRecord } from '../../actors/programs/campaigns/records.ts';
import type { Millis } from '../../engine/base/brand.ts';

/** One event that destinations may be owed. */
export interface HappenedFact {
  /** Of all that happened in the app since it was made. */
  readonly place: number;
  readonly kind: string;
  readonly seq: number;
  /** `undefined` for an event without a person. */
  readonly person: number | undefined;
  /** Tells events of campaigns and channels apart that have one number. */
  readonly about: string;
  /** The one destination that is not told. */
  readonly except?: number;
  /** False for what the product may leave out: notices of progress, channels that got worse. */
  readonly isCertain: boolean;
}

/** One event of one destination. */
export interface OwedFact {
  readonly event: HappenedFact;
  /** Whom it was about when it was written, merges followed. */
  readonly person: number | undefined;
  readonly writtenMs: Millis;
}

/** A destination as it was saved last. */
interface SubscriptionFact {
  readonly number: number;
  readonly type: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
  /** Absent unless the service switched it off: it is owed its events all the same. */
  readonly switchedOffMs?: Millis;
  readonly concurrency: number;
  /** By kind: the place from which it gets them. */
  readonly since: ReadonlyMap<string, number>;
}

interface RetriesFact {
  readonly count: number;
  readonly lastMs: Millis;
}

export class AppWebhooks {
  readonly subscriptions = new Map<number, SubscriptionFact>();
  /** By destination, removed ones too, and by `keyOf` its events. */
  readonly owed = new Map<number, Map<string, OwedFact>>();
  /** What is not written yet. */
  pending: HappenedFact[] = [];
  /** How much has happened. */
  count = 0;
  readonly campaigns = new Map<string, CampaignRecord>();
  /** Of occurrences, by campaign and number: how many people they began with. */
  readonly audiences = new Map<string, number>();
  /** The end of each campaign's newest occurrence. */
  readonly newestEnd = new Map<string, { readonly number: number; readonly atMs: Millis }>();
  readonly gone = new Set<number>();
  readonly merged = new Map<number, number>();
  /** How often somebody had deliveries sent again, and when last, by destination. */
  readonly retries = new Map<number, RetriesFact>();
  webhookUrl: string | null = null;
  /** Counts entries about destinations: unchanged, nothing about them has changed. */
  version = 0;

  canonical(person: number): number {
    const into = this.merged.get(person);
    return into === undefined ? person : this.canonical(into);
  }

  retried(destination: number, lastMs: Millis): void {
    const count = (this.retries.get(destination)?.count ?? 0) + 1;
    this.retries.set(destination, { count, lastMs });
  }

  save(one: Omit<SubscriptionFact, 'since'>): void {
    const before = this.subscriptions.get(one.number);
    const isNew = before === undefined || (one.enabled && !isOwed(before));
    const since = new Map<string, number>();
    for (const kind of kinds)
      if (wants(one, kind))
        since.set(kind, (isNew ? undefined : before.since.get(kind)) ?? this.count);
    this.subscriptions.set(one.number, { ...one, since });
  }

  /** The legacy address comes and goes with the settings. */
  settings(webhookUrl: string | null): void {
    const before = this.subscriptions.get(0);
    if (webhookUrl === null) this.subscriptions.delete(0);
    else if (before === undefined || (!before.enabled && webhookUrl !== this.webhookUrl))
      this.save({ number: 0, type: 'legacy', events: [], enabled: true, concurrency: 16 });
    this.webhookUrl = webhookUrl;
  }

  /** What has happened is in the tables from now on, for those who want it now. */
  written(writtenMs: Millis): void {
    for (const event of this.pending) {
      const person = event.person === undefined ? undefined : this.canonical(event.person);
      if (person !== undefined && this.gone.has(person)) continue;
      for (const one of this.subscriptions.values()) {
        const { number, since } = one;
        const from = since.get(event.kind);
        if (!isOwed(one) || from === undefined || event.place < from) continue;
        if (event.except === number) continue;
        const owed = this.owed.get(number) ?? new Map<string, OwedFact>();
        this.owed.set(number, owed.set(keyOf(event), { event, person, writtenMs }));
      }
    }
    this.pending = [];
  }
}

/** Whether it gets its events: sent, or kept as `stopped`. */
export function isOwed(one: Pick<SubscriptionFact, 'enabled' | 'switchedOffMs'>): boolean {
  return one.enabled || one.switchedOffMs !== undefined;
}

/** Names an event among those of a destination. */
export function keyOf({ kind, seq, about }: Pick<HappenedFact, 'kind' | 'seq' | 'about'>): string {
  return `${kind} ${seq} ${about}`;
}

const kindsOfMessages = [
  'delivered',
  'bounced',
  'suppressed',
  'deferred',
  'failed',
  'opened',
  'clicked',
  'dismissed',
];

/** By the name in the stream of events. */
export const streamKinds: ReadonlyMap<string, string> = new Map([
  ...kindsOfMessages.map((name) => [name, `message.${name}`] as const),
  ['unsubscribed', 'subscriber.unsubscribed'],
]);

const kinds = [
  ...streamKinds.values(),
  'campaign.completed',
  'campaign.failed',
  'campaign.chunk_processed',
  'delivery.degraded',
  'integration.disabled',
  'message.complained',
];

const kindsOfLegacy = ['delivered', 'bounced', 'suppressed', 'deferred', 'failed'];

function wants({ type, events }: Pick<SubscriptionFact, 'type' | 'events'>, kind: string): boolean {
  if (type === 'slack') return kind === 'campaign.completed';
  if (type === 'legacy') return kindsOfLegacy.some((name) => kind === `message.${name}`);
  return events.some(
    (word) =>
      word === '*' || word === kind || (word.endsWith('.*') && kind.startsWith(word.slice(0, -1))),
  );
}

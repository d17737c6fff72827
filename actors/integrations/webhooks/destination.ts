// Where an app's events go: a webhook, a chat workspace, or the legacy address of the settings.
// What it is called with is sealed; memory knows its kinds, and how it has been doing.

import type { Rebase } from '../../../engine/actor/machine.ts';
import { dayMs, type Millis, minuteMs } from '../../../engine/base/brand.ts';
import { etagOf } from '../../etag.ts';
import { type WebhookKind, webhookKinds } from './event.ts';

/** `webhook`, `webhook-<name>`, `slack`. */
export type DestinationType = string;

/** As saved. */
export interface DestinationRecord {
  /** In the app; never reused. 0 is the legacy address. */
  readonly number: number;
  readonly type: DestinationType;
  /** A `DestinationSecrets` as JSON, sealed. */
  readonly sealed: Uint8Array;
  /** As the caller wrote them: kinds, `message.*`, `*`. */
  readonly events: readonly string[];
  readonly enabled: boolean;
  /** Why Engage switched it off; absent if it did not. */
  readonly disabledReason?: 'no_success';
  /**
   * When Engage did, if what is open goes on and what happens is kept, as `stopped`. Older releases
   * stopped all and kept nothing: their records lack it.
   */
  readonly switchedOffMs?: Millis;
  readonly concurrency: number;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
}

/** What only a call may see. */
export interface DestinationSecrets {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret?: string;
  /** Signs beside the current one until then. */
  readonly previous?: { readonly secret: string; readonly untilMs: Millis };
}

/** How the last calls went. */
export interface DestinationHealth {
  /** Since the last success, or the start. */
  readonly failures: number;
  /** Of the first of them. */
  readonly failingMs?: Millis;
  readonly successMs?: Millis;
  /** Days, UTC, on which an attempt failed since then. Older releases did not count them. */
  readonly failingDays?: number;
  /** The last of them, since 1970. */
  readonly failedDay?: number;
  /** Deliveries since then that ended without a success. */
  readonly lost?: number;
}

export const noHealth: DestinationHealth = { failures: 0 };

/** The legacy address of the settings. */
export const legacyNumber = 0;
export const legacyType = 'legacy';
export const destinationsMax = 10;
export const concurrencyDefault = 16;
/** How long a replaced secret still signs. */
export const previousSecretMs: Millis = dayMs;

/** The third attempt of one delivery that never gets through comes after six minutes. */
const failingAfter = 3;
const failingForMs: Millis = minuteMs;
/** What must have failed before Engage switches a destination off. */
export const hopeless = { lost: 20, days: 5 } as const;

export type HealthWord = 'ok' | 'failing';

export function healthWord({ failures, failingMs }: DestinationHealth, nowMs: Millis): HealthWord {
  const sinceMs = failingMs ?? nowMs;
  return failures >= failingAfter && nowMs - sinceMs >= failingForMs ? 'failing' : 'ok';
}

/**
 * Nothing got through since twenty deliveries were given up, on five days on which Engage called.
 * Time alone says nothing: there may have been no call, or no Engage.
 */
export function isHopeless({ failingDays = 0, lost = 0 }: DestinationHealth): boolean {
  return lost >= hopeless.lost && failingDays >= hopeless.days;
}

/** Whether what is open is sent; what happens is recorded for it, to be sent or `stopped`. */
export function isServed({ enabled, switchedOffMs }: DestinationRecord): boolean {
  return enabled || switchedOffMs !== undefined;
}

/** `runs`: positive for successes, negative for failures. `lost`: what each of them gave up. */
export function healthAfterRuns(
  health: DestinationHealth,
  runs: readonly number[],
  lost: readonly number[],
  atMs: Millis,
): DestinationHealth {
  return runs.reduce((now, run, i) => healthAfterRun(now, run, lost[i] ?? 0, atMs), health);
}

function healthAfterRun(
  health: DestinationHealth,
  run: number,
  lost: number,
  atMs: Millis,
): DestinationHealth {
  if (run > 0) return { failures: 0, successMs: atMs };
  const { failures, failingMs = atMs, failedDay = -1, failingDays = 0, ...rest } = health;
  const day = Math.floor(atMs / dayMs);
  return {
    ...rest,
    failures: failures - run,
    failingMs,
    // A clock that goes back counts no day twice.
    failingDays: failingDays + Number(day > failedDay),
    failedDay: Math.max(day, failedDay),
    ...(lost === 0 ? {} : { lost: (health.lost ?? 0) + lost }),
  };
}

/** Instants of a wrong clock become those of the right one. */
export function rebasedHealth(health: DestinationHealth, to: Rebase): DestinationHealth {
  const { failingMs, successMs, failedDay } = health;
  return {
    ...health,
    ...(failingMs === undefined ? {} : { failingMs: to.stamp(failingMs) }),
    ...(successMs === undefined ? {} : { successMs: to.stamp(successMs) }),
    ...(failedDay === undefined
      ? {}
      : { failedDay: Math.floor(to.stamp(failedDay * dayMs) / dayMs) }),
  };
}

/** The kinds that a destination may ask for; a test is sent to one alone. */
const subscribableKinds = webhookKinds.filter((kind) => kind !== 'webhook.test');

export const legacyKinds: readonly WebhookKind[] = [
  'message.delivered',
  'message.bounced',
  'message.suppressed',
  'message.deferred',
  'message.failed',
];

/** Bits by place in `webhookKinds`. */
export function kindsOf(type: DestinationType, events: readonly string[]): number {
  const kinds =
    type === legacyType
      ? legacyKinds
      : type === 'slack'
        ? (['campaign.completed'] as const)
        : events.flatMap(expanded);
  return kinds.reduce((bits, kind) => bits | kindBit(kind), 0);
}

export function kindBit(kind: WebhookKind): number {
  return 1 << webhookKinds.indexOf(kind);
}

/** What one word of `events` names; nothing if it is unknown. */
function expanded(word: string): readonly WebhookKind[] {
  if (word === '*') return subscribableKinds;
  if (word.endsWith('.*'))
    return subscribableKinds.filter((kind) => kind.startsWith(word.slice(0, -1)));
  return subscribableKinds.filter((kind) => kind === word);
}

/** Its address and secret are sealed, and sealed again under another key: their save stands in. */
export function destinationEtag({ sealed: _, ...set }: DestinationRecord): string {
  return etagOf({ ...set, savedMs: set.updatedMs });
}

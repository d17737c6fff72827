// Where an app's events go: a webhook, a chat workspace, or the legacy address of the settings.
// What it is called with is sealed; memory knows its kinds, and how it has been doing.

import { dayMs, type Millis, minuteMs } from '../../../engine/base/brand.ts';
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
const hopelessMs: Millis = 5 * dayMs;

export type HealthWord = 'ok' | 'failing';

export function healthWord({ failures, failingMs }: DestinationHealth, nowMs: Millis): HealthWord {
  const sinceMs = failingMs ?? nowMs;
  return failures >= failingAfter && nowMs - sinceMs >= failingForMs ? 'failing' : 'ok';
}

/** Nothing got through for five days. */
export function isHopeless({ failures, failingMs }: DestinationHealth, nowMs: Millis): boolean {
  return failures > 0 && nowMs - (failingMs ?? nowMs) >= hopelessMs;
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
  if (word === 'message.*' || word === 'campaign.*')
    return subscribableKinds.filter((kind) => kind.startsWith(word.slice(0, -1)));
  return subscribableKinds.filter((kind) => kind === word);
}

// The state of a provider as an app's sends find it; `provider-health.ts` says how it changes.

import type { Millis } from '../../../engine/base/brand.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { Failure } from '../../channels/port/outcome.ts';
import { limits } from '../../limits.ts';

/** A failure that opened a circuit, as in an outcome. */
export type Because = Pick<Failure, 'reason' | 'detail'>;

export interface Circuit {
  /** Nothing starts before this instant: the provider asked for a pause, or the circuit is open. */
  readonly pausedUntilMs: Millis;
  /** `config` outcomes in a row. */
  readonly configFailures: number;
  /** Calls in a row that did not get through. */
  readonly unreached: number;
  /** Of a part of the provider: a probe has this long to end before the next. */
  readonly probingUntilMs?: Millis;
  /** Why it opened last; old news once it is closed. */
  readonly because?: Because;
  /** Pauses in a row because the provider asked for fewer calls (`slowdown.ts`). Absent: none. */
  readonly slowed?: number;
  /** When the first of them began. */
  readonly slowedMs?: Millis;
  /** Of a relay: since when it takes no messages. */
  readonly shutMs?: Millis;
}

/** Whether a provider serves an app's channel now. */
export interface ProviderHealth extends Circuit {
  /** Parts of the provider (`accountOf`) that fail. */
  readonly accounts?: Readonly<Record<string, Circuit>>;
}

/** How a channel's provider treats an app's messages now. */
export const channelStates = [
  'ok',
  'paused',
  'slowed',
  'refused',
  'unreachable',
  'degraded',
] as const;
export type ChannelState = (typeof channelStates)[number];

/** How long sends have been slowed down, and why. */
interface SlowedView {
  /** `null` if it is not slowed down, or by an earlier version. */
  readonly sinceMs: Millis | null;
  /** Sends wait until then, or for the probe after it. */
  readonly untilMs: Millis | null;
  /** `undefined` for `ok`, and for circuits that an earlier version opened. */
  readonly because: Because | undefined;
}

export interface ChannelStateView extends SlowedView {
  readonly channel: ChannelId;
  readonly state: ChannelState;
  /** Parts of the provider that are slowed down alone: domains of recipients, push services. */
  readonly domains: readonly (SlowedView & { readonly domain: string })[];
}

/** From best to worst. */
export const relayStates = ['ok', 'paused', 'unreachable', 'refused'] as const;
export type RelayState = (typeof relayStates)[number];

export interface RelayHealth {
  /** `rel_…` or `server`. */
  readonly relay: string;
  readonly state: RelayState;
  readonly sinceMs: Millis | null;
  /** When one message finds out whether it takes messages again. */
  readonly untilMs: Millis | null;
  readonly because: Because | undefined;
  /** Messages of this UTC day, over everybody who shares it, if the day has a bound. */
  readonly callsToday: number;
}

export const healthy: Circuit = { pausedUntilMs: 0, configFailures: 0, unreached: 0 };

/** Whether sends may only probe. */
export function isCircuitOpen({ configFailures, unreached, slowed = 0 }: Circuit): boolean {
  return configFailures > 0 || isUnreached({ unreached }) || slowed > 0;
}

/** Whether the circuit is open because nobody gets through. */
export function isUnreached({ unreached }: Pick<Circuit, 'unreached'>): boolean {
  return unreached >= limits.circuitMissesMin;
}

export function becauseOf({ reason, detail }: Because): Because {
  return detail === undefined ? { reason } : { reason, detail };
}

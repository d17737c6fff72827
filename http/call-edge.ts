// The part of the edge that route handlers use. It is apart from http/edge.ts so that a route does
// not reach the code that authenticates, limits and configures.

import type { ChannelId } from '../actors/channels/channel-ids.ts';
import type { Tracked } from '../actors/channels/email/tracked.ts';
import type {
  CallbackCounts,
  RegisterWebhook,
  WebhookRegistration,
} from '../actors/channels/outcome.ts';
import type { KeyGrant } from '../actors/tenants/accounts/protocol.ts';
import type { Asker } from '../engine/actor/asker.ts';
import type { Millis, Ordinal, Seconds } from '../engine/base/brand.ts';
import type { Rng } from '../engine/base/rng.ts';
import type { Clock } from '../engine/time/clock.ts';
import type { LaneState, RateLane } from './rate-lane.ts';

export interface CallEdge {
  readonly config: CallConfig;
  readonly router: Asker;
  readonly admission: CallAdmission;
  readonly clock: Clock;
  readonly rng: Rng;
  /** False while starting, and again once draining has begun. */
  ready(): boolean;
  /** Counts callbacks from providers, for metrics. */
  countCallbacks?(channel: ChannelId, counts: CallbackCounts): void;
  /** Registers our webhook with a provider. Absent where nothing is sent. */
  registerWebhook?(ask: RegisterWebhook): Promise<WebhookRegistration>;
  /** Opens the token of an unsubscribe link; `undefined` for a forged or damaged one. */
  openUnsubscribe(token: string): { readonly app: number; readonly address: string } | undefined;
  /** Opens the token of a pixel or a tracked link; `undefined` for a forged or damaged one. */
  readTracked(token: string): Tracked | undefined;
}

/** The settings that handlers read. */
export interface CallConfig {
  readonly mode: 'sandbox' | 'live';
  readonly publicUrl: string;
  readonly ingestUrl: string;
  /** Whether tenants may name addresses of the operator's own network. */
  readonly allowPrivateNetworks: boolean;
}

/** The ceilings that handlers show or hold room under. */
interface CallAdmission {
  readonly perIpPerMinute: number;
  /** The state of a lane, without charging it. */
  peek(grant: KeyGrant, lane: RateLane): LaneState;
  /**
   * Holds room for up to `wanted` people that a keyless call from `address` may create in `app`.
   * Passes nothing to `then` where addresses have no ceiling. `then` may run later, when other
   * calls from the address are done.
   */
  holdPeople(
    address: string,
    app: Ordinal,
    wanted: number,
    then: (hold: Hold | undefined) => void,
  ): void;
  /** Counts the people that the call created, and returns the rest of the room. */
  releasePeople(hold: Hold | undefined, made: number): void;
}

/** Part of what an address may still do in this minute, held for one call. */
export interface Hold {
  /** What the call wanted or, if less is free, what is free. */
  readonly count: number;
  /** If `count` is less than the call wanted: whole seconds until more is free, 1 to 60; else 0. */
  readonly waitSeconds: Seconds;
  /** Counts `used` of it, at most `count`, and returns the rest. Call it exactly once. */
  release(used: number, nowMs: Millis): void;
}

// What a dispatcher keeps from beginning while a provider asks for fewer calls. The shard decides
// how long that is; this is about grants that were on their way when the refusal came. So it holds
// for a second, or until the shard has a call find out.

import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { SharedHolds } from '../../../engine/thread/shared-holds.ts';
import type { Clock } from '../../../engine/time/clock.ts';
import { catalog } from '../../channels/catalog.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { Attempt } from '../../channels/port/attempt.ts';
import type { Failure } from '../../channels/port/outcome.ts';
import { limits } from '../../limits.ts';
import { partOf } from '../outbox/account-probes.ts';

/** A report takes milliseconds to reach its shard; a pause is no shorter than this. */
const holdMs: Millis = 1_000;

type Endpoint = Attempt['endpoint'] | undefined;

export class SlowAccount {
  readonly #channel: ChannelId;
  readonly #clock: Clock;
  readonly #shared: SharedPauses;
  #untilMs = 0;
  readonly #parts = new Map<string, Millis>();
  /** Whether other threads call for the account, too. */
  isShared = false;

  constructor(app: Ordinal, channel: ChannelId, clock: Clock, holds: SharedHolds) {
    this.#channel = channel;
    this.#clock = clock;
    this.#shared = new SharedPauses(`${app}|${channel}`, clock, holds);
  }

  /** A call to `endpoint` was refused: which others that concerns. */
  refused(
    { domain }: Failure,
    endpoint: Endpoint,
    relay?: string,
  ): (other: Endpoint, otherRelay?: string) => boolean {
    const untilMs = this.#clock.monotonic() + holdMs;
    const part = domain ?? relay ?? catalog[this.#channel].accountOf?.(endpoint);
    this.#shared.refused(part);
    if (part === undefined) {
      this.#untilMs = untilMs;
      return () => true;
    }
    if (this.#parts.size >= limits.circuitAccountsMax) this.#parts.clear();
    this.#parts.set(part, untilMs);
    if (domain === undefined && relay !== undefined)
      return (_other, otherRelay) => otherRelay === relay;
    return (other) => partOf(this.#channel, other) === part;
  }

  /** A call is to find out whether the account, or one of its relays, takes messages again. */
  probed(relay?: string): void {
    if (relay !== undefined) {
      this.probedPart(relay);
      return;
    }
    this.#untilMs = 0;
    this.#shared.probed();
  }

  probedPart(part: string): void {
    this.#parts.delete(part);
    this.#shared.probed(part);
  }

  isSlow(): boolean {
    if (this.#untilMs !== 0 && this.#untilMs > this.#clock.monotonic()) return true;
    return this.isShared && this.#shared.isSlow();
  }

  isPartSlow(endpoint: Endpoint, relay?: string): boolean {
    if (relay !== undefined && this.#isSlow(relay)) return true;
    if (this.isShared && this.#shared.isAnyPartSlow()) {
      const part = partOf(this.#channel, endpoint);
      if (part !== undefined && this.#shared.isSlow(part)) return true;
    }
    if (this.#parts.size === 0) return false;
    const part = partOf(this.#channel, endpoint);
    return part !== undefined && this.#isSlow(part);
  }

  #isSlow(part: string): boolean {
    const untilMs = this.#parts.get(part);
    if (untilMs === undefined) return false;
    if (untilMs > this.#clock.monotonic()) return true;
    this.#parts.delete(part);
    return false;
  }
}

/** The same for the threads that share the account: they hear of a refusal at once. */
class SharedPauses {
  readonly #name: string;
  readonly #holds: SharedHolds;
  readonly #now: () => Millis;
  readonly #place: number;
  /** Held while any part is, so that rows need not look for theirs. */
  readonly #anyPart: number;

  constructor(name: string, clock: Clock, holds: SharedHolds) {
    this.#name = name;
    this.#holds = holds;
    this.#now = () => clock.now();
    this.#place = SharedHolds.placeOf(name);
    this.#anyPart = SharedHolds.placeOf(`${name}|`);
  }

  refused(part: string | undefined): void {
    const untilMs = this.#now() + holdMs;
    this.#holds.hold(this.#placeOf(part), untilMs);
    if (part !== undefined) this.#holds.hold(this.#anyPart, untilMs);
  }

  probed(part?: string): void {
    this.#holds.lift(this.#placeOf(part));
  }

  isSlow(part?: string): boolean {
    return this.#isHeld(this.#placeOf(part));
  }

  isAnyPartSlow(): boolean {
    return this.#isHeld(this.#anyPart);
  }

  #placeOf(part: string | undefined): number {
    return part === undefined ? this.#place : SharedHolds.placeOf(`${this.#name}|${part}`);
  }

  #isHeld(place: number): boolean {
    return this.#holds.isHeld(place, this.#now, holdMs);
  }
}

// Whether there is room for a call now: both lanes of an org, the ceilings of an address on keyless
// routes and on the people it makes there, and the ceiling on failed authentications. All of them
// are strict: in no minute does more pass than the figure. Lives in the front's memory; a restart
// forgives at most a minute.

import { fault } from '../actors/faults.ts';
import { limits } from '../actors/limits.ts';
import type { KeylessQuota } from '../actors/people/keyless.ts';
import type { KeyGrant } from '../actors/tenants/accounts/protocol.ts';
import type { Ordinal } from '../engine/base/brand.ts';
import type { Fault } from '../engine/base/fault.ts';
import { RateWindow } from '../engine/base/rate-window.ts';
import type { Clock } from '../engine/time/clock.ts';
import { AddressCeiling, type Hold } from './address-ceiling.ts';

/** Addresses that have a ceiling of their own at one time; those beyond share one. */
const addressesMax = 100_000;

export type RateLane = 'transactional' | 'standard';

/** What a lane has left; goes out on every authenticated answer. */
export interface LaneState {
  readonly lane: RateLane;
  readonly limit: number | null;
  readonly remaining: number | null;
  /** Whole seconds until enough of the window expires. */
  readonly reset: number;
}

interface Admitted {
  readonly state: LaneState;
  readonly refusal: Fault | undefined;
}

/** The ceilings of one front. */
export class Admission {
  readonly perIpPerMinute: number;
  readonly #clock: Clock;
  readonly #lanes = new Map<Ordinal, Record<RateLane, RateWindow>>();
  readonly #addresses: AddressCeiling;
  readonly #failures: AddressCeiling;
  readonly #newPeople = new AddressCeiling(limits.keylessPeoplePerAddress, addressesMax);

  constructor(options: { readonly clock: Clock; readonly perIpPerMinute: number }) {
    this.#clock = options.clock;
    this.perIpPerMinute = options.perIpPerMinute;
    this.#addresses = new AddressCeiling(Math.max(1, options.perIpPerMinute), addressesMax);
    this.#failures = new AddressCeiling(limits.authFailuresPerMinute, addressesMax);
  }

  /** Charges `units` to a lane of the key's org, all or nothing. */
  charge(grant: KeyGrant, lane: RateLane, units: number): Admitted {
    const limit = grant.rateLimits[lane];
    const taken = this.#window(grant.org, lane).take(this.#clock.now(), units, limit);
    const state: LaneState = { lane, limit, remaining: taken.remaining, reset: taken.resetSeconds };
    if (taken.ok) return { state, refusal: undefined };
    const { retryAfterSeconds } = taken;
    return {
      state,
      refusal: fault('rate_limited', refusalWords(state, units, retryAfterSeconds), {
        retryAfterSeconds,
      }),
    };
  }

  /** How a lane stands, charging nothing. */
  peek(grant: KeyGrant, lane: RateLane): LaneState {
    return this.charge(grant, lane, 0).state;
  }

  /** Charges one keyless call to an address. */
  address(address: string): Fault | undefined {
    if (this.perIpPerMinute === 0) return undefined;
    const retryAfterSeconds = this.#addresses.take(address, this.#clock.now());
    if (retryAfterSeconds === 0) return undefined;
    return fault('rate_limited', 'too many requests from this address', { retryAfterSeconds });
  }

  /**
   * Holds room for up to `wanted` people that a keyless call from `address` may make in `app`, at
   * most what an address may in a minute. `then` gets nothing where addresses have no ceilings; it
   * may run later, when others of the address are done.
   */
  holdPeople(
    address: string,
    app: Ordinal,
    wanted: number,
    then: (hold: Hold | undefined) => void,
  ): void {
    if (this.perIpPerMinute === 0) then(undefined);
    else this.#newPeople.hold(`${app} ${address}`, wanted, this.#clock.now(), then);
  }

  /** Counts the people that the call made in the end, and gives the rest of what it held back. */
  releasePeople(hold: Hold | undefined, made: number): void {
    hold?.release(made, this.#clock.now());
  }

  /** Refuses an address that failed to authenticate too often. */
  failedTooOften(address: string): Fault | undefined {
    const retryAfterSeconds = this.#failures.waitSeconds(address, this.#clock.now());
    if (retryAfterSeconds === 0) return undefined;
    return fault('rate_limited', 'too many failed authentications from this address', {
      retryAfterSeconds,
    });
  }

  countFailure(address: string): void {
    this.#failures.take(address, this.#clock.now());
  }

  #window(org: Ordinal, lane: RateLane): RateWindow {
    let lanes = this.#lanes.get(org);
    if (lanes === undefined) {
      lanes = { transactional: new RateWindow(), standard: new RateWindow() };
      this.#lanes.set(org, lanes);
    }
    return lanes[lane];
  }
}

function refusalWords(
  { lane, limit, remaining }: LaneState,
  units: number,
  seconds: number,
): string {
  const allows = `the ${lane} lane allows ${limit} units per minute`;
  if (units <= 1) return `${allows}; retry in ${seconds} s`;
  if (limit !== null && units > limit)
    return `${allows}, so a request of ${units} units can never succeed; send fewer at once`;
  return `${allows} and has ${remaining} left, but this request needs ${units}; retry in ${seconds} s, or send fewer at once`;
}

/**
 * What the app's actor is told of the room held for a call; nothing where addresses have no
 * ceilings.
 */
export function roomOf(hold: Hold | undefined): KeylessQuota | undefined {
  return hold && { mayCreate: hold.count, retryAfterSeconds: hold.waitSeconds };
}

/**
 * The headers that tell a caller how its lane stands: the specification's, and the IETF draft's
 * beside them.
 */
export function laneHeaders({
  lane,
  limit,
  remaining,
  reset,
}: LaneState): (readonly [string, string])[] {
  const limitText = limit === null ? 'unlimited' : String(limit);
  const left = limit === null ? 'unlimited' : String(remaining);
  const headers: (readonly [string, string])[] = [
    ['x-ratelimit-lane', lane],
    ['x-ratelimit-limit', limitText],
    ['x-ratelimit-remaining', left],
    ['x-ratelimit-reset', String(reset)],
  ];
  if (limit !== null) {
    headers.push(
      ['ratelimit-policy', `"${lane}";q=${limit};w=60`],
      ['ratelimit', `"${lane}";r=${remaining};t=${reset}`],
    );
  }
  return headers;
}

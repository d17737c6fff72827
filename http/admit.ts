// Rate limits: both lanes of an org; calls, bytes, events and new people per address on keyless
// routes; failed authentications per address. All are strict, except that a request's events are
// known only once it is stored: no minute exceeds the figure. In the front's memory; a restart
// forgives at most a minute.

import { fault } from '../actors/faults.ts';
import { limits } from '../actors/limits.ts';
import type { KeylessQuota } from '../actors/people/keyless.ts';
import type { NameQuota } from '../actors/people/name-limit.ts';
import type { KeyGrant } from '../actors/tenants/accounts/protocol.ts';
import type { Bytes, Ordinal, Seconds } from '../engine/base/brand.ts';
import type { Fault } from '../engine/base/fault.ts';
import { RateWindow } from '../engine/base/rate-window.ts';
import type { Clock } from '../engine/time/clock.ts';
import { AddressBudget } from './address-budget.ts';
import type { Admitted, Hold } from './call-edge.ts';
import type { LaneState, RateLane } from './rate-lane.ts';

/** Addresses, and IPv6 sites, with their own limit; further ones share one. */
const addressesMax = 100_000;

interface AdmissionOptions {
  readonly clock: Clock;
  readonly perIpPerMinute: number;
  /** Per address and app without a key; 0 is none. */
  readonly keylessKibPerMinute?: number;
  readonly keylessEventsPerMinute?: number;
}

export class Admission {
  readonly perIpPerMinute: number;
  /** People created without proof since the start. */
  keylessPeople = 0;
  readonly #clock: Clock;
  readonly #lanes = new Map<Ordinal, Record<RateLane, RateWindow>>();
  readonly #addresses: AddressBudget;
  readonly #failures: AddressBudget;
  readonly #newPeople = new AddressBudget(limits.keylessPeoplePerAddress, addressesMax);
  readonly #keylessKib: number;
  readonly #keylessEvents: number;
  readonly #bytes: AddressBudget;
  readonly #events: AddressBudget;
  readonly #names = new AddressBudget(limits.keylessNamesPerHour, addressesMax, 'hour');

  constructor(options: AdmissionOptions) {
    this.#clock = options.clock;
    this.perIpPerMinute = options.perIpPerMinute;
    this.#keylessKib = options.keylessKibPerMinute ?? limits.keylessKibPerMinute;
    this.#keylessEvents = options.keylessEventsPerMinute ?? limits.keylessEventsPerMinute;
    this.#bytes = new AddressBudget(Math.max(1, this.#keylessKib * 1024), addressesMax);
    this.#events = new AddressBudget(Math.max(1, this.#keylessEvents), addressesMax);
    this.#addresses = new AddressBudget(Math.max(1, options.perIpPerMinute), addressesMax);
    this.#failures = new AddressBudget(limits.authFailuresPerMinute, addressesMax);
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

  peek(grant: KeyGrant, lane: RateLane): LaneState {
    return this.charge(grant, lane, 0).state;
  }

  address(address: string): Fault | undefined {
    if (this.perIpPerMinute === 0) return undefined;
    const retryAfterSeconds = this.#addresses.take(address, this.#clock.now());
    if (retryAfterSeconds === 0) return undefined;
    return fault('rate_limited', 'too many requests from this address', { retryAfterSeconds });
  }

  keylessBytes(address: string, app: Ordinal, bytes: Bytes): Fault | undefined {
    if (bytes === 0) return undefined;
    const [who, nowMs] = [`${app} ${address}`, this.#clock.now()];
    if (this.#keylessEvents > 0) {
      const retryAfterSeconds = this.#events.waitSeconds(who, nowMs);
      if (retryAfterSeconds > 0)
        return keylessRefusal(`${this.#keylessEvents} events`, retryAfterSeconds);
    }
    if (this.#keylessKib === 0) return undefined;
    const retryAfterSeconds = this.#bytes.take(who, nowMs, bytes);
    if (retryAfterSeconds === 0) return undefined;
    return keylessRefusal(`${this.#keylessKib} KiB`, retryAfterSeconds);
  }

  /** Counts what a keyless call has stored. */
  countEvents(
    address: string,
    app: Ordinal,
    { accepted, namesBrought }: { readonly accepted: number; readonly namesBrought: number },
  ): void {
    if (this.#keylessEvents > 0)
      this.#events.count(`${app} ${address}`, this.#clock.now(), accepted);
    this.countNames(address, app, namesBrought);
  }

  nameQuota(address: string, app: Ordinal): NameQuota | undefined {
    if (this.perIpPerMinute === 0) return undefined;
    const free = this.#names.free(`${app} ${address}`, this.#clock.now());
    return { mayName: free.count, retryAfterSeconds: free.waitSeconds };
  }

  countNames(address: string, app: Ordinal, names: number): void {
    if (this.perIpPerMinute > 0) this.#names.count(`${app} ${address}`, this.#clock.now(), names);
  }

  holdPeople(
    address: string,
    app: Ordinal,
    wanted: number,
    then: (hold: Hold | undefined) => void,
  ): void {
    if (this.perIpPerMinute === 0) then(undefined);
    else this.#newPeople.hold(`${app} ${address}`, wanted, this.#clock.now(), then);
  }

  releasePeople(hold: Hold | undefined, made: number): void {
    this.keylessPeople += made;
    hold?.release(made, this.#clock.now());
  }

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

function keylessRefusal(what: string, retryAfterSeconds: Seconds): Fault {
  return fault(
    'rate_limited',
    `at most ${what} per minute from one address to one app without an API key`,
    { retryAfterSeconds },
  );
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

/** The held room as the app's actor reads it; nothing if addresses have no limit. */
export function roomOf(hold: Hold | undefined): KeylessQuota | undefined {
  if (hold === undefined) return undefined;
  return { mayCreate: hold.count, made: hold.used, retryAfterSeconds: hold.waitSeconds };
}

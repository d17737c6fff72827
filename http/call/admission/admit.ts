// Rate limits: both lanes of an org; calls, bytes, events and new people per address on keyless
// routes; wrong credentials, which never delay a right one. All are strict, except that a request's
// events are known only once it is stored: no minute exceeds the figure. In the front's memory; a
// restart forgives at most a minute.

import { fault } from '../../../actors/faults.ts';
import { limits } from '../../../actors/limits.ts';
import type { NameQuota } from '../../../actors/people/name-limit.ts';
import type { KeyGrant } from '../../../actors/tenants/accounts/protocol.ts';
import {
  type Bytes,
  type Millis,
  minuteMs,
  type Ordinal,
  type Seconds,
} from '../../../engine/base/brand.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import { RateWindow } from '../../../engine/base/rate-window.ts';
import type { Clock } from '../../../engine/time/clock.ts';
import type { Admitted, Hold } from '../call-edge.ts';
import { AddressBudget } from './address-budget.ts';
import type { LaneState, RateLane } from './rate-lane.ts';

/** Addresses with their own limit, and half as many IPv6 ones; further ones share counters. */
const addressesMax = 100_000;
/** Between two log lines about a full table. */
const tellFullEveryMs = minuteMs;

interface AdmissionOptions {
  readonly clock: Clock;
  readonly perIpPerMinute: number;
  /** Per address and app without a key; 0 is none. */
  readonly keylessKibPerMinute?: number;
  readonly keylessEventsPerMinute?: number;
  /** How many times a client's own limit an agency's clients have together; 0 is no bound. */
  readonly clientsShare?: number;
  /** Called at most once a minute while addresses find a table full. */
  onFull?(limit: AddressLimit): void;
}

/** The limits per address, by the names that metrics have for them. */
type AddressLimit =
  | 'bytes'
  | 'calls'
  | 'events'
  | 'failures'
  | 'holders'
  | 'lookups'
  | 'names'
  | 'people';

export class Admission {
  readonly perIpPerMinute: number;
  /** People created without proof since the start. */
  keylessPeople = 0;
  readonly #clock: Clock;
  readonly #lanes = new Lanes();
  /** Of all clients of an agency together. */
  readonly #clients = new Lanes();
  readonly #clientsShare: number;
  readonly #budgets: Readonly<Record<AddressLimit, AddressBudget>>;
  readonly #keylessKib: number;
  readonly #keylessEvents: number;
  readonly #onFull: AdmissionOptions['onFull'];
  #toldFullMs = Number.NEGATIVE_INFINITY;

  constructor(options: AdmissionOptions) {
    this.#clock = options.clock;
    this.#clientsShare = options.clientsShare ?? limits.clientsShare;
    this.perIpPerMinute = options.perIpPerMinute;
    this.#keylessKib = options.keylessKibPerMinute ?? limits.keylessKibPerMinute;
    this.#keylessEvents = options.keylessEventsPerMinute ?? limits.keylessEventsPerMinute;
    this.#onFull = options.onFull;
    const budget = (limit: number) => new AddressBudget(Math.max(1, limit), addressesMax);
    this.#budgets = {
      bytes: budget(this.#keylessKib * 1024),
      calls: budget(options.perIpPerMinute),
      events: budget(this.#keylessEvents),
      failures: budget(limits.authFailuresPerMinute),
      holders: budget(options.perIpPerMinute),
      lookups: budget(limits.authLookupsPerMinute),
      names: new AddressBudget(limits.keylessNamesPerHour, addressesMax, 'hour'),
      people: budget(limits.keylessPeoplePerAddress),
    };
  }

  /** How many calls found the table of each limit full, since the start. */
  overflows(): readonly { readonly limit: AddressLimit; readonly calls: number }[] {
    return (Object.keys(this.#budgets) as AddressLimit[]).map((limit) => ({
      limit,
      calls: this.#budgets[limit].overflows,
    }));
  }

  /** Charges `units` to a lane of the key's org, all or nothing. */
  charge(grant: KeyGrant, lane: RateLane, units: number): Admitted {
    const limit = grant.rateLimits[lane];
    const nowMs = this.#clock.now();
    const own = this.#lanes.of(grant.org, lane);
    const beyond = this.#chargeClients(grant, lane, units, own);
    if (beyond !== undefined) return beyond;
    const taken = own.take(nowMs, units, limit);
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

  /** Charges all clients of the agency together, unless the client's own lane has no room. */
  #chargeClients(
    { agency, rateLimits }: KeyGrant,
    lane: RateLane,
    units: number,
    own: RateWindow,
  ): Admitted | undefined {
    const limit = rateLimits[lane];
    if (agency === undefined || limit === null || this.#clientsShare === 0) return undefined;
    const nowMs = this.#clock.now();
    const { remaining, resetSeconds: reset } = own.take(nowMs, 0, limit);
    if (remaining !== null && units > remaining) return undefined;
    const limitOfAll = limit * this.#clientsShare;
    const { ok, retryAfterSeconds } = this.#clients.of(agency, lane).take(nowMs, units, limitOfAll);
    if (ok) return undefined;
    return {
      state: { lane, limit, remaining, reset },
      refusal: fault(
        'rate_limited',
        `all client workspaces of your agency together may use ${limitOfAll} units of the ${lane} lane per minute; retry in ${retryAfterSeconds} s`,
        { retryAfterSeconds },
      ),
    };
  }

  peek(grant: KeyGrant, lane: RateLane): LaneState {
    return this.charge(grant, lane, 0).state;
  }

  address(address: string): Fault | undefined {
    if (this.perIpPerMinute === 0) return undefined;
    const retryAfterSeconds = this.#take('calls', address);
    if (retryAfterSeconds === 0) return undefined;
    return fault('rate_limited', 'too many requests from this address', { retryAfterSeconds });
  }

  /** The same limit for who holds a session, link or key: nobody else uses it up. */
  holder(name: string): Fault | undefined {
    if (this.perIpPerMinute === 0) return undefined;
    const retryAfterSeconds = this.#take('holders', name);
    if (retryAfterSeconds === 0) return undefined;
    return fault('rate_limited', 'too many requests with this sign-in', { retryAfterSeconds });
  }

  keylessBytes(address: string, app: Ordinal, bytes: Bytes): Fault | undefined {
    if (bytes === 0) return undefined;
    const [who, nowMs] = [`${app} ${address}`, this.#clock.now()];
    if (this.#keylessEvents > 0) {
      const retryAfterSeconds = this.#budgets.events.waitSeconds(who, nowMs);
      if (retryAfterSeconds > 0)
        return keylessRefusal(`${this.#keylessEvents} events`, retryAfterSeconds);
    }
    if (this.#keylessKib === 0) return undefined;
    const retryAfterSeconds = this.#budgets.bytes.take(who, nowMs, bytes);
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
      this.#budgets.events.count(`${app} ${address}`, this.#clock.now(), accepted);
    if (this.perIpPerMinute > 0)
      this.#budgets.names.count(`${app} ${address}`, this.#clock.now(), namesBrought);
  }

  nameQuota(address: string, app: Ordinal): NameQuota | undefined {
    if (this.perIpPerMinute === 0) return undefined;
    const free = this.#budgets.names.free(`${app} ${address}`, this.#clock.now());
    return { mayName: free.count, retryAfterSeconds: free.waitSeconds };
  }

  holdNames(
    address: string,
    app: Ordinal,
    wanted: number,
    then: (hold: Hold | undefined) => void,
  ): void {
    if (this.perIpPerMinute === 0 || wanted === 0) then(undefined);
    else {
      const most = Math.min(wanted, limits.keylessNamesPerHour);
      this.#budgets.names.hold(`${app} ${address}`, most, this.#clock.now(), then);
    }
  }

  releaseNames(hold: Hold | undefined, brought: number): void {
    hold?.release(brought, this.#clock.now());
  }

  holdPeople(
    address: string,
    app: Ordinal,
    wanted: number,
    then: (hold: Hold | undefined) => void,
  ): void {
    if (this.perIpPerMinute === 0) then(undefined);
    else this.#budgets.people.hold(`${app} ${address}`, wanted, this.#clock.now(), then);
  }

  releasePeople(hold: Hold | undefined, made: number): void {
    this.keylessPeople += made;
    hold?.release(made, this.#clock.now());
  }

  /** Why an address may try no more of what it names: it was wrong too often. */
  failedTooOften(address: string, name: string): Fault | undefined {
    const who = `${name} ${address}`;
    const retryAfterSeconds = this.#budgets.failures.waitSeconds(who, this.#clock.now());
    if (retryAfterSeconds === 0) return undefined;
    return fault('rate_limited', 'too many failed authentications from this address', {
      retryAfterSeconds,
    });
  }

  countFailure(address: string, name: string): void {
    this.#take('failures', `${name} ${address}`);
  }

  /** Charges a look-up of a credential that is not listed, or says why there is none. */
  lookUp(address: string): Fault | undefined {
    const retryAfterSeconds = this.#take('lookups', address);
    if (retryAfterSeconds === 0) return undefined;
    return fault('rate_limited', 'too many unknown keys from this address', {
      retryAfterSeconds,
    });
  }

  #take(limit: AddressLimit, address: string): Seconds {
    const budget = this.#budgets[limit];
    const { overflows } = budget;
    const nowMs = this.#clock.now();
    const wait = budget.take(address, nowMs);
    if (budget.overflows > overflows) this.#tellFull(limit, nowMs);
    return wait;
  }

  #tellFull(limit: AddressLimit, nowMs: Millis): void {
    if (nowMs - this.#toldFullMs < tellFullEveryMs) return;
    this.#toldFullMs = nowMs;
    this.#onFull?.(limit);
  }
}

/** The windows of both lanes, by org. */
class Lanes {
  readonly #windows = new Map<Ordinal, Record<RateLane, RateWindow>>();

  of(org: Ordinal, lane: RateLane): RateWindow {
    let windows = this.#windows.get(org);
    if (windows === undefined) {
      windows = { transactional: new RateWindow(), standard: new RateWindow() };
      this.#windows.set(org, windows);
    }
    return windows[lane];
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

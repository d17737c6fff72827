// A limit per address, and a larger one per IPv6 /48. A /64 is a household, but providers give out
// a /48 with 65,536 of them to anyone who asks: without the larger limit that is 65,536 budgets.

import type { Millis, Seconds } from '../engine/base/brand.ts';
import { AddressCeiling } from './address-ceiling.ts';
import type { Hold } from './call-edge.ts';

/** How many /64s may use up their limit within one /48. */
const budgetsOfSite = 16;

export class AddressBudget {
  readonly #own: AddressCeiling;
  readonly #sites: AddressCeiling;

  /** As `AddressCeiling`; each of the two tables has up to `addressesMax` entries. */
  constructor(limit: number, addressesMax: number, window: 'minute' | 'hour' = 'minute') {
    this.#own = new AddressCeiling(limit, addressesMax, window);
    this.#sites = new AddressCeiling(limit * budgetsOfSite, addressesMax, window);
  }

  /** Counts `units` against both, or against none; see `AddressCeiling.take`. */
  take(address: string, nowMs: Millis, units = 1): Seconds {
    const site = siteOf(address);
    if (site === undefined) return this.#own.take(address, nowMs, units);
    const wait = this.#sites.waitSeconds(site, nowMs, units);
    if (wait > 0) return wait;
    const ownWait = this.#own.take(address, nowMs, units);
    return ownWait > 0 ? ownWait : this.#sites.take(site, nowMs, units);
  }

  free(address: string, nowMs: Millis): { readonly count: number; readonly waitSeconds: Seconds } {
    const own = this.#own.free(address, nowMs);
    const site = siteOf(address);
    if (site === undefined) return own;
    const all = this.#sites.free(site, nowMs);
    return all.count < own.count ? all : own;
  }

  count(address: string, nowMs: Millis, units: number): void {
    this.#own.count(address, nowMs, units);
    const site = siteOf(address);
    if (site !== undefined) this.#sites.count(site, nowMs, units);
  }

  waitSeconds(address: string, nowMs: Millis): Seconds {
    const wait = this.#own.waitSeconds(address, nowMs);
    const site = siteOf(address);
    return site === undefined ? wait : Math.max(wait, this.#sites.waitSeconds(site, nowMs));
  }

  /** The own limit first, then the site's: always in this order, so no two calls wait in a ring. */
  hold(address: string, wanted: number, nowMs: Millis, then: (hold: Hold) => void): void {
    const site = siteOf(address);
    if (site === undefined) {
      this.#own.hold(address, wanted, nowMs, then);
      return;
    }
    this.#own.hold(address, wanted, nowMs, (own) => {
      if (own.count === 0) then(own);
      else this.#sites.hold(site, own.count, nowMs, (all) => then(both(own, all)));
    });
  }
}

/** What both let pass. A site that has used much counts as noisy in each of its addresses. */
function both(own: Hold, all: Hold): Hold {
  return {
    count: all.count,
    used: Math.max(own.used, Math.floor(all.used / budgetsOfSite)),
    waitSeconds: all.count < own.count ? all.waitSeconds : own.waitSeconds,
    release: (used, nowMs) => {
      own.release(used, nowMs);
      all.release(used, nowMs);
    },
  };
}

const suffix = '::/64';

/** The /48 of a key that ends with a /64 (`rateKey`); it may begin with an app. */
function siteOf(key: string): string | undefined {
  if (!key.endsWith(suffix)) return undefined;
  const end = key.lastIndexOf(':', key.length - suffix.length - 1);
  return `${key.slice(0, end)}::/48`;
}

// A limit per address, and a larger one per IPv6 /48. A /64 is a household, but providers give out
// a /48 with 65,536 of them to anyone who asks: without the larger limit that is 65,536 budgets,
// and without a bound on a site's places in the table six of them fill it for everybody.

import type { Millis, Seconds } from '../../../engine/base/brand.ts';
import type { Hold } from '../call-edge.ts';
import { AddressCeiling } from './address-ceiling.ts';

/** How many /64s may use up their limit within one /48. */
const budgetsOfSite = 16;
/** A site with more /64s in the table is counted as one: it cannot fill the table. */
const addressesOfSite = 64;

export class AddressBudget {
  /** IPv4 addresses, and whatever else is no IPv6 address. */
  readonly #v4: AddressCeiling;
  readonly #v6: AddressCeiling;
  readonly #sites: AddressCeiling;
  /** How many /64s of a site are in the table. */
  readonly #crowds = new Map<string, number>();

  /** As `AddressCeiling`; the tables of /64s and of /48s are half as large. */
  constructor(limit: number, addressesMax: number, window: 'minute' | 'hour' = 'minute') {
    const half = addressesMax / 2;
    this.#v4 = new AddressCeiling(limit, addressesMax, window);
    this.#v6 = new AddressCeiling(limit, half, window, (address, by) => this.#noted(address, by));
    this.#sites = new AddressCeiling(limit * budgetsOfSite, half, window);
  }

  /** Calls that found a table full. */
  get overflows(): number {
    return this.#v4.overflows + this.#v6.overflows + this.#sites.overflows;
  }

  /** Counts `units` against both, or against none; see `AddressCeiling.take`. */
  take(address: string, nowMs: Millis, units = 1): Seconds {
    const site = siteOf(address);
    if (site === undefined) return this.#v4.take(address, nowMs, units);
    const wait = this.#sites.waitSeconds(site, nowMs, units);
    if (wait > 0) return wait;
    if (this.#isCrowded(site, address)) return this.#sites.take(site, nowMs, units);
    const ownWait = this.#v6.take(address, nowMs, units);
    return ownWait > 0 ? ownWait : this.#sites.take(site, nowMs, units);
  }

  free(address: string, nowMs: Millis): { readonly count: number; readonly waitSeconds: Seconds } {
    const site = siteOf(address);
    if (site === undefined) return this.#v4.free(address, nowMs);
    const own = this.#v6.free(address, nowMs);
    const all = this.#sites.free(site, nowMs);
    return all.count < own.count ? all : own;
  }

  count(address: string, nowMs: Millis, units: number): void {
    const site = siteOf(address);
    if (site === undefined) this.#v4.count(address, nowMs, units);
    else {
      if (!this.#isCrowded(site, address)) this.#v6.count(address, nowMs, units);
      this.#sites.count(site, nowMs, units);
    }
  }

  waitSeconds(address: string, nowMs: Millis): Seconds {
    const site = siteOf(address);
    if (site === undefined) return this.#v4.waitSeconds(address, nowMs);
    const wait = this.#sites.waitSeconds(site, nowMs);
    if (this.#isCrowded(site, address)) return wait;
    return Math.max(wait, this.#v6.waitSeconds(address, nowMs));
  }

  /** The own limit first, then the site's: always in this order, so no two calls wait in a ring. */
  hold(address: string, wanted: number, nowMs: Millis, then: (hold: Hold) => void): void {
    const site = siteOf(address);
    if (site === undefined) this.#v4.hold(address, wanted, nowMs, then);
    else if (this.#isCrowded(site, address))
      this.#sites.hold(site, wanted, nowMs, (all) => then(asNoisy(all)));
    else
      this.#v6.hold(address, wanted, nowMs, (own) => {
        if (own.count === 0) then(own);
        else this.#sites.hold(site, own.count, nowMs, (all) => then(both(own, all)));
      });
  }

  /** Whether the site has its share of the table, and this address no place of it. */
  #isCrowded(site: string, address: string): boolean {
    return (this.#crowds.get(site) ?? 0) >= addressesOfSite && !this.#v6.has(address);
  }

  #noted(address: string, by: 1 | -1): void {
    const site = siteOf(address) ?? '';
    const crowd = (this.#crowds.get(site) ?? 0) + by;
    if (crowd > 0) this.#crowds.set(site, crowd);
    else this.#crowds.delete(site);
  }
}

/** What a site alone lets pass; an address of it counts as its share. */
function asNoisy(all: Hold): Hold {
  return { ...all, used: Math.floor(all.used / budgetsOfSite) };
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
export function siteOf(key: string): string | undefined {
  if (!key.endsWith(suffix)) return undefined;
  const end = key.lastIndexOf(':', key.length - suffix.length - 1);
  return `${key.slice(0, end)}::/48`;
}

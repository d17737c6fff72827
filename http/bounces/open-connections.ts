// Which connections to the bounce listener are open. An address has few of them. When all are
// taken, a newcomer gets the place of the one that has named none of our addresses for longest:
// bounces come from everywhere, and a few strangers must not keep them out by staying connected.

import type { Socket } from 'node:net';
import { siteOf } from '../call/admission/address-budget.ts';
import { normalAddress, rateKey } from '../server/client-address.ts';

/** In all, of one address (an IPv6 /64), and of an IPv6 /48. */
const connectionsMax = 64;
const connectionsOfAddressMax = 8;
const connectionsOfSiteMax = 32;

interface Open {
  readonly socket: Pick<Socket, 'destroy'>;
  readonly keys: readonly string[];
  isUseful: boolean;
}

export class OpenConnections {
  /** By remote address and port, oldest first. */
  readonly #open = new Map<string, Open>();
  readonly #counts = new Map<string, number>();

  get size(): number {
    return this.#open.size;
  }

  /**
   * Takes a place. False if its address has too many, all places are in use for mail, or it is
   * closed already.
   */
  enter(
    peer: string,
    remoteAddress: string,
    sockets: ReadonlyMap<string, Pick<Socket, 'destroy'>>,
  ): boolean {
    const socket = sockets.get(peer);
    if (socket === undefined) return false;
    const address = rateKey(normalAddress(remoteAddress));
    const site = siteOf(address);
    if (this.#count(address) >= connectionsOfAddressMax) return false;
    if (site !== undefined && this.#count(site) >= connectionsOfSiteMax) return false;
    if (this.#open.size >= connectionsMax && !this.#makeRoom()) return false;
    const keys = site === undefined ? [address] : [address, site];
    for (const key of keys) this.#counts.set(key, this.#count(key) + 1);
    this.#open.set(peer, { socket, keys, isUseful: false });
    return true;
  }

  /** It has named an address of ours. */
  useful(peer: string): void {
    const open = this.#open.get(peer);
    if (open !== undefined) open.isUseful = true;
  }

  leave(peer: string): void {
    const open = this.#open.get(peer);
    if (open === undefined) return;
    this.#open.delete(peer);
    for (const key of open.keys) {
      const left = this.#count(key) - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
    }
  }

  #count(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  #makeRoom(): boolean {
    for (const [peer, { socket, isUseful }] of this.#open) {
      if (isUseful) continue;
      this.leave(peer);
      socket.destroy();
      return true;
    }
    return false;
  }
}

// The relays that granted messages leave by, and their paces, which all dispatch threads keep
// together.

import { SharedPaces } from '../../../engine/thread/shared-paces.ts';
import type { Clock } from '../../../engine/time/clock.ts';
import { type OpenRelay, serverRelay } from '../../channels/port/open-relay.ts';

/** `relay` is absent for the server's own way, which has no pace. */
export interface RelayWay {
  readonly name: string;
  readonly relay?: OpenRelay;
}

const serverWay: RelayWay = { name: serverRelay };

/** The way that a granted attempt names; `undefined` where its channel has no relays. */
export function wayNamed(
  name: string | undefined,
  relays: readonly OpenRelay[] = [],
): RelayWay | undefined {
  if (name === undefined) return undefined;
  const relay = relays.find(({ id }) => id === name);
  return relay === undefined ? serverWay : { name, relay };
}

/** The way of a whole wave. */
export function wayOf(relay: OpenRelay | string | undefined): RelayWay | undefined {
  if (relay === undefined) return undefined;
  return typeof relay === 'string' ? serverWay : { name: relay.id, relay };
}

/** Bounds of calls a second and a day. A thread remembers until when a relay is full. */
export class RelayPaces {
  readonly #paces: SharedPaces;
  readonly #clock: Clock;
  readonly #fullUntilMs = new Map<string, number>();

  constructor(buffer: SharedArrayBuffer | undefined, clock: Clock) {
    this.#paces = new SharedPaces(buffer);
    this.#clock = clock;
  }

  /** Takes a call's place in this second: false if there is none now. */
  take(way: RelayWay | undefined): boolean {
    const { relay } = way ?? {};
    if (relay?.perSecond === undefined) return true;
    const nowMs = this.#clock.monotonic();
    if ((this.#fullUntilMs.get(relay.id) ?? 0) > nowMs) return false;
    const waitMs = this.#paces.take(relay.id, relay.perSecond, this.#clock.now());
    if (waitMs === 0) return true;
    this.#fullUntilMs.set(relay.id, nowMs + waitMs);
    return false;
  }

  /** In how many ms the first relay that is full has a place; `undefined` if none is full. */
  get waitMs(): number | undefined {
    const nowMs = this.#clock.monotonic();
    let firstMs = Number.POSITIVE_INFINITY;
    for (const [id, untilMs] of this.#fullUntilMs) {
      if (untilMs <= nowMs) this.#fullUntilMs.delete(id);
      else firstMs = Math.min(firstMs, untilMs);
    }
    return firstMs === Number.POSITIVE_INFINITY ? undefined : Math.max(1, firstMs - nowMs);
  }

  /** Counts a call of today; false if the day has no more. */
  takeOfDay(way: RelayWay | undefined): boolean {
    const { relay } = way ?? {};
    if (relay?.perDay === undefined) return true;
    return this.#paces.takeOfDay(relay.id, relay.perDay, this.#clock.now());
  }

  /** A counted call did not begin. */
  giveBackOfDay(way: RelayWay | undefined): void {
    const { relay } = way ?? {};
    if (relay?.perDay !== undefined) this.#paces.giveBackOfDay(relay.id, this.#clock.now());
  }
}

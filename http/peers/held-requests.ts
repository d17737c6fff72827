// Requests that wait until their partition has an owner: up to two seconds, and no more of them
// than this server has room for.

import { moved, overloaded } from '../../engine/actor/turn-faults.ts';
import type { Bytes, Millis } from '../../engine/base/brand.ts';
import type { Fault } from '../../engine/base/fault.ts';
import type { Clock } from '../../engine/time/clock.ts';
import type { Owners, Whereabouts } from './owners.ts';

/** From the arrival of a request. */
export const holdMs: Millis = 2_000;
const heldMax = 1_000;
const heldBytesMax: Bytes = 32 * 1024 * 1024;
/** A wrong guess is corrected by the owner's next beat; then whoever refused is asked again. */
const lookAgainMs: Millis = 250;

interface Waiting {
  readonly partition: number;
  readonly bytes: Bytes;
  readonly untilMs: Millis;
  readonly refused: { readonly by: Whereabouts; readonly atMs: Millis } | undefined;
  readonly then: (place: Whereabouts) => void;
  readonly over: (fault: Fault) => void;
}

interface HeldRequestsOptions {
  readonly owners: Owners;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Calls back after so long, and returns what stops that. */
  readonly after: (ms: Millis, then: () => void) => () => void;
}

export class HeldRequests {
  readonly #options: HeldRequestsOptions;
  readonly #waiting = new Set<Waiting>();
  #bytes: Bytes = 0;
  #stop: (() => void) | undefined;

  constructor(options: HeldRequestsOptions) {
    this.#options = options;
    options.owners.onChange(() => this.#look());
  }

  get count(): number {
    return this.#waiting.size;
  }

  get bytes(): Bytes {
    return this.#bytes;
  }

  /**
   * Calls either `then` or `over` once, unless it is stopped before. `refusedBy` is asked again
   * after others were heard, or after a while.
   */
  wait(
    request: Pick<Waiting, 'partition' | 'bytes' | 'untilMs' | 'then' | 'over'>,
    refusedBy?: Whereabouts,
  ): () => void {
    const { clock } = this.#options;
    const nowMs = clock.monotonic();
    const refused = refusedBy && { by: refusedBy, atMs: nowMs };
    const waiting: Waiting = { ...request, refused };
    const place = this.#placeFor(waiting, nowMs);
    if (place !== undefined) request.then(place);
    else if (nowMs >= request.untilMs) request.over(moved);
    else if (this.count >= heldMax || this.#bytes + request.bytes > heldBytesMax)
      request.over(overloaded);
    else {
      this.#waiting.add(waiting);
      this.#bytes += request.bytes;
      this.#stop ??= this.#options.after(lookAgainMs, this.#again);
    }
    return () => this.#drop(waiting);
  }

  readonly #again = (): void => {
    this.#stop = undefined;
    this.#look();
    if (this.count > 0) this.#stop ??= this.#options.after(lookAgainMs, this.#again);
  };

  #look(): void {
    const nowMs = this.#options.clock.monotonic();
    for (const waiting of [...this.#waiting]) {
      const place = this.#placeFor(waiting, nowMs);
      if (place === undefined && nowMs < waiting.untilMs) continue;
      if (!this.#drop(waiting)) continue;
      if (place !== undefined) waiting.then(place);
      else waiting.over(moved);
    }
    if (this.count > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }

  #placeFor({ partition, refused }: Waiting, nowMs: Millis): Whereabouts | undefined {
    const place = this.#options.owners.of(partition);
    if (place === undefined || place.isHeld) return undefined;
    if (refused === undefined || nowMs - refused.atMs >= lookAgainMs) return place;
    const { by } = refused;
    return place.term === by.term && place.member === by.member ? undefined : place;
  }

  /** False if it does not wait any more. */
  #drop(waiting: Waiting): boolean {
    if (!this.#waiting.delete(waiting)) return false;
    this.#bytes -= waiting.bytes;
    return true;
  }
}

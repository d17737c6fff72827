// Responses made while they are sent: piece by piece, no faster than the client reads. If making
// one fails in the middle, the connection is cut, because a regular end would pass half of it off
// as all. An org may have only a few under way, so that clients that do not read cannot fill the
// memory.

import { fault } from '../actors/faults.ts';
import type { Ordinal } from '../engine/base/brand.ts';
import { FaultError } from '../engine/base/fault.ts';
import type { HttpResponder } from './exchange.ts';
import type { Pieces } from './route.ts';

/** Streamed responses that an org may have under way at a time. */
const streamsOfOrgMax = 4;

/** Counts the streamed responses under way, by org. */
export class StreamSlots {
  readonly #taken = new Map<Ordinal, number>();

  /**
   * Takes a slot for this org and returns the function that frees it. Throws a 429 if there is
   * none.
   */
  take(org: Ordinal): () => void {
    const taken = this.#taken.get(org) ?? 0;
    if (taken >= streamsOfOrgMax) {
      const message = `an org may run at most ${streamsOfOrgMax} exports at once; wait until one finishes`;
      throw new FaultError(fault('rate_limited', message, { retryAfterSeconds: 1 }));
    }
    this.#taken.set(org, taken + 1);
    return () => {
      const left = (this.#taken.get(org) ?? 1) - 1;
      if (left > 0) this.#taken.set(org, left);
      else this.#taken.delete(org);
    };
  }
}

/**
 * Writes the pieces to a response that has begun, waits while the client has no room, and ends it.
 * Stops, and reads no further piece, once the client has disconnected. If the pieces throw, it cuts
 * the connection and rethrows.
 */
export async function sendPieces(response: HttpResponder, pieces: Pieces): Promise<void> {
  let wake = (): void => undefined;
  response.onDrain(() => wake());
  response.onAborted(() => wake());
  try {
    for await (const piece of pieces) {
      if (response.aborted) return;
      if (response.write(piece) || response.aborted) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (response.aborted) return;
    }
  } catch (error) {
    response.cut();
    throw error;
  }
  response.end();
}

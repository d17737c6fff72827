// Answers that are made while they are sent: one piece after the other, no faster than the client
// reads. An answer whose making fails in the middle ends with its connection, because an end in
// good order would pass half of it off as all. So that readers who do not read cannot fill the
// memory, an org has a few of them at a time and no more.

import { fault } from '../actors/faults.ts';
import type { Ordinal } from '../engine/base/brand.ts';
import { FaultError } from '../engine/base/fault.ts';
import type { HttpResponder } from './exchange.ts';
import type { Pieces } from './route.ts';

/** How many streamed answers an org may have under way at a time. */
const streamsOfOrgMax = 4;

/** Counts the streamed answers under way, by org. */
export class StreamSlots {
  readonly #taken = new Map<Ordinal, number>();

  /**
   * Takes a place for an answer to this org and gives the way to let go of it. Throws a 429 when
   * there is none.
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
 * Writes the pieces to an answer that has begun, waiting while the client has no room, and ends it.
 * Ends early, and takes no further piece, once the client has gone. What the pieces throw comes
 * back with the connection cut.
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

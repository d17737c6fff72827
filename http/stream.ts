// Responses made while sent, no faster than the client reads. A failure midway cuts the connection:
// half must not look whole. Orgs have few slots: clients that do not read cannot fill the memory.

import { fault } from '../actors/faults.ts';
import type { Ordinal } from '../engine/base/brand.ts';
import { FaultError } from '../engine/base/fault.ts';
import type { HttpResponder } from './exchange.ts';
import type { Pieces } from './route.ts';

/** Per org at a time. */
const streamsOfOrgMax = 4;

export class StreamSlots {
  readonly #taken = new Map<Ordinal, number>();

  /** Occupies an org's slot and returns the function that frees it. Throws a 429 if full. */
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
 * Writes pieces to a begun response, waits for the client, and ends it. Stops reading pieces on a
 * disconnect. If the pieces throw, it cuts the connection and rethrows.
 */
export async function sendPieces(response: HttpResponder, pieces: Pieces): Promise<void> {
  let wake = (): void => undefined;
  response.onDrain(() => wake());
  response.onAborted(() => {
    pieces.stop?.();
    wake();
  });
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

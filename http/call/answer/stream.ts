// Responses made while sent, no faster than the client reads. A failure midway cuts the connection:
// half must not look whole. Orgs have few slots: clients that do not read cannot fill the memory.

import { fault } from '../../../actors/faults.ts';
import type { Tenant } from '../../../actors/tenants/accounts/protocol.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import type { HttpResponder } from '../../server/exchange.ts';
import type { Pieces } from '../route.ts';

/** At a time: of an org, and of all clients of an agency. */
const streamsOfOrgMax = 4;
const streamsOfClientsMax = 32;

export class StreamSlots {
  readonly #taken = new Map<Ordinal, number>();
  readonly #takenByClients = new Map<Ordinal, number>();

  /** Occupies an org's slot and returns the function that frees it. Throws a 429 if full. */
  take({ org, agency }: Tenant): () => void {
    refuseFull(this.#taken, org, streamsOfOrgMax, 'an org');
    if (agency !== undefined)
      refuseFull(this.#takenByClients, agency, streamsOfClientsMax, "an agency's clients together");
    const giveBack = [occupy(this.#taken, org)];
    if (agency !== undefined) giveBack.push(occupy(this.#takenByClients, agency));
    return () => {
      for (const free of giveBack) free();
    };
  }
}

function refuseFull(
  taken: ReadonlyMap<Ordinal, number>,
  of: Ordinal,
  most: number,
  who: string,
): void {
  if ((taken.get(of) ?? 0) < most) return;
  const message = `${who} may run at most ${most} exports at once; wait until one finishes`;
  throw new FaultError(fault('rate_limited', message, { retryAfterSeconds: 1 }));
}

function occupy(taken: Map<Ordinal, number>, of: Ordinal): () => void {
  taken.set(of, (taken.get(of) ?? 0) + 1);
  return () => {
    const left = (taken.get(of) ?? 1) - 1;
    if (left > 0) taken.set(of, left);
    else taken.delete(of);
  };
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

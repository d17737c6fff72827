// Shared by calls that queue a send and accept an idempotency key.

import { z } from 'zod';
import type { IdempotencyClaim } from '../../../actors/sending/transactional/idempotency-claim.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import type { Call } from '../../call/call.ts';
import { claimOf } from '../../call/idempotency.ts';
import type { Reply } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';

export const idempotencyHeaders = {
  'Idempotency-Key': 'Makes a retry safe for 24 hours. Same as `idempotencyKey` in the body.',
};

export const replayHeaders = {
  'x-idempotent-replay':
    '`true` if the idempotency key was used before: this is the original response.',
};

export const acceptedSend = {
  description: 'Accepted and stored.',
  schema: z
    .object({ id: z.string(), status: z.literal('pending') })
    .meta({ examples: [{ id: exampleIds.send, status: 'pending' }] }),
  headers: replayHeaders,
};

/** From the call's header or body. Throws a fault. */
export function claimOfCall(
  call: Call<unknown, unknown>,
  app: Ordinal,
  area: string,
): IdempotencyClaim | null {
  return claimOf(app, area, call.header('idempotency-key'), sentObject(call));
}

/** The body as sent; its schema has checked that it is an object. */
export function sentObject({ sent }: Call<unknown, unknown>): Readonly<Record<string, unknown>> {
  return sent as Readonly<Record<string, unknown>>;
}

/** For a durable send; `replayed` if the key was used before. */
export function acceptedReply(body: object, replayed: boolean): Reply {
  return { status: 202, body, headers: replayed ? [['x-idempotent-replay', 'true']] : [] };
}

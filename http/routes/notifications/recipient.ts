// The recipient that a body names.

import { z } from 'zod';
import type { PersonRef } from '../../../actors/people/audience/protocol.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { externalUserIdSchema } from '../../call/schemas/schemas.ts';
import { personNamed } from '../person-named.ts';

export const recipientFields = {
  subscriberId: z
    .string()
    .nullish()
    .describe(
      "The recipient's subscriber id, or `external:` and your own user id; or use `externalUserId`.",
    ),
  externalUserId: externalUserIdSchema.nullish().describe('The recipient, by your own user id.'),
} as const;

/** By one id or the other. Throws a fault for none and for both. */
export function recipientOf({
  subscriberId,
  externalUserId,
}: {
  readonly subscriberId?: string | null | undefined;
  readonly externalUserId?: string | null | undefined;
}): PersonRef {
  if (subscriberId != null && externalUserId != null) {
    throw new FaultError(
      fieldFault('externalUserId', 'give subscriberId or externalUserId, not both'),
    );
  }
  if (subscriberId != null) return personNamed(subscriberId);
  if (externalUserId != null) return { externalUserId };
  throw new FaultError(
    fieldFault('subscriberId', 'is missing; give subscriberId or externalUserId'),
  );
}

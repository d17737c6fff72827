// The warning of answers to calls that have people asked by mail: nobody can be.

import { z } from 'zod';
import type { Ordinal } from '../../../engine/base/brand.ts';
import type { Call } from '../../call/call.ts';

export const consentWarnings = {
  warnings: z
    .array(z.object({ field: z.string(), warning: z.string() }))
    .optional()
    .describe('Present if the app has no sender of emails, so that nobody can be asked.'),
};

/** What is read of `actors/sending/opt-in/protocol.ts`, which knows much more. */
interface Counting {
  'opt_in.count': { body: { by: number }; reply: { readonly hasSender: boolean } };
}

interface Warned {
  readonly warnings?: { readonly field: string; readonly warning: string }[];
}

/** Of an answer to a call whose `field` has people asked by mail, if it does. */
export async function senderWarnings(
  call: Call<unknown, unknown>,
  app: Ordinal,
  field: 'consent' | 'doubleOptIn',
  isAsked: boolean,
): Promise<Warned> {
  if (!isAsked) return {};
  const { hasSender } = await call.to<Counting>(app).ask('opt_in.count', {});
  return hasSender ? {} : { warnings: [noSender(field)] };
}

export function noSender(field: string) {
  const warning =
    'the app has no sender of emails, so nobody is asked; set email.fromAddress in its settings';
  return { field, warning };
}

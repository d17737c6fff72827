// The warning of answers to calls that have people asked by mail: nobody can be.

import { z } from 'zod';
import type { Consent } from '../../../actors/people/audience/protocol.ts';
import type { OptInProtocol } from '../../../actors/sending/opt-in/protocol.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import type { Call } from '../../call/call.ts';

export const consentWarnings = {
  warnings: z
    .array(z.object({ field: z.string(), warning: z.string() }))
    .optional()
    .describe('Present if the app has no sender of emails, so that nobody can be asked.'),
};

interface Warned {
  readonly warnings?: { readonly field: string; readonly warning: string }[];
}

/** Of an answer to a call that has people asked by mail. */
export async function senderWarnings(
  call: Call<unknown, unknown>,
  app: Ordinal,
  consent: Consent | undefined,
): Promise<Warned> {
  if (consent !== 'doubleOptIn') return {};
  const { hasSender } = await call.to<OptInProtocol>(app).ask('opt_in.count', {});
  return hasSender ? {} : { warnings: [noSender('consent')] };
}

export function noSender(field: string) {
  const warning =
    'the app has no sender of emails, so nobody is asked; set email.fromAddress in its settings';
  return { field, warning };
}

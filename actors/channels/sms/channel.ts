// Text messages through the tenant's carrier account.

import { carrierSchema } from '../carrier/account.ts';
import { carrierReasons } from '../carrier/reasons.ts';
import { type ChannelEntry, ownAccount, waitOrNever } from '../channel-entry.ts';
import { phoneEndpoint } from '../endpoint.ts';

/** What the catalogue says of sms. */
export const sms = {
  ...phoneEndpoint,
  ...ownAccount,
  credential: 'carrier',
  credentialSchema: carrierSchema,
  onAmbiguous: waitOrNever,
  urls: { CARRIER: 'https://api.twilio.com' },
  namesMessages: 'engage',
  // What a carrier says of a phone that is off, or far away.
  failureThatAddsUp: 'handset_unreachable',
  reasons: carrierReasons,
} as const satisfies ChannelEntry;

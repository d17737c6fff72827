// Text messages through the tenant's carrier account.

import { carrierSchema } from '../carrier/account.ts';
import { carrierReasons } from '../carrier/reasons.ts';
import { type ChannelEntry, ownAccount, waitOrNever } from '../channel-entry.ts';
import { phoneEndpoint } from '../endpoint.ts';

export const sms = {
  label: 'SMS',
  ...phoneEndpoint,
  ...ownAccount,
  credential: 'carrier',
  credentialSchema: carrierSchema,
  onAmbiguous: waitOrNever,
  urls: { CARRIER: 'https://api.twilio.com' },
  namesMessages: 'engage',
  // The carrier's reason for a phone that is off or out of reach.
  failureThatAddsUp: 'handset_unreachable',
  reasons: carrierReasons,
} as const satisfies ChannelEntry;

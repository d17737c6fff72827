// Calls through the tenant's carrier account.

import { carrierSchema } from '../carrier/account.ts';
import { carrierReasons } from '../carrier/reasons.ts';
import { type ChannelEntry, ownAccount, waitOrNever } from '../channel-entry.ts';
import { phoneEndpoint } from '../endpoint.ts';

/** What the catalogue says of voice. */
export const voice = {
  ...phoneEndpoint,
  ...ownAccount,
  credential: 'carrier',
  credentialSchema: carrierSchema,
  onAmbiguous: waitOrNever,
  urls: { CARRIER: 'https://api.twilio.com' },
  namesMessages: 'engage',
  reasons: {
    ...carrierReasons,
    busy: 'busy_line',
  },
} as const satisfies ChannelEntry;

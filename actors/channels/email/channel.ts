// Email through the operator's mail relay.

import { limits } from '../../limits.ts';
import { type ChannelEntry, resend } from '../channel-entry.ts';
import { textEndpoint } from '../endpoint.ts';
import { emailAddress, emailBytesMax } from './address.ts';

/** What the catalogue says of email. */
export const email = {
  label: 'Email',
  ...textEndpoint('email address', emailAddress, emailBytesMax + 64, 'person@example.com'),
  ignoresCase: true,
  identity: 'email',
  onAmbiguous: resend,
  price: 'email',
  inFlightMax: limits.inFlightPerAccountMax,
  needsTitle: true,
  needsRelay: true,
} as const satisfies ChannelEntry;

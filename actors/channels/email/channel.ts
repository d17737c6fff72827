// Email through the operator's mail relay.

import { minuteMs } from '../../../engine/base/brand.ts';
import { limits } from '../../limits.ts';
import { type ChannelEntry, resend } from '../channel-entry.ts';
import { textEndpoint } from '../endpoint.ts';
import { emailAddress, emailBytesMax } from './address.ts';

export const email = {
  ...textEndpoint('email address', emailAddress, emailBytesMax + 64, 'person@example.com'),
  ignoresCase: true,
  identity: 'email',
  onAmbiguous: resend,
  price: 'email',
  inFlightMax: limits.inFlightPerAccountMax,
  needsTitle: true,
  needsRelay: true,
  reachedReasons: ['deferred', 'mailbox_full'],
  // A server that greylists wants minutes between tries, a full mailbox more.
  shortestWaits: [
    [3, 5 * minuteMs],
    [6, 30 * minuteMs],
  ],
  reasons: {
    relay_busy: 'unavailable',
    routing: 'unavailable',
    mailbox_not_found: 'address_not_found',
    mailbox_disabled: 'address_not_found',
    mailbox_moved: 'address_not_found',
    domain_not_found: 'address_not_found',
    domain_takes_no_mail: 'address_not_found',
    bad_address: 'address_not_found',
    mailbox_full: 'The mailbox is full.',
    message_too_large: 'payload_too_large',
    header_injection: 'content_refused',
    tls_injection: 'content_refused',
    sender_not_configured: 'sender_missing',
    sender_not_authenticated: 'sender_missing',
    sender_refused: 'sender_missing',
    relay_authentication: "The server's mail relay rejected the email, or could not be used.",
    relay_refused: 'relay_authentication',
    relay_tls: 'relay_authentication',
    relay_not_found: 'relay_authentication',
    auth_not_offered: 'relay_authentication',
    tls_required: 'relay_authentication',
  },
  usesLanguage: true,
} as const satisfies ChannelEntry;

// Email through the operator's mail relay.

import { minuteMs } from '../../../engine/base/brand.ts';
import { limits } from '../../limits.ts';
import { textEndpoint } from '../addresses/endpoint.ts';
import { type ChannelEntry, resend } from '../port/channel-entry.ts';
import { domainOf, emailAddress, emailBytesMax } from './address.ts';
import { senderRefusals } from './sender-refusals.ts';

export const email = {
  ...textEndpoint('email address', emailAddress, emailBytesMax + 64, 'person@example.com'),
  ignoresCase: true,
  identity: 'email',
  onAmbiguous: resend,
  price: 'email',
  inFlightMax: limits.inFlightPerAccountMax,
  needsTitle: true,
  needsRelay: true,
  endsMarketing: ['complained_earlier', 'unsubscribed_earlier'],
  reachedReasons: ['deferred', 'mailbox_full', 'recipient_quota', ...senderRefusals],
  // A server that greylists wants minutes between tries, a full mailbox more.
  shortestWaits: [
    [3, 5 * minuteMs],
    [6, 30 * minuteMs],
  ],
  reasons: {
    relay_busy: 'unavailable',
    attachment_missing: 'A file of the email is no longer stored.',
    idempotency_conflict:
      'The mail service has an email with the same key already, and does not say whether it was sent.',
    routing: "The email could not be routed to the recipient's mail server.",
    relaying_denied: "The mail server does not accept email for the recipient's domain from here.",
    mailbox_suspended: 'The mailbox is suspended or blocked at its provider.',
    mailbox_not_found: 'address_not_found',
    mailbox_disabled: 'address_not_found',
    mailbox_moved: 'address_not_found',
    domain_not_found: 'address_not_found',
    domain_takes_no_mail: 'address_not_found',
    bad_address: 'address_not_found',
    mailbox_full: 'The mailbox is full.',
    mailbox_unavailable: 'The mailbox could not be reached for now.',
    bounced_earlier:
      "The relay did not send the email: an earlier one bounced, so the address is on the relay's own list.",
    complained_earlier:
      'The relay did not send the email: its recipient reported an earlier one as spam.',
    unsubscribed_earlier:
      'The relay did not send the email: its recipient unsubscribed at the relay.',
    unsubscribed_at_relay: 'The recipient unsubscribed at the relay.',
    dropped: "The relay did not send the email: the address is on the relay's own list.",
    message_too_large: 'payload_too_large',
    header_injection: 'content_refused',
    tls_injection: 'content_refused',
    sender_not_configured: 'sender_missing',
    sender_not_authenticated:
      'The mail server could not verify the sender: check SPF, DKIM and DMARC of the sender domain, and the reverse DNS name of the relay.',
    sender_blocked:
      "The recipient's mail server has blocked the sender: the relay's address or the domain is on a blocklist, or has a bad reputation.",
    sender_refused: "A mail server refused the sender's address or domain.",
    relay_authentication: "The server's mail relay rejected the email, or could not be used.",
    relay_refused: 'relay_authentication',
    relay_tls: 'relay_authentication',
    oauth_refused: 'relay_authentication',
    oauth_unreachable: 'unavailable',
    port_not_allowed: 'relay_authentication',
    relay_not_found: 'relay_authentication',
    auth_not_offered: 'relay_authentication',
    tls_required: 'relay_authentication',
  },
  usesLanguage: true,
  domainOf: (endpoint) => (typeof endpoint === 'string' ? domainOf(endpoint) : undefined),
} as const satisfies ChannelEntry;

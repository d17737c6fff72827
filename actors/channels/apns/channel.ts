// Push to Apple devices through APNs.

import { z } from 'zod';
import type { Checked } from '../addresses/address.ts';
import { textEndpoint } from '../addresses/endpoint.ts';
import { type ChannelEntry, pushChannel } from '../port/channel-entry.ts';
import { privateKey } from '../port/credential-forms.ts';

const credentialSchema = z.object({
  teamId: z.string().regex(/^[A-Z0-9]{10}$/, 'must be ten capital letters or digits'),
  keyId: z.string().regex(/^[A-Z0-9]{10}$/, 'must be ten capital letters or digits'),
  p8: privateKey('p256', 'must be the P-256 private key in PEM form from the .p8 file'),
  bundleId: z
    .string()
    .regex(/^[A-Za-z0-9.-]{1,155}$/, 'must be a bundle id, such as com.example.app'),
  environment: z.enum(['production', 'sandbox']).default('production'),
});
export type ApnsCredential = z.infer<typeof credentialSchema>;

export const apns = {
  ...textEndpoint('APNs device token in hexadecimal', apnsToken, 200),
  ...pushChannel,
  credential: 'apns',
  credentialSchema,
  reachedReasons: ['idle_timeout', 'too_many_requests'],
  urls: { APNS: null },
  reasons: {
    idle_timeout: 'timeout',
    shutdown: 'connection_lost',
    goaway: 'connection_lost',
    too_many_provider_tokens: 'throttled',
    expired_token: 'unregistered',
    bad_device_token: 'unregistered',
    missing_device_token: 'unregistered',
    device_token_not_for_topic: 'sender_id_mismatch',
    payload_empty: 'text_empty',
    bad_collapse_id: 'bad_request',
    bad_expiration_date: 'bad_request',
    bad_message_id: 'bad_request',
    bad_priority: 'bad_request',
    bad_path: 'bad_request',
    method_not_allowed: 'bad_request',
    duplicate_headers: 'bad_request',
    invalid_push_type: 'bad_request',
    expired_provider_token: 'unauthenticated',
    invalid_provider_token: 'unauthenticated',
    missing_provider_token: 'unauthenticated',
    unrelated_key: 'unauthenticated',
    bad_environment_key: 'unauthenticated',
    bad_certificate: 'unauthenticated',
    bad_certificate_environment: 'unauthenticated',
    bad_topic: 'sender_missing',
    missing_topic: 'sender_missing',
    topic_disallowed: 'sender_missing',
  },
} as const satisfies ChannelEntry;

/** An APNs device token: 64 to 200 hexadecimal digits, an even number; stored in lower case. */
function apnsToken(raw: string): Checked {
  if (raw.length % 2 !== 0 || !/^[0-9a-f]{64,200}$/i.test(raw)) {
    return { problem: 'must be an APNs device token: 64 to 200 hexadecimal digits' };
  }
  return { value: raw.toLowerCase() };
}

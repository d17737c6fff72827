// Web push to browsers, straight to their push services.

import { createECDH } from 'node:crypto';
import { z } from 'zod';
import type { WebPushSubscription } from '../addresses/endpoint.ts';
import { type ChannelEntry, pushChannel } from '../port/channel-entry.ts';
import { normalSubscription, webPushSubscription } from './subscription.ts';

const contactForm = 'must be a mailto: or https: address of at most 256 characters';

/** A VAPID key pair, in base64url. Made on first use; uploaded to keep existing subscriptions. */
const credentialSchema = z
  .object({
    publicKey: z
      .string()
      .regex(/^[A-Za-z0-9_-]{87}=?$/, 'must be a P-256 public key: 65 bytes in base64url'),
    privateKey: z
      .string()
      .regex(/^[A-Za-z0-9_-]{43}=?$/, 'must be a P-256 private key: 32 bytes in base64url'),
    subject: z
      .string()
      .max(256, { error: contactForm, abort: true })
      .regex(/^(mailto:[^\s@<>]+@[^\s@<>]+|https:\/\/[^\s<>]+)$/, contactForm)
      .optional(),
  })
  .refine((body) => isKeyPair(body.publicKey, body.privateKey), {
    path: ['privateKey'],
    message: 'does not match publicKey',
  });
export type WebPushKeys = z.infer<typeof credentialSchema>;

export const webpush = {
  endpointIs: "the browser's subscription object",
  endpoint: webPushSubscription,
  normalize: normalSubscription,
  ...pushChannel,
  credential: 'webpush',
  credentialSchema,
  // Each browser's push service fails by itself.
  accountOf: hostOf,
  reasons: {
    push_service_not_allowed: 'private_address',
    redirected: 'The push service redirected the call. Engage does not follow redirects.',
    invalid_subscription: 'unregistered',
    not_a_subscription: 'unregistered',
    vapid_mismatch: 'sender_id_mismatch',
    vapid_refused: 'unauthenticated',
  },
} as const satisfies ChannelEntry;

function hostOf(endpoint: unknown): string | undefined {
  const url = (endpoint as Partial<WebPushSubscription> | null)?.endpoint;
  return url !== undefined && URL.canParse(url) ? new URL(url).host : undefined;
}

function isKeyPair(publicKey: string, secretKey: string): boolean {
  const ecdh = createECDH('prime256v1');
  try {
    ecdh.setPrivateKey(Buffer.from(secretKey, 'base64url'));
  } catch {
    return false;
  }
  return ecdh.getPublicKey().equals(Buffer.from(publicKey, 'base64url'));
}

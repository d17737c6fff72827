// VAPID key pairs (RFC 8292): makes an app's own, and checks an uploaded one. The web-push library
// loads on first use, because only these two rare calls need it.

import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import type { WebPushKeys } from './channel.ts';
import { contactProblem } from './contact.ts';

/** A new pair: the uncompressed P-256 point (65 bytes) and the scalar (32), in base64url. */
export async function makeVapidKeys(): Promise<{ publicKey: string; privateKey: string }> {
  const { default: webpush } = await import('web-push');
  return webpush.generateVAPIDKeys();
}

/** Signs a test token. The fault says why no push service would accept it. */
export async function vapidFault(keys: WebPushKeys): Promise<Fault | undefined> {
  const refused = URL.canParse(keys.subject ?? '') ? contactProblem(keys.subject ?? '') : undefined;
  if (refused !== undefined) return fieldFault('subject', `Apple's web push refuses ${refused}`);
  const { default: webpush } = await import('web-push');
  const subject = keys.subject ?? 'mailto:postmaster@example.com';
  const publicKey = withoutPadding(keys.publicKey);
  const privateKey = withoutPadding(keys.privateKey);
  try {
    webpush.getVapidHeaders('https://push.example', subject, publicKey, privateKey, 'aes128gcm');
    return undefined;
  } catch {
    return URL.canParse(subject)
      ? fieldFault('privateKey', 'cannot sign a VAPID token')
      : fieldFault('subject', 'must be a valid mailto: or https: address');
  }
}

/** The library refuses padded base64url. */
function withoutPadding(key: string): string {
  return key.replace(/=$/, '');
}

// How the carrier signs its callbacks. The signature covers the whole address, query included.

import { createHmac } from 'node:crypto';
import type { Post } from '../callbacks.ts';

/** One form and its signing key. */
export interface SignedPost {
  readonly url: string;
  readonly form: readonly (readonly [name: string, value: string])[];
  readonly authToken: string;
  /** Signed with another token, which the product must refuse. */
  readonly isForged?: boolean;
}

/** The encoded form. */
export function signedForm({ url, form, authToken, isForged }: SignedPost): Post {
  const token = isForged === true ? `not ${authToken}` : authToken;
  const signature = carrierSignature(token, url, form);
  return {
    url,
    body: new URLSearchParams(form as [string, string][]).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      // The real carrier's header name, and the specification's.
      'x-twilio-signature': signature,
      'x-carrier-signature': signature,
    },
  };
}

/**
 * base64 of HMAC-SHA1 over the address, then each name and value, sorted by name. No name is
 * repeated here.
 */
function carrierSignature(authToken: string, url: string, form: SignedPost['form']): string {
  const signing = createHmac('sha1', authToken).update(url);
  for (const [name, value] of [...form].sort(([a], [b]) => (a < b ? -1 : 1))) {
    signing.update(name + value);
  }
  return signing.digest('base64');
}

// How the carrier signs what it posts to the product. Easily got wrong: the signature covers the
// whole address, query included.

import { createHmac } from 'node:crypto';
import type { Post } from '../callbacks.ts';

/** One form, and what it is signed with. */
export interface SignedPost {
  readonly url: string;
  readonly form: readonly (readonly [name: string, value: string])[];
  readonly authToken: string;
  /** Signed with another token: what the product must refuse. */
  readonly isForged?: boolean;
}

/** The form as it goes out. */
export function signedForm({ url, form, authToken, isForged }: SignedPost): Post {
  const token = isForged === true ? `not ${authToken}` : authToken;
  const signature = carrierSignature(token, url, form);
  return {
    url,
    body: new URLSearchParams(form as [string, string][]).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      // The real carrier's name for it, and the specification's.
      'x-twilio-signature': signature,
      'x-carrier-signature': signature,
    },
  };
}

/**
 * base64 of HMAC-SHA1 over the address, then each name and value, by name. No name comes twice in
 * what is posted here.
 */
function carrierSignature(authToken: string, url: string, form: SignedPost['form']): string {
  const signing = createHmac('sha1', authToken).update(url);
  for (const [name, value] of [...form].sort(([a], [b]) => (a < b ? -1 : 1))) {
    signing.update(name + value);
  }
  return signing.digest('base64');
}

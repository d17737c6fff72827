// The carrier's callback signatures, over the whole address with query.

import { createHmac } from 'node:crypto';
import type { Post } from '../callbacks.ts';

export interface SignedPost {
  readonly url: string;
  readonly form: readonly (readonly [name: string, value: string])[];
  readonly authToken: string;
  /** With another token, which the product must refuse. */
  readonly isForged?: boolean;
}

export function signedForm({ url, form, authToken, isForged }: SignedPost): Post {
  const token = isForged === true ? `not ${authToken}` : authToken;
  const signature = carrierSignature(token, url, form);
  return {
    url,
    body: new URLSearchParams(form as [string, string][]).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      // The real carrier's header, as specified.
      'x-twilio-signature': signature,
      'x-carrier-signature': signature,
    },
  };
}

/** base64 of HMAC-SHA1 over the address, then names and values sorted by name; no repeats. */
function carrierSignature(authToken: string, url: string, form: SignedPost['form']): string {
  const signing = createHmac('sha1', authToken).update(url);
  for (const [name, value] of [...form].sort(([a], [b]) => (a < b ? -1 : 1))) {
    signing.update(name + value);
  }
  return signing.digest('base64');
}

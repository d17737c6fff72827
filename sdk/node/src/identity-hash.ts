// What proves to the server that a page or an app acts for a person.

import { hexOf, hmacSha256 } from './hmac.ts';

/**
 * The `identityHash` of a person for `login` in an SDK. Make it on your server, for the person who
 * is signed in there: the app's identity secret must never reach a page.
 */
export async function identityHash(secret: string, externalUserId: string): Promise<string> {
  if (secret === '') throw new TypeError('secret: expected the identity secret of the app');
  if (externalUserId === '') throw new TypeError('externalUserId: expected a text');
  const encoder = new TextEncoder();
  return hexOf(await hmacSha256(encoder.encode(secret), encoder.encode(externalUserId)));
}

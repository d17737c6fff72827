// Signs callbacks as the carrier does.

import { createHmac } from 'node:crypto';

/** Base64 of HMAC-SHA1 over the address, then each name with each of its values once, sorted. */
export function carrierSignature(
  authToken: string,
  url: string,
  form: Iterable<readonly [name: string, value: string]>,
): string {
  const values = new Map<string, Set<string>>();
  for (const [name, value] of form) values.set(name, (values.get(name) ?? new Set()).add(value));
  const signing = createHmac('sha1', authToken).update(url);
  for (const name of [...values.keys()].sort())
    for (const value of [...(values.get(name) ?? [])].sort()) signing.update(name + value);
  return signing.digest('base64');
}

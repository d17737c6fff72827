// Checks the signatures of a delivery as a receiver would, with the secrets that a person pasted.
// Written from the documentation and not from the code that signs, so that it can disagree. Pure.

import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Millis } from '../../engine/base/brand.ts';

/** `unsigned`: none of the headers is there. `unknown`: no secret was pasted. */
type SignatureVerdict = 'right' | 'wrong' | 'unsigned' | 'unknown';

interface SignatureReport {
  readonly verdict: SignatureVerdict;
  /** Why, in a sentence. */
  readonly says: string;
}

interface Signed {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly atMs: Millis;
}

const toleranceMs: Millis = 300_000;

export function judgeSignatures(signed: Signed, secrets: readonly string[]): SignatureReport {
  const names = Object.keys(schemes).filter((name) => signed.headers[name] !== undefined);
  if (names.length === 0) return { verdict: 'unsigned', says: 'The request has no signature.' };
  if (secrets.length === 0)
    return { verdict: 'unknown', says: 'Paste the secret to check the signature.' };
  const wrong = names.filter((name) => !isSigned(name, signed, secrets));
  if (wrong.length > 0)
    return { verdict: 'wrong', says: `${wrong.join(', ')}: not signed with the secret.` };
  const lateMs = Math.abs(signed.atMs - 1000 * Number(signed.headers['x-engage-timestamp']));
  if (!(lateMs <= toleranceMs))
    return { verdict: 'wrong', says: 'The timestamp is more than five minutes off.' };
  return { verdict: 'right', says: `${names.join(', ')}: signed with the secret.` };
}

/** What each header signs, and how it is written. */
const schemes: Readonly<Record<string, (signed: Signed, secret: string) => string>> = {
  'x-engage-signature': ({ body }, secret) =>
    createHmac('sha256', secret).update(body).digest('hex'),
  'x-engage-signature-v2': ({ headers, body }, secret) =>
    createHmac('sha256', secret)
      .update(`${headers['x-engage-timestamp']}.`)
      .update(body)
      .digest('hex'),
  'webhook-signature': ({ headers, body }, secret) => {
    const encoded = /^whsec_(.*)$/.exec(secret)?.[1];
    const key = encoded === undefined ? secret : Buffer.from(encoded, 'base64');
    const start = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`;
    return `v1,${createHmac('sha256', key).update(start).update(body).digest('base64')}`;
  },
};

/** During a rotation `webhook-signature` has two, and one is enough. */
function isSigned(name: string, signed: Signed, secrets: readonly string[]): boolean {
  const given = String(signed.headers[name]).split(' ');
  return secrets.some((secret) => given.includes(schemes[name]?.(signed, secret) ?? ''));
}

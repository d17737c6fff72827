// Verifies AWS Signature Version 4 as Amazon does, written apart from the signer: a known key, a
// quarter of an hour, and every byte of the request. For an unknown key, only its form.

import { createHash, createHmac } from 'node:crypto';
import type { Received } from '../stand-in.ts';

const skewMsMax = 5 * 60_000;
const keysMax = 1_000;
const form =
  /^AWS4-HMAC-SHA256 Credential=([^/, ]{16,128})\/(\d{8})\/([a-z\d-]+)\/ses\/aws4_request, ?SignedHeaders=([a-z\d;-]+), ?Signature=([\da-f]{64})$/;

/** In Amazon's terms. */
interface SignatureProblem {
  readonly type: string;
  readonly message: string;
}

export class AwsSignatures {
  readonly #secrets = new Map([['AKIASANDBOX000000000', 'sandbox-secret-access-key']]);

  /** Its later signatures are verified. */
  learn(accessKeyId: string, secretAccessKey: string): void {
    if (this.#secrets.size >= keysMax) this.#secrets.clear();
    this.#secrets.set(accessKeyId, secretAccessKey);
  }

  /** The problem, or the key that signed. `mount` is the part of the path before `path`. */
  check(call: Received, mount: string): { readonly accessKeyId: string } | SignatureProblem {
    const { headers } = call;
    const [, accessKeyId, day, region, names, signature] =
      form.exec(headers.authorization ?? '') ?? [];
    if (accessKeyId === undefined || names === undefined)
      return {
        type: 'MissingAuthenticationTokenException',
        message: 'Missing Authentication Token',
      };
    if (accessKeyId.startsWith('AKIAREVOKED'))
      return {
        type: 'UnrecognizedClientException',
        message: 'The security token included in the request is invalid.',
      };
    const time = String(headers['x-amz-date'] ?? '');
    const at = time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
    if (!(Math.abs(Date.parse(at) - call.nowMs) <= skewMsMax))
      return {
        type: 'InvalidSignatureException',
        message: `Signature expired: ${time} is not now`,
      };
    const secret = this.#secrets.get(accessKeyId);
    if (secret === undefined) return { accessKeyId };
    const list = names.split(';');
    const lines = [
      call.method,
      `${mount}${call.path}`,
      call.query,
      ...list.map((name) => `${name}:${String(headers[name] ?? '').trim()}`),
      '',
      names,
      createHash('sha256').update(call.body).digest('hex'),
    ];
    const hash = createHash('sha256').update(lines.join('\n')).digest('hex');
    const text = `AWS4-HMAC-SHA256\n${time}\n${day}/${region}/ses/aws4_request\n${hash}`;
    const hmac = (key: string | Buffer, value: string) =>
      createHmac('sha256', key).update(value).digest();
    const dayKey = hmac(hmac(`AWS4${secret}`, day ?? ''), region ?? '');
    const wanted = hmac(hmac(hmac(dayKey, 'ses'), 'aws4_request'), text).toString('hex');
    if (!list.includes('host') || !list.includes('x-amz-date') || wanted !== signature) {
      return {
        type: 'InvalidSignatureException',
        message:
          'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method.',
      };
    }
    return { accessKeyId };
  }
}

// AWS Signature Version 4 for calls with a body or none and without a query. Pure. The SDK would
// bring 60 packages for these lines. Source: IAM User Guide, "Create a signed AWS API request".

import { createHash, createHmac } from 'node:crypto';
import type { Millis } from '../../../../engine/base/brand.ts';

interface SignedCall {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly body: string | Uint8Array;
  readonly region: string;
  readonly service: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The headers of a call, with its signature. */
export function signedHeaders(call: SignedCall, nowMs: Millis): Record<string, string> {
  const { method, url, body, region, service, accessKeyId } = call;
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
  const names = 'content-type;host;x-amz-date';
  const request = [
    method,
    url.pathname,
    '',
    `content-type:${contentType}`,
    `host:${url.host}`,
    `x-amz-date:${time}`,
    '',
    names,
    sha256(body),
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(request)].join('\n');
  const signature = createHmac('sha256', signingKey(call, time.slice(0, 8)))
    .update(text)
    .digest('hex');
  return {
    'content-type': contentType,
    'x-amz-date': time,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

const contentType = 'application/json';

/** The newest key: an account signs with one a day. */
let known: { readonly of: string; readonly key: Buffer } | undefined;

function signingKey({ secretAccessKey, region, service }: SignedCall, day: string): Buffer {
  const of = `${secretAccessKey} ${day} ${region} ${service}`;
  if (known?.of === of) return known.key;
  let key: Buffer = Buffer.from(`AWS4${secretAccessKey}`);
  for (const part of [day, region, service, 'aws4_request'])
    key = createHmac('sha256', key).update(part).digest();
  known = { of, key };
  return key;
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

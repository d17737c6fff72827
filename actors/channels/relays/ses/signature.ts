// AWS Signature Version 4 for calls with a body or none and without a query. The SDK would bring 60
// packages for these lines. Source: IAM User Guide, "Create a signed AWS API request".

import { createHmac, hash } from 'node:crypto';
import type { Millis } from '../../../../engine/base/brand.ts';
import { HmacSha256, hmacRoomBytes } from '../../../../engine/base/hmac.ts';

interface SigningAccount {
  readonly region: string;
  readonly service: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The headers of a call, with its signature. */
type Signer = (
  method: 'GET' | 'POST',
  url: { readonly host: string; readonly pathname: string },
  body: string | Uint8Array,
  nowMs: Millis,
) => Record<string, string>;

/** Signs the calls of one account. Its keys, which hold for a day, are derived once a day. */
export function awsSigner(account: SigningAccount): Signer {
  const { region, service, accessKeyId } = account;
  let key: { readonly day: string; readonly mac: HmacSha256 } | undefined;
  return (method, { host, pathname }, body, nowMs) => {
    const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d{3}/g, '');
    const day = time.slice(0, 8);
    if (key?.day !== day) key = { day, mac: new HmacSha256(signingKey(account, day)) };
    const scope = `${day}/${region}/${service}/aws4_request`;
    const request =
      `${method}\n${pathname}\n\ncontent-type:${contentType}\nhost:${host}\nx-amz-date:${time}\n\n` +
      `${signedNames}\n${hash('sha256', body, 'hex')}`;
    const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash('sha256', request, 'hex')}`;
    const room = Buffer.allocUnsafe(hmacRoomBytes + text.length);
    room.write(text, hmacRoomBytes, 'latin1');
    const signature = key.mac.sign(room, 'hex');
    return {
      'content-type': contentType,
      'x-amz-date': time,
      authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${signedNames}, Signature=${signature}`,
    };
  };
}

const contentType = 'application/json';
const signedNames = 'content-type;host;x-amz-date';

function signingKey({ secretAccessKey, region, service }: SigningAccount, day: string): Buffer {
  let key: Buffer = Buffer.from(`AWS4${secretAccessKey}`);
  for (const part of [day, region, service, 'aws4_request'])
    key = createHmac('sha256', key).update(part).digest();
  return key;
}

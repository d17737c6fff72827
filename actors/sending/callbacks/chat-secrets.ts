// Whether a callback comes from the tenant's LINE, Zalo, Viber or Telegram account: what each of
// them signs, or sends with it, under the secret of the stored credential, judged on the bytes as
// they came. Easily got wrong: Zalo signs a timestamp that stands inside of the body, between the
// body and the secret.

import { createHash, createHmac } from 'node:crypto';
import type { Fault } from '../../../engine/base/fault.ts';
import type { Credential } from '../../channels/credentials.ts';
import { telegramSecret } from '../../channels/telegram/telegram-secret.ts';
import type { AppState } from '../../state.ts';
import { type ChatChannel, chatSigningHeaders } from './chat-item.ts';
import { isSame, refusedCall, type SecretReader, secretOf } from './secrets.ts';
import { zaloTimestamp } from './zalo-body.ts';

interface ChatSigning<Name extends ChatChannel> {
  /** The member of the credential that it is made with. */
  readonly secret: string;
  /** What the header should hold; `undefined` where the credential cannot tell. */
  wanted(credential: Credential<Name>, body: Uint8Array): string | undefined;
}

/** How each provider proves who calls. */
const chatSignings: { readonly [Name in ChatChannel]: ChatSigning<Name> } = {
  line: {
    secret: 'channelSecret',
    wanted: ({ channelSecret }, body) =>
      channelSecret && createHmac('sha256', channelSecret).update(body).digest('base64'),
  },
  zalo: {
    secret: 'oaSecretKey',
    wanted: ({ appId, oaSecretKey }, body) =>
      oaSecretKey &&
      `mac=${createHash('sha256').update(appId).update(body).update(zaloTimestamp(body)).update(oaSecretKey).digest('hex')}`,
  },
  viber: {
    secret: 'authToken',
    wanted: ({ authToken }, body) => createHmac('sha256', authToken).update(body).digest('hex'),
  },
  telegram: {
    secret: 'secretToken',
    wanted: (credential) => telegramSecret(credential),
  },
};

/** Why a body is not the provider's; `undefined` where it is. */
export function chatRefusal<Name extends ChatChannel>(
  app: AppState,
  reader: SecretReader,
  channel: Name,
  body: Uint8Array,
  signature: string | undefined,
): Fault | undefined {
  const { secret, wanted } = chatSignings[channel];
  const header = chatSigningHeaders[channel];
  const account = secretOf<Name>(app, channel, reader);
  if ('refusal' in account) return account.refusal;
  const expected = account.value === undefined ? undefined : wanted(account.value, body);
  if (expected === undefined || expected === '')
    return refusedCall(
      `${secret}: is missing in the stored ${channel} credential, so the request cannot be verified`,
    );
  if (signature === undefined) return refusedCall(`${header}: is missing; expected ${secret}`);
  if (isSame(expected, signature)) return undefined;
  return refusedCall(`${header}: does not match this request and the stored ${secret}`);
}

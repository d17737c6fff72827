// Whether a callback comes from the tenant's provider: its signature, judged on the bytes as they
// came, under the secret that the tenant has uploaded. Easily got wrong: a secret that is not there
// lets nobody in, and says so, since whoever set up a webhook looks for the reason at their
// provider.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Fault } from '../../../engine/base/fault.ts';
import { sandboxAccount } from '../../channels/carrier/carrier.ts';
import { isSignedByCarrier } from '../../channels/carrier/carrier-signature.ts';
import type { ChannelId } from '../../channels/catalog.ts';
import type { Credential } from '../../channels/credentials.ts';
import { fault } from '../../faults.ts';
import type { Sealer } from '../../sealer.ts';
import type { AppState } from '../../state.ts';
import {
  type CredentialCache,
  type CredentialRules,
  openCredentials,
} from '../transactional/open-credentials.ts';
import type { ChatChannel } from './chat-item.ts';
import type { RcsEvent } from './rcs-body.ts';

/** What opens an app's secrets. */
export interface SecretReader {
  readonly rules: CredentialRules;
  readonly sealer: Sealer;
  readonly cache: CredentialCache;
}

/** Why a call is not the carrier's; `undefined` where it is. */
export function carrierRefusal(
  app: AppState,
  reader: SecretReader,
  call: Parameters<typeof isSignedByCarrier>[0],
): Fault | undefined {
  const account = secretOf<'carrier'>(app, 'sms', reader);
  if ('refusal' in account) return account.refusal;
  const authToken =
    account.value?.authToken ?? (reader.rules.credentialsRequired ? '' : sandboxAccount.authToken);
  if (authToken === '')
    return refusedCall('no carrier credential is stored, so the request cannot be verified');
  if (call.signature === undefined)
    return refusedCall(
      'x-carrier-signature: is missing; expected a signature made with the auth token',
    );
  if (isSignedByCarrier(call, authToken)) return undefined;
  return refusedCall(
    `x-carrier-signature: does not match this form, the URL ${withoutQuery(call.url)} with its query, and the stored auth token`,
  );
}

/** Why a body is not WhatsApp's; `undefined` where it is. */
export function whatsappRefusal(
  app: AppState,
  reader: SecretReader,
  body: Uint8Array,
  signature: string | undefined,
): Fault | undefined {
  const account = secretOf<'whatsapp'>(app, 'whatsapp', reader);
  if ('refusal' in account) return account.refusal;
  const appSecret = account.value?.appSecret;
  if (appSecret === undefined || appSecret === '')
    return refusedCall(
      'appSecret: is missing in the stored whatsapp credential, so the request cannot be verified',
    );
  if (signature === undefined)
    return refusedCall(
      'x-hub-signature-256: is missing; expected sha256= and the signature of the body',
    );
  const wanted = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
  if (isSame(wanted, signature)) return undefined;
  return refusedCall('x-hub-signature-256: does not match this body and the stored appSecret');
}

/** Why what was pushed is not the RCS platform's; `undefined` where it is. */
export function rcsRefusal(
  app: AppState,
  reader: SecretReader,
  event: RcsEvent,
  signature: string | undefined,
): Fault | undefined {
  const account = secretOf<'rcs'>(app, 'rcs', reader);
  if ('refusal' in account) return account.refusal;
  const clientToken = account.value?.clientToken;
  if (clientToken === undefined || clientToken === '')
    return refusedCall(
      'clientToken: is missing in the stored rcs credential, so the request cannot be verified',
    );
  switch (event.kind) {
    case 'verification':
      return isSame(clientToken, event.clientToken)
        ? undefined
        : refusedCall('clientToken: does not match the stored rcs credential');
    case 'unknown':
      return refusedCall('message.data: is missing; expected the signed data in base64');
    case 'pushed': {
      if (signature === undefined)
        return refusedCall('x-goog-signature: is missing; expected the signature of message.data');
      const wanted = createHmac('sha512', clientToken).update(event.data).digest('base64');
      if (isSame(wanted, signature)) return undefined;
      return refusedCall(
        'x-goog-signature: does not match message.data and the stored clientToken',
      );
    }
  }
}

/** Why a webhook is not the tenant's to set up; `undefined` where it is. */
export function subscribeRefusal(
  app: AppState,
  reader: SecretReader,
  mode: string | undefined,
  verifyToken: string | undefined,
): Fault | undefined {
  const account = secretOf<'whatsapp'>(app, 'whatsapp', reader);
  if ('refusal' in account) return account.refusal;
  if (account.value === undefined)
    return refusedCall('no whatsapp credential is stored, so the request cannot be verified');
  if (mode !== 'subscribe') return refusedCall('hub.mode: expected subscribe');
  if (verifyToken !== undefined && isSame(account.value.verifyToken, verifyToken)) return undefined;
  return refusedCall(
    'hub.verify_token: does not match the verifyToken of the stored whatsapp credential',
  );
}

/** What an app has stored for a channel's provider. */
export function secretOf<Name extends 'carrier' | 'whatsapp' | 'rcs' | ChatChannel>(
  app: AppState,
  channel: ChannelId,
  { rules, sealer, cache }: SecretReader,
): { readonly value: Credential<Name> | undefined } | { readonly refusal: Fault } {
  const opened = openCredentials(app, channel, rules, sealer, cache);
  switch (opened.state) {
    case 'ready':
      return { value: opened.value as Credential<Name> | undefined };
    case 'not_configured':
      return { value: undefined };
    case 'unreadable':
      return {
        refusal: fault(
          'not_configured',
          'the stored credential cannot be decrypted: upload it again',
          {
            detail: opened.error.message,
          },
        ),
      };
  }
}

/** The refusal of a call that is not the provider's. */
export function refusedCall(why: string): Fault {
  return fault('invalid_signature', why);
}

function withoutQuery(url: string): string {
  return url.replace(/\?.*$/, '');
}

/** Over hashes of equal length, so that the time says nothing, not even how long the secret is. */
export function isSame(wanted: string, given: string): boolean {
  const [a, b] = [wanted, given].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

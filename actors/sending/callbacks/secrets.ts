// Verifies that a callback comes from the tenant's provider: its signature over the raw bytes, with
// the secret that the tenant uploaded. Without a secret it refuses, and the provider shows why.

import type { Fault } from '../../../engine/base/fault.ts';
import { type CarrierAccount, sandboxAccount } from '../../channels/carrier/account.ts';
import { carrierProblem } from '../../channels/carrier/callbacks.ts';
import type { CarrierCall } from '../../channels/carrier/signature.ts';
import { catalog } from '../../channels/catalog.ts';
import type { ChannelId, WebhookChannel } from '../../channels/channel-ids.ts';
import type { WebhookReaders } from '../../channels/port/callback-item.ts';
import { isSameSecret } from '../../channels/port/same-secret.ts';
import { fault } from '../../faults.ts';
import type { Sealer } from '../../sealer.ts';
import {
  type CredentialCache,
  type CredentialRules,
  openCredentials,
} from '../outbox/open-credentials.ts';
import type { CallbacksView } from './memory.ts';

export interface SecretReader {
  readonly webhooks: WebhookReaders;
  readonly rules: CredentialRules;
  readonly sealer: Sealer;
  readonly cache: CredentialCache;
}

/** Why a call is not the provider's. `judge` gets the stored credential and returns the problem. */
export function refusalOf(
  app: CallbacksView,
  channel: ChannelId,
  { rules, sealer, cache }: SecretReader,
  judge: (credential: unknown) => string | undefined,
): Fault | undefined {
  const opened = openCredentials(app, channel, rules, sealer, cache);
  if (opened.state === 'unreadable')
    return fault('not_configured', 'the stored credential cannot be decrypted: upload it again', {
      detail: opened.error.message,
    });
  const problem = judge(opened.state === 'ready' ? opened.value : undefined);
  return problem === undefined ? undefined : fault('invalid_signature', problem);
}

export function carrierRefusal(
  app: CallbacksView,
  reader: SecretReader,
  call: CarrierCall,
): Fault | undefined {
  const otherwise = reader.rules.credentialsRequired ? undefined : sandboxAccount.authToken;
  return refusalOf(app, 'sms', reader, (credential) =>
    carrierProblem(call, (credential as CarrierAccount | undefined)?.authToken ?? otherwise),
  );
}

export function webhookRefusal(
  app: CallbacksView,
  reader: SecretReader,
  channel: WebhookChannel,
  body: Uint8Array,
  signature: string | undefined,
): Fault | undefined {
  const { secret, wanted } = reader.webhooks[channel].webhook;
  const header = catalog[channel].webhook?.header;
  return refusalOf(app, channel, reader, (credential) => {
    if (credential === undefined)
      return `${secret}: there is no ${channel} credential, so the request cannot be verified`;
    const expected = wanted(credential, body);
    if (expected === undefined || expected === '')
      return `${secret}: is missing in the stored ${channel} credential, so the request cannot be verified`;
    if (signature === undefined) return `${header}: is missing; expected ${secret}`;
    if (isSameSecret(expected, signature)) return undefined;
    return `${header}: does not match this request and the stored ${secret}`;
  });
}

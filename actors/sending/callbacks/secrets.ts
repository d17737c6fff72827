// Whether a callback comes from the tenant's provider: its signature, judged on the bytes as they
// came, under the secret that the tenant has uploaded. A secret that is not there lets nobody in,
// and says so: who set up a webhook looks for the reason at their provider.

import type { Fault } from '../../../engine/base/fault.ts';
import type { WebhookReaders } from '../../channels/callback-item.ts';
import { type CarrierAccount, sandboxAccount } from '../../channels/carrier/account.ts';
import { carrierProblem } from '../../channels/carrier/callbacks.ts';
import type { CarrierCall } from '../../channels/carrier/signature.ts';
import { catalog } from '../../channels/catalog.ts';
import type { ChannelId, WebhookChannel } from '../../channels/channel-ids.ts';
import { isSameSecret } from '../../channels/same-secret.ts';
import { fault } from '../../faults.ts';
import type { Sealer } from '../../sealer.ts';
import {
  type CredentialCache,
  type CredentialRules,
  openCredentials,
} from '../transactional/open-credentials.ts';
import type { CallbacksView } from './view.ts';

/** What opens an app's secrets. */
export interface SecretReader {
  readonly webhooks: WebhookReaders;
  readonly rules: CredentialRules;
  readonly sealer: Sealer;
  readonly cache: CredentialCache;
}

/**
 * Why a call is not the provider's; `undefined` where it is. `judge` gets what the app has stored
 * for the channel, and says what is wrong with the call.
 */
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

/** Why a call is not the carrier's; `undefined` where it is. */
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

/** Why a body is not that of the provider which calls with everything; `undefined` where it is. */
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
    const expected = credential === undefined ? undefined : wanted(credential, body);
    if (expected === undefined || expected === '')
      return `${secret}: is missing in the stored ${channel} credential, so the request cannot be verified`;
    if (signature === undefined) return `${header}: is missing; expected ${secret}`;
    if (isSameSecret(expected, signature)) return undefined;
    return `${header}: does not match this request and the stored ${secret}`;
  });
}

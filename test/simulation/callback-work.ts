// What the carrier tells of texts that it took, long after or before the answer to their call is
// durable, and what people write back. A reader would get wrong: a failure that is told takes a
// call back, so its send may read anything but delivered; and an answer that was lost leaves open
// whether it was told.

import { sandboxAccount } from '../../actors/channels/carrier/account.ts';
import { carrierCallbackUrl } from '../../actors/channels/carrier/status-url.ts';
import type { CallbackCounts } from '../../actors/channels/port/outcome.ts';
import { pick } from '../../engine/base/rng.ts';
import { carrierSignature } from '../support/carrier-signature.ts';
import { coin } from './chance.ts';
import { type Client, persist } from './client.ts';
import { identityOf } from './identity-of.ts';
import { isFault, nextName, unexpected, type Worker } from './worker.ts';

const publicUrl = 'https://engage.test';
const { authToken } = sandboxAccount;

/** One status of a text, perhaps again, perhaps against what was told of it before. */
export function* reportStatus(worker: Worker): Client {
  const { app, rng, audit, providers } = worker;
  const taken = providers.texts.filter(({ attempt }) => attempt.appId === app.id);
  if (taken.length === 0) return;
  const call = pick(rng, taken);
  const { sendId, deviceId, endpoint } = call.attempt;
  if (audit.sends.get(sendId)?.isCampaign === true) return;
  const isFailure = coin(rng, 0.3);
  const code = pick(rng, ['30003', '30005', '30007']);
  const members: readonly (readonly [string, string])[] = isFailure
    ? [
        ['MessageStatus', 'undelivered'],
        ['ErrorCode', code],
      ]
    : [['MessageStatus', pick(rng, ['sent', 'delivered', 'read'])]];
  // It is true from now on, whether or not the answer comes.
  if (isFailure) call.takenBack = true;
  if (isFailure && code !== '30007') providers.refusedDevices.add(deviceId);
  const url = carrierCallbackUrl(publicUrl, 'sms', { appId: app.id, sendId, deviceId });
  const form = [['MessageSid', 'SM1'], ['To', String(endpoint)], ...members] as [string, string][];
  const body = {
    ...({ channel: 'sms', url, sendId, deviceId } as const),
    signature: carrierSignature(authToken, url, form),
  };
  const bytes = Buffer.from(new URLSearchParams(form).toString());
  const { reply } = yield* persist(app.ordinal, 'callback.carrier_status', body, { bytes });
  // Where credentials are required and none is stored, nothing can be checked.
  if (app.leaving || isFault(reply, 'invalid_signature')) return;
  if (!reply.ok) return unexpected(worker, 'callback.carrier_status', reply);
  expectOne(worker, reply.value);
}

/** Somebody writes STOP: they are out, and stay so. */
export function* writeStop(worker: Worker): Client {
  const { app, rng, providers } = worker;
  const texts = worker.endpoints.filter(({ channel }) => channel === 'sms');
  const { endpoint } = pick(rng, texts);
  const identity = identityOf('sms', endpoint);
  if (app.leaving || identity === undefined) return;
  providers.optedOut.add(`${app.id}|${identity}`);
  const url = `${publicUrl}/v1/webhooks/twilio/sms-inbound/${app.id}`;
  const form = [
    ['MessageSid', nextName(worker)],
    ['From', endpoint],
    ['Body', 'STOP'],
  ] as [string, string][];
  const body = { url, signature: carrierSignature(authToken, url, form) };
  const bytes = Buffer.from(new URLSearchParams(form).toString());
  const { reply } = yield* persist(app.ordinal, 'callback.carrier_inbound', body, { bytes });
  if (app.leaving || isFault(reply, 'invalid_signature')) return;
  if (!reply.ok) return unexpected(worker, 'callback.carrier_inbound', reply);
  expectOne(worker, reply.value);
}

function expectOne(worker: Worker, { taken, repeated, ignored }: CallbackCounts): void {
  worker.findings.expect(
    taken + repeated + ignored === 1,
    'acknowledged_kept',
    () => `one callback counts as ${taken}, ${repeated} and ${ignored}`,
  );
}

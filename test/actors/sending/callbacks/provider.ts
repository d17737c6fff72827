// The carrier and WhatsApp as they call an app of a scene back: each signs as it does.

import { createHmac } from 'node:crypto';
import { sandboxAccount } from '../../../../actors/channels/carrier/account.ts';
import {
  type CarrierChannel,
  carrierCallbackUrl,
} from '../../../../actors/channels/carrier/status-url.ts';
import type { CallbackCounts } from '../../../../actors/channels/port/outcome.ts';
import type { Answer } from '../../../../engine/actor/message.ts';
import { carrierSignature } from '../../../support/carrier-signature.ts';
import type { Scene } from '../../programs/campaigns/scene.ts';

const publicUrl = 'https://engage.test';
export const appSecret = 'the-secret-of-the-whatsapp-app';

export interface Sent {
  readonly sendId: string;
  readonly deviceId: string;
}

/** A status callback, signed with the sandbox account's token unless another is given. */
export async function askStatus(
  scene: Scene,
  channel: CarrierChannel,
  { sendId, deviceId }: Sent,
  members: Readonly<Record<string, string>>,
  authToken = sandboxAccount.authToken,
): Promise<Answer> {
  const appId = scene.state.record.id;
  const url = carrierCallbackUrl(publicUrl, channel, { appId, sendId, deviceId });
  const form = Object.entries({ MessageSid: 'SM1', ...members });
  const signature = carrierSignature(authToken, url, form);
  const bytes = Buffer.from(new URLSearchParams(form).toString());
  const body = { channel, url, signature, sendId, deviceId };
  return scene.one.ask(scene.app, 'callback.carrier_status', body as never, { bytes });
}

/** The same, which must be taken in. */
export async function reportStatus(
  scene: Scene,
  channel: CarrierChannel,
  sent: Sent,
  members: Readonly<Record<string, string>>,
): Promise<CallbackCounts> {
  return tookIn(await askStatus(scene, channel, sent, members));
}

/** Somebody writes to a number of the app. */
export async function reportInbound(
  scene: Scene,
  members: Readonly<Record<string, string>>,
): Promise<CallbackCounts> {
  const url = `${publicUrl}/v1/webhooks/twilio/sms-inbound/${scene.state.record.id}`;
  const form = Object.entries(members);
  const signature = carrierSignature(sandboxAccount.authToken, url, form);
  const bytes = Buffer.from(new URLSearchParams(form).toString());
  const body = { url, signature };
  return tookIn(
    await scene.one.ask(scene.app, 'callback.carrier_inbound', body as never, { bytes }),
  );
}

/** Stores the credential that callbacks are judged by. */
export async function withWhatsapp(scene: Scene, more: object = { appSecret }): Promise<void> {
  const credential = {
    phoneNumberId: '12345',
    accessToken: 'access-token-of-tests',
    verifyToken: 'verify me',
    ...more,
  };
  const body = { channel: 'whatsapp', credential, fingerprint: JSON.stringify(more) };
  await scene.one.value(scene.app, 'credential.put', body as never);
}

/** WhatsApp's webhook with these values, signed with this secret. */
export async function askWhatsapp(
  scene: Scene,
  values: readonly object[],
  secret: string | undefined = appSecret,
  from = 0,
): Promise<Answer> {
  const changes = values.map((value) => ({ field: 'messages', value }));
  const bytes = Buffer.from(JSON.stringify({ entry: [{ id: 'WABA', changes }] }));
  const hex = createHmac('sha256', secret).update(bytes).digest('hex');
  const body = { channel: 'whatsapp', signature: `sha256=${hex}`, from };
  return scene.one.ask(scene.app, 'callback.chat', body as never, { bytes });
}

/** Statuses of one batch, which must be taken in. */
export async function reportWhatsapp(
  scene: Scene,
  ...values: readonly object[]
): Promise<CallbackCounts & { readonly next: number | null }> {
  return tookIn(await askWhatsapp(scene, values));
}

export function statusOf({ sendId, deviceId }: Sent, status: string, more: object = {}): object {
  return { id: 'wamid', status, biz_opaque_callback_data: `${sendId}:${deviceId}`, ...more };
}

export function tookIn<Value>(answer: Answer): Value {
  if (!answer.ok) throw new Error(`refused: ${answer.fault.message}`);
  return answer.value as Value;
}

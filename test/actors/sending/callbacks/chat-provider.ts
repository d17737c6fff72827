// LINE, Zalo, Viber and Telegram as they call an app of a scene back: each proves itself as it
// does, and names its messages by names of its own.

import { createHash, createHmac } from 'node:crypto';
import type { Attempt } from '../../../../actors/channels/port/attempt.ts';
import type { CallbackCounts, Outcome } from '../../../../actors/channels/port/outcome.ts';
import { telegramSecret } from '../../../../actors/channels/telegram/secret.ts';
import type { Answer } from '../../../../engine/actor/message.ts';
import { hash32 } from '../../../../engine/base/hash.ts';
import { endpointOf, Scene } from '../../programs/campaigns/scene.ts';
import { tookIn } from './provider.ts';

const botToken = '1234567890:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

export const chatChannels = ['line', 'zalo', 'viber', 'telegram'] as const;
export type ChatChannel = (typeof chatChannels)[number];

/** What is stored for each. */
export const chatCredentials = {
  line: { channelAccessToken: 'access-token-of-tests', channelSecret: 'channel-secret-of-tests' },
  zalo: {
    appId: '12345',
    appSecret: 'secret-of-app',
    refreshToken: 'refresh-token-of-tests',
    oaSecretKey: 'oa_secret',
  },
  viber: { authToken: '0123456789abcdef-0123456789abcdef', senderName: 'Acme' },
  telegram: { botToken },
} as const;

/** The header that each would send with a body. */
export function proofOf(channel: ChatChannel, body: Uint8Array): string {
  const { line, zalo, viber } = chatCredentials;
  switch (channel) {
    case 'line':
      return createHmac('sha256', line.channelSecret).update(body).digest('base64');
    case 'viber':
      return createHmac('sha256', viber.authToken).update(body).digest('hex');
    case 'zalo': {
      const { timestamp = '' } = JSON.parse(Buffer.from(body).toString()) as { timestamp?: string };
      const text = `${zalo.appId}${Buffer.from(body)}${timestamp}${zalo.oaSecretKey}`;
      return `mac=${createHash('sha256').update(text).digest('hex')}`;
    }
    case 'telegram':
      return telegramSecret({ botToken });
  }
}

/** An app with a credential of this provider and people on its channel. */
export async function chatScene(
  channel: ChatChannel,
  people = 1,
  credential: object = chatCredentials[channel],
): Promise<Scene> {
  const scene = await Scene.open({ available: [channel, 'sms'] });
  await storeCredential(scene, channel, credential);
  await scene.people(people, [channel]);
  scene.answers = answerWithName;
  return scene;
}

async function storeCredential(scene: Scene, channel: string, credential: object) {
  const body = { channel, credential, fingerprint: JSON.stringify(credential) };
  await scene.one.value(scene.app, 'credential.put', body as never);
}

/** Taken, under the name that the provider gives. */
function answerWithName(attempt: Pick<Attempt, 'sendId' | 'deviceId'>): Outcome {
  return { outcome: 'accepted', providerMessageId: nameOf(attempt) };
}

/** 19 digits, as Viber's are: more than a double holds. */
export function nameOf({ sendId, deviceId }: Pick<Attempt, 'sendId' | 'deviceId'>): string {
  return `57413118${String(hash32(`${sendId} ${deviceId}`)).padStart(11, '0')}`;
}

/** A call with this body as it is on the wire. */
export function askChat(
  scene: Scene,
  channel: ChatChannel,
  text: string,
  signature: string | undefined = proofOf(channel, Buffer.from(text)),
): Promise<Answer> {
  const body = { channel, signature, from: 0 };
  return scene.one.ask(scene.app, 'callback.chat', body as never, { bytes: Buffer.from(text) });
}

export async function reportChat(
  scene: Scene,
  channel: ChatChannel,
  text: string,
): Promise<CallbackCounts> {
  const { taken, repeated, ignored } = tookIn<CallbackCounts>(await askChat(scene, channel, text));
  return { taken, repeated, ignored };
}

/** What became of a message, as a provider tells it that tells any such thing. */
export function statusBody(
  channel: 'zalo' | 'viber',
  status: 'arrived' | 'read' | 'failed',
  name: string,
  user: string = endpointOf('user-0', channel),
): string {
  if (channel === 'viber') {
    const event = { arrived: 'delivered', read: 'seen', failed: 'failed' }[status];
    return `{"event":"${event}","timestamp":1767225600000,"message_token":${name},"user_id":"${user}"}`;
  }
  return JSON.stringify({
    event_name: status === 'read' ? 'user_seen_message' : 'user_received_message',
    sender: { id: status === 'read' ? user : '42' },
    recipient: { id: status === 'read' ? '42' : user },
    message: status === 'read' ? { msg_ids: [name] } : { msg_id: name },
    timestamp: '1767225600000',
  });
}

/** Somebody leaves, comes back or writes, at an instant and with an id of its own. */
export function inboundBody(
  channel: ChatChannel,
  what: 'left' | 'came' | { readonly text: string },
  atMs: number,
  id: number,
  user: string = endpointOf('user-0', channel),
): string {
  const text = typeof what === 'string' ? undefined : what.text;
  switch (channel) {
    case 'line': {
      const type = text === undefined ? (what === 'left' ? 'unfollow' : 'follow') : 'message';
      const source = { type: 'user', userId: user };
      const event = { type, webhookEventId: `W${id}`, timestamp: atMs, source };
      return JSON.stringify({ events: [{ ...event, message: { type: 'text', text } }] });
    }
    case 'zalo':
      return JSON.stringify(
        text === undefined
          ? {
              event_name: what === 'left' ? 'unfollow' : 'follow',
              follower: { id: user },
              timestamp: String(atMs),
            }
          : {
              event_name: 'user_send_text',
              sender: { id: user },
              message: { msg_id: `m${id}`, text },
              timestamp: String(atMs),
            },
      );
    case 'viber': {
      const token = `5741311803571${String(id).padStart(6, '0')}`;
      const members =
        text === undefined
          ? what === 'left'
            ? `"event":"unsubscribed","user_id":"${user}"`
            : `"event":"subscribed","user":{"id":"${user}"}`
          : `"event":"message","sender":{"id":"${user}"},"message":${JSON.stringify({ type: 'text', text })}`;
      return `{${members},"timestamp":${atMs},"message_token":${token}}`;
    }
    case 'telegram': {
      const chat = { id: Number(user), type: 'private' };
      const date = Math.floor(atMs / 1000);
      return JSON.stringify(
        text === undefined
          ? {
              update_id: id,
              my_chat_member: {
                chat,
                date,
                new_chat_member: { status: what === 'left' ? 'kicked' : 'member' },
              },
            }
          : { update_id: id, message: { chat, date, text } },
      );
    }
  }
}

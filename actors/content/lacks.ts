// What a saved message lacks to leave on the channels that somebody named: a body, a title where a
// channel shows one, a provider's template. `channels` are those of one pass: a fallback is looked
// at by itself. Whoever names none takes the devices as they come, and needs nothing of this.
// Source: specification, "Message"; contract, section 5.

import { type Fault, fieldFault } from '../../engine/base/fault.ts';
import { catalog } from '../channels/catalog.ts';
import type { ChannelId } from '../channels/channel-ids.ts';
import type { MessageContent } from './message-schema.ts';

/**
 * The first member that is missing, and the channel that needs it; `undefined` when the message can
 * leave on all of them.
 */
export function lacks(
  content: MessageContent,
  channels: readonly ChannelId[],
): { readonly member: string; readonly channel: ChannelId } | undefined {
  for (const channel of channels) {
    const { payloadKey, needsTitle } = catalog[channel];
    const isSpokenFor = payloadKey !== undefined && content.payload?.[payloadKey] !== undefined;
    // WhatsApp takes a business's message to many in the form of an approved template only.
    if (payloadKey === 'whatsapp' && !isSpokenFor) return { member: 'payload.whatsapp', channel };
    if (isForKakaoAlone(content, channels)) return { member: 'payload.kakao', channel };
    if (content.body === undefined && !isSpokenFor) return { member: 'body', channel };
    if (content.title === undefined && needsTitle) return { member: 'title', channel };
  }
  return undefined;
}

/**
 * The fault of words that would reach nobody: KakaoTalk shows approved templates and nothing else,
 * so what goes there alone has to name one. Beside other channels it may be left out, and only that
 * channel goes without. WhatsApp takes free text from whom somebody has written to within a day, so
 * on the transactional lane it is never asked for.
 */
export function providerTemplateMissing(
  content: Pick<MessageContent, 'payload'>,
  channels: readonly ChannelId[] | undefined,
): Fault | undefined {
  return channels !== undefined && isForKakaoAlone(content, channels)
    ? fieldFault('payload.kakao', 'is missing; kakao can only show an approved template')
    : undefined;
}

function isForKakaoAlone(
  { payload }: Pick<MessageContent, 'payload'>,
  channels: readonly ChannelId[],
): boolean {
  return (
    payload?.['kakao'] === undefined &&
    channels.length > 0 &&
    channels.every((channel) => channel === 'kakao')
  );
}

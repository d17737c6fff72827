// What a saved message still needs on the named channels: a body, a title, a provider's template.
// `channels` are those of one pass; a fallback is checked by itself. Without named channels nothing
// is required. Source: specification, "Message"; contract, section 5.

import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { catalog } from '../../channels/catalog.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { MessageContent } from '../shape/message-schema.ts';

/** The first missing member and the channel that needs it, or `undefined`. */
export function missingMember(
  content: MessageContent,
  channels: readonly ChannelId[],
): { readonly member: string; readonly channel: ChannelId } | undefined {
  for (const channel of channels) {
    const { payloadKey, needsTitle } = catalog[channel];
    const hasTemplate = payloadKey !== undefined && content.payload?.[payloadKey] !== undefined;
    // WhatsApp accepts mass messages only as approved templates.
    if (payloadKey === 'whatsapp' && !hasTemplate) return { member: 'payload.whatsapp', channel };
    if (isForKakaoAlone(content, channels)) return { member: 'payload.kakao', channel };
    if (content.body === undefined && !hasTemplate) return { member: 'body', channel };
    if (content.title === undefined && needsTitle) return { member: 'title', channel };
  }
  return undefined;
}

/**
 * The fault of a message for KakaoTalk alone without an approved template: it shows nothing else.
 * Beside other channels only KakaoTalk is skipped. WhatsApp accepts free text within a day of the
 * person's last message, so the transactional lane never requires its template.
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

// What a saved message lacks to leave on the channels that somebody named: a body, a title where a channel shows one, a
// provider's template. Whoever names none takes the devices as they come, and needs nothing of this.
// Source: specification, "Message"; contract, section 5.

import { type ChannelId, catalog } from '../channels/catalog.ts';
import type { MessageContent } from './message-schema.ts';

/** The first member that is missing, and the channel that needs it; `undefined` when the message can leave on all of them. */
export function lacks(
  content: MessageContent,
  channels: readonly ChannelId[],
): { readonly member: string; readonly channel: ChannelId } | undefined {
  for (const channel of channels) {
    const { payloadKey, needsTitle } = catalog[channel];
    const isSpokenFor = payloadKey !== undefined && content.payload?.[payloadKey] !== undefined;
    // WhatsApp takes a business's message to many in the form of an approved template only.
    if (payloadKey === 'whatsapp' && !isSpokenFor) return { member: 'payload.whatsapp', channel };
    if (content.body === undefined && !isSpokenFor) return { member: 'body', channel };
    if (content.title === undefined && needsTitle) return { member: 'title', channel };
  }
  return undefined;
}

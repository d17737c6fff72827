// What each provider was given of a send, composed again: the pool's part of `send.preview`. Links
// and ids of the send are placeholders, because a look at a message must not open or unsubscribe.

import type { RenderedContent } from '../../channels/port/attempt.ts';
import {
  composedItem,
  itemCharacters,
  previewTooLong,
} from '../../content/messages/composed-item.ts';
import type { PreviewItem } from '../../content/messages/protocol.ts';
import { languageOf } from '../../content/render/localize.ts';
import { limits } from '../../limits.ts';
import type { SentFacts, SentPreview } from './protocol.ts';

export function previewSend({
  facts,
  isMarketing,
  isTest,
  items,
  ...rest
}: SentFacts): SentPreview {
  if (facts === undefined) return { ...rest, items: [] };
  const spoken = languageOf(facts.person.tags);
  let characters = 0;
  const composed = items.flatMap(({ channel, deviceIds, content }): readonly PreviewItem[] => {
    if (channel === undefined) return [];
    const device = facts.devices.find(({ id }) => deviceIds.includes(id));
    const language = content.language ?? null;
    const item = {
      channel,
      language,
      deviceId: deviceIds[0] ?? null,
      content: withoutFiles(content),
    };
    const whole = composedItem(item, {
      ...facts,
      device: device ?? facts.devices.find((one) => one.channel === channel),
      spoken,
      ...(isMarketing ? {} : { express: { isTest } }),
    });
    characters += itemCharacters(whole);
    const { content: _long, ...short } = item;
    return [characters > limits.pageCharsMax ? { ...short, error: previewTooLong } : whole];
  });
  const mail = items.find(({ channel }) => channel === 'email')?.content.mail;
  return { ...rest, items: composed, ...(mail === undefined ? {} : { mail }) };
}

/** A look at a mail names its files; their bytes stay where they are. */
function withoutFiles(content: RenderedContent): RenderedContent {
  if (content.mail?.attachments === undefined) return content;
  const { attachments: _files, ...mail } = content.mail;
  return { ...content, mail };
}

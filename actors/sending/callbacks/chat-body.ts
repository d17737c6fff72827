// Which of the four reads the body of which provider.

import type { ChatChannel, ChatItem } from './chat-item.ts';
import { lineItems } from './line-body.ts';
import { telegramItems } from './telegram-body.ts';
import { viberItems } from './viber-body.ts';
import { zaloItems } from './zalo-body.ts';

const readers: Readonly<Record<ChatChannel, (body: Uint8Array) => readonly ChatItem[]>> = {
  line: lineItems,
  zalo: zaloItems,
  viber: viberItems,
  telegram: telegramItems,
};

/** Everything a body says, in its order; one unknown thing for a body that is no JSON object. */
export function chatItems(channel: ChatChannel, body: Uint8Array): readonly ChatItem[] {
  return readers[channel](body);
}

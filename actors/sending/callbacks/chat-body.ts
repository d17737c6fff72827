// Which of the four reads the body of which provider.

import type { ChatChannel, ChatItem } from '../../channels/callback-item.ts';
import { lineItems } from '../../channels/line/callbacks.ts';
import { telegramItems } from '../../channels/telegram/callbacks.ts';
import { viberItems } from '../../channels/viber/callbacks.ts';
import { zaloItems } from '../../channels/zalo/callbacks.ts';

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

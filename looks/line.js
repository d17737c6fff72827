// LINE: bubbles beside the account's picture, one per message of the call, and the buttons
// template as a card. `bubbles` has the messages; without it the message is one bubble.

import { besideAvatar, bubble, chat } from './chat.js';

export function lineLook(message) {
  const name = message.sender ?? 'Official account';
  const parts = (message.bubbles ?? [message]).map((part) => bubble({ ...part, at: message.at }));
  return chat('line', 'ios', message, { name, feed: [besideAvatar(name, parts)] });
}

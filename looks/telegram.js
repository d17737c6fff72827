// Telegram: a bot's bubble, and its keyboard of wide buttons beneath.

import { bubble, chat } from './chat.js';
import { buttons } from './parts.js';

export function telegramLook(message) {
  return chat('telegram', 'ios', message, {
    name: (message.sender ?? 'Bot').replace(/^bot /, ''),
    about: 'bot',
    feed: [bubble(message, { bare: true }), buttons(message)],
  });
}

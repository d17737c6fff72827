// Viber: a bubble beside the bot's picture, and a keyboard in place of the line to write in.

import { besideAvatar, bubble, chat } from './chat.js';
import { make } from './element.js';
import { buttons } from './parts.js';

export function viberLook(message) {
  const name = message.sender ?? 'Bot';
  const keys = buttons(message);
  return chat('viber', 'android', message, {
    name,
    feed: [besideAvatar(name, bubble(message, { bare: true }))],
    keyboard: keys && make('div', { className: 'viber-keys' }, keys),
  });
}

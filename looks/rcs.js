// RCS in the phone's own messages: a card if there is a title or a picture, else a bubble; chips
// beneath.

import { bubble, chat } from './chat.js';
import { make } from './element.js';
import { buttons, glyph } from './parts.js';

export function rcsLook(message) {
  const isCard = Boolean(message.title || message.image);
  const verified = make('span', { className: 'rcs-verified' }, glyph('check'), 'Verified business');
  return chat('rcs', 'android', message, {
    name: message.sender ?? 'Business',
    about: verified,
    feed: isCard
      ? [make('div', { className: 'rcs-card' }, bubble(message))]
      : [bubble(message, { bare: true }), buttons(message)],
    entry: 'RCS message',
  });
}

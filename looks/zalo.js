// Zalo: a card of an Official Account: header, words, a transaction's table (`rows`), and buttons
// as a list.

import { besideAvatar, bubble, chat } from './chat.js';
import { make } from './element.js';
import { glyph, link } from './parts.js';

export function zaloLook(message) {
  const { sender: name = 'Official Account', rows = [], buttons = [] } = message;
  const table = make(
    'dl',
    { className: 'zalo-rows' },
    rows.flatMap(([key, value]) => [make('dt', {}, key), make('dd', {}, value)]),
  );
  const list = buttons.map(({ label, url }) =>
    link([make('span', {}, label), glyph('chevron')], url, 'zalo-button'),
  );
  const card = bubble(message, { bare: true, between: rows.length > 0 ? table : undefined });
  card.append(...list);
  return chat('zalo', 'android', message, {
    name,
    about: 'Official Account',
    feed: [besideAvatar(name, card)],
  });
}

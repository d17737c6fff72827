// Apple push: a card on an iPhone's lock screen, with its thumbnail at the right and its actions
// below, as after a long press.

import { make } from './element.js';
import { buttons, glyph, isSilent, longDay, phone, picture, timeOfDay } from './parts.js';

export function apnsLook(message) {
  const { at, sender = 'App', title, text, badge } = message;
  const card = make(
    'article',
    { className: 'ios-card' },
    make(
      'div',
      { className: 'ios-card-body' },
      make(
        'span',
        { className: 'ios-app', 'aria-hidden': 'true' },
        glyph('bell'),
        badge ? make('span', { className: 'look-badge' }, String(badge)) : undefined,
      ),
      make(
        'div',
        { className: 'ios-words' },
        make(
          'p',
          { className: 'ios-top' },
          make('b', {}, title || sender),
          make('span', {}, 'now'),
        ),
        text ? make('p', { className: 'ios-text' }, text) : undefined,
      ),
      picture(message),
    ),
  );
  return phone(
    'apns',
    'ios',
    at,
    make(
      'div',
      { className: 'lock' },
      make('p', { className: 'lock-date' }, longDay(at)),
      make('p', { className: 'lock-clock' }, timeOfDay(at)),
      make(
        'div',
        { className: 'lock-cards' },
        isSilent(message) ? undefined : [card, buttons(message)],
      ),
    ),
  );
}

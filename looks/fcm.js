// Android push: a card in the notification shade, with a big picture and actions as words.

import { make } from './element.js';
import { buttons, glyph, isSilent, longDay, phone, picture, timeOfDay } from './parts.js';

export function fcmLook(message) {
  const { at, sender = 'App', title, text, badge } = message;
  const card = make(
    'article',
    { className: 'android-card' },
    make('span', { className: 'android-app', 'aria-hidden': 'true' }, glyph('bell')),
    make(
      'div',
      { className: 'android-words' },
      make(
        'p',
        { className: 'android-top' },
        make('span', {}, sender),
        make('span', {}, badge ? `now · ${badge} new` : 'now'),
      ),
      title ? make('b', { className: 'android-title' }, title) : undefined,
      text ? make('p', { className: 'android-text' }, text) : undefined,
      picture(message),
      buttons(message),
    ),
  );
  return phone(
    'fcm',
    'android',
    at,
    make(
      'div',
      { className: 'shade' },
      make('p', { className: 'shade-clock' }, timeOfDay(at)),
      make('p', { className: 'shade-date' }, longDay(at)),
      make(
        'div',
        { className: 'shade-tiles', 'aria-hidden': 'true' },
        ['Internet', 'Bluetooth'].map((name) => make('span', {}, name)),
      ),
      isSilent(message) ? undefined : card,
    ),
  );
}

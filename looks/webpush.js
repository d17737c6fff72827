// Web push: the system's notification over a browser on a desk.

import { make, safeLink } from './element.js';
import { buttons, glyph, isSilent, picture } from './parts.js';

export function webpushLook(message) {
  const { title, text, icon, badge, sender = 'the site' } = message;
  const card = make(
    'article',
    { className: 'desk-card' },
    picture(message),
    make(
      'div',
      { className: 'desk-card-body' },
      make(
        'span',
        { className: 'desk-icon' },
        safeLink(icon) ? make('img', { src: icon, alt: '' }) : glyph('bell'),
        badge ? make('span', { className: 'look-badge' }, String(badge)) : undefined,
      ),
      make(
        'div',
        { className: 'desk-words' },
        title ? make('b', {}, title) : undefined,
        text ? make('p', { className: 'desk-text' }, text) : undefined,
        make('p', { className: 'desk-origin' }, `via ${sender}`),
      ),
    ),
    buttons(message),
  );
  return make(
    'div',
    { className: 'look look-webpush' },
    make(
      'div',
      { className: 'desk' },
      make(
        'div',
        { className: 'desk-window', 'aria-hidden': 'true' },
        make('div', { className: 'desk-bar' }, make('i'), make('i'), make('i'), make('span')),
        make('div', { className: 'desk-page' }, make('b'), make('i'), make('i'), make('i')),
      ),
      isSilent(message) ? undefined : card,
    ),
  );
}

// Email: the head that a mail program shows, then the body. HTML stands in a sandboxed frame from
// an address of its own (`htmlPath`), because a page's policy would drop its inline styles.

import { make } from './element.js';
import { avatar, words } from './parts.js';

export function emailLook(message) {
  const { name, address } = personOf(message.sender ?? '');
  return make(
    'div',
    { className: 'look look-email' },
    make(
      'article',
      { className: 'mail' },
      make(
        'header',
        { className: 'mail-head' },
        make('h3', { className: 'mail-subject' }, message.title || '(no subject)'),
        make(
          'div',
          { className: 'mail-people' },
          avatar(name || address || '?'),
          make(
            'div',
            { className: 'mail-who' },
            make(
              'p',
              { className: 'mail-from' },
              make('b', {}, name || address || 'Unknown sender'),
              name ? make('span', {}, address) : undefined,
            ),
            make('p', { className: 'mail-to' }, `to ${message.mailTo ?? message.to}`),
          ),
          make('time', { className: 'mail-date', dateTime: message.at }, dateOf(message.at)),
        ),
        message.preheader
          ? make(
              'p',
              { className: 'mail-preheader' },
              make('span', {}, 'Preview text'),
              message.preheader,
            )
          : undefined,
      ),
      body(message),
    ),
  );
}

/** `colors`: what the mail itself is made for, `light` or `light dark`. */
function body({ htmlPath, colors = 'light', title, text, note }) {
  if (htmlPath === undefined)
    return make(
      'div',
      { className: 'mail-text' },
      text ? words(text) : (note ?? 'This mail is empty.'),
    );
  return make('iframe', {
    className: 'mail-html',
    src: htmlPath,
    title: `Email: ${title ?? 'no subject'}`,
    sandbox: 'allow-popups allow-popups-to-escape-sandbox',
    referrerPolicy: 'no-referrer',
    data: { colors },
  });
}

/** `"Ada" <ada@example.com>` in its parts. */
function personOf(sender) {
  const [, name = '', address = sender] = /^\s*"?(.*?)"?\s*<([^<>]*)>\s*$/.exec(sender) ?? [];
  return { name, address };
}

function dateOf(at) {
  return new Date(at).toLocaleString([], {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
}

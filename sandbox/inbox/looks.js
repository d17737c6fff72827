// How a message arrives: phone, browser, email or chat, as its stand-in declares.

import { channelName, icon, make, safeLink } from './dom.js';

export function drawMessage(message) {
  const draw =
    { phone: drawPhone, browser: drawBrowser, email: drawMail }[message.look] ?? drawChat;
  return draw(message);
}

function drawPhone(message) {
  const at = new Date(message.at);
  return make(
    'div',
    { className: 'stage' },
    make(
      'div',
      { className: 'phone' },
      make(
        'p',
        { className: 'phone-date' },
        at.toLocaleDateString([], { weekday: 'long', day: 'numeric', month: 'long' }),
      ),
      make(
        'p',
        { className: 'phone-clock' },
        at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
      ),
      isSilent(message) ? undefined : card(message, 'phone'),
      message.note ? make('p', { className: 'phone-note' }, message.note) : undefined,
    ),
  );
}

function drawBrowser(message) {
  return make(
    'div',
    { className: 'stage' },
    make(
      'div',
      { className: 'desktop' },
      make(
        'div',
        { className: 'window', 'aria-hidden': 'true' },
        make('span'),
        make('span'),
        make('span'),
      ),
      isSilent(message) ? undefined : card(message, 'browser'),
      message.note ? make('p', { className: 'phone-note' }, message.note) : undefined,
    ),
  );
}

function drawMail(message) {
  if (message.htmlPath) {
    return make('iframe', {
      className: 'mail',
      src: message.htmlPath,
      title: `Email: ${message.title ?? 'no subject'}`,
      sandbox: 'allow-popups allow-popups-to-escape-sandbox',
      referrerPolicy: 'no-referrer',
    });
  }
  return make('pre', { className: 'plain' }, message.text ?? message.note ?? 'Empty email');
}

function drawChat(message) {
  return make(
    'div',
    { className: 'stage' },
    make(
      'div',
      { className: 'chat' },
      make('p', { className: 'chat-from' }, message.sender ?? channelName(message.channel)),
      make(
        'div',
        { className: 'bubble' },
        picture(message),
        message.title ? make('strong', {}, message.title) : undefined,
        make('p', {}, message.text ?? message.note ?? ''),
        buttons(message),
      ),
    ),
  );
}

function card(message, kind) {
  const mark = message.icon ? make('img', { src: message.icon, alt: '' }) : icon(kind);
  return make(
    'article',
    { className: 'card' },
    make(
      'div',
      { className: 'card-top' },
      make(
        'span',
        { className: 'card-app' },
        mark,
        message.badge
          ? make(
              'span',
              { className: 'badge', title: 'Badge on the app icon' },
              String(message.badge),
            )
          : undefined,
      ),
      make('span', { className: 'card-sender' }, message.sender ?? channelName(message.channel)),
      make('span', { className: 'card-when' }, 'now'),
    ),
    message.title ? make('h3', {}, message.title) : undefined,
    message.text ? make('p', { className: 'card-text' }, message.text) : undefined,
    picture(message),
    buttons(message),
  );
}

function picture({ image }) {
  if (!safeLink(image)) return undefined;
  const element = make('img', {
    className: 'picture',
    src: image,
    alt: 'Image in the message',
    loading: 'lazy',
  });
  // A recipient would see no image; here the failure should show.
  element.addEventListener('error', () =>
    element.replaceWith(make('p', { className: 'no-picture' }, `Image did not load: ${image}`)),
  );
  return element;
}

function buttons({ buttons: list = [] }) {
  if (list.length === 0) return undefined;
  return make(
    'div',
    { className: 'card-buttons' },
    list.map(({ label, url }) =>
      safeLink(url)
        ? make('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, label)
        : make('span', { title: url }, label),
    ),
  );
}

function isSilent({ title, text }) {
  return !title && !text;
}

// A chat in a messenger: its bar, its bubbles, the place to write. Each messenger's module says
// what differs, its style sheet the rest.

import { make } from './element.js';
import { avatar, buttons, glyph, isSilent, phone, picture, timeOfDay, words } from './parts.js';

/**
 * `name` and `about` stand in the bar; `feed` are the messages; `keyboard` replaces the place to
 * write; `entry` is its hint.
 */
export function chat(look, system, message, { name, about, feed, keyboard, entry = 'Message' }) {
  return phone(
    look,
    system,
    message.at,
    make(
      'div',
      { className: 'chat' },
      make(
        'div',
        { className: 'chat-top' },
        glyph('back'),
        avatar(name),
        make(
          'div',
          { className: 'chat-names' },
          make('b', {}, name),
          about ? make('span', {}, about) : undefined,
        ),
      ),
      make(
        'div',
        { className: 'chat-feed' },
        make('p', { className: 'chat-day' }, make('span', {}, 'Today')),
        isSilent(message) && feed === undefined
          ? make('p', { className: 'chat-day' }, make('span', {}, 'Nothing to show'))
          : (feed ?? [bubble(message)]),
      ),
      keyboard ??
        make(
          'div',
          { className: 'chat-entry', 'aria-hidden': 'true' },
          glyph('plus'),
          make('span', {}, entry),
          glyph('send'),
        ),
    ),
  );
}

/** One message: picture, title, words, time; buttons inside unless `bare`. */
export function bubble(message, { marks = false, bare = false, icons = [], between } = {}) {
  const { title, text, at } = message;
  return make(
    'article',
    { className: 'bubble' },
    picture(message),
    make(
      'div',
      { className: 'bubble-words' },
      title ? make('strong', { className: 'bubble-title' }, title) : undefined,
      text ? make('p', { className: 'bubble-text' }, words(text, { marks })) : undefined,
      between,
      make('time', { className: 'bubble-time', dateTime: at }, timeOfDay(at)),
    ),
    bare ? undefined : buttons(message, ...icons),
  );
}

/** Messages beside the sender's picture, as some messengers draw them. */
export function besideAvatar(name, ...parts) {
  return make(
    'div',
    { className: 'chat-row' },
    avatar(name),
    make('div', { className: 'chat-row-body' }, make('p', { className: 'chat-by' }, name), parts),
  );
}

// What several looks share: the device around them, pictures, links and buttons. A message's words
// become text nodes only; its addresses open only if they are web addresses.

import { lineArt, make, safeLink } from './element.js';

const art = {
  signal: 'M4 20v-4M9 20v-8M14 20V8M19 20V4',
  battery:
    'M3 8h15a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V9a1 1 0 0 1 1-1zM22 11v2M5 11v2M8 11v2M11 11v2',
  bell: 'M6 17h12l-1.500-2.500V10a4.500 4.500 0 0 0-9 0v4.500zM10.500 20h3',
  back: 'M15 5l-7 7 7 7',
  send: 'M4 12l16-7-6 15-3-6z',
  plus: 'M12 5v14M5 12h14',
  check: 'M5 12.500l4.500 4.500L19 7.500',
  open: 'M14 5h5v5M19 5l-8 8M18 14v5H5V6h5',
  chevron: 'M9 5l7 7-7 7',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM5 20c1-4 4-6 7-6s6 2 7 6',
};

export function glyph(name) {
  return lineArt(art[name], 'glyph');
}

/** A phone with a status bar around a screen. `system`: `ios` or `android`. */
export function phone(look, system, at, ...screen) {
  return make(
    'div',
    { className: `look look-${look}` },
    make(
      'div',
      { className: `device ${system}` },
      make(
        'div',
        { className: 'device-status', 'aria-hidden': 'true' },
        make('span', {}, timeOfDay(at)),
        make('span', { className: 'device-signs' }, glyph('signal'), glyph('battery')),
      ),
      screen,
    ),
  );
}

export function timeOfDay(at) {
  return new Date(at).toLocaleTimeString([], {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
}

export function longDay(at) {
  return new Date(at).toLocaleDateString([], { weekday: 'long', day: 'numeric', month: 'long' });
}

/** A circle with the first letter of a name. A number has none. */
export function avatar(name) {
  const [letter] = name.match(/\p{L}/u) ?? [];
  const shown = letter === undefined ? glyph('person') : letter.toUpperCase();
  return make('span', { className: 'avatar', 'aria-hidden': 'true' }, shown);
}

/** One that does not load shows its address: a recipient would see nothing. */
export function picture({ image }) {
  if (!safeLink(image)) return undefined;
  const element = make('img', { className: 'picture', src: image, alt: 'Image in the message' });
  element.addEventListener('error', () =>
    element.replaceWith(make('p', { className: 'no-picture' }, `Image did not load: ${image}`)),
  );
  return element;
}

/** Text with its web addresses as links. `marks` also draws *bold*, _italic_ and ~struck~. */
export function words(text, { marks = false } = {}) {
  return text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}'])/).flatMap((part, place) => {
    if (place % 2 === 1) return link(part, part);
    return marks ? marked(part) : part;
  });
}

const tagOf = { '*': 'strong', _: 'em', '~': 's' };

function marked(text) {
  return text
    .split(/(?<![\p{L}\p{N}])([*_~])(?=\S)([^*_~\n]*[^*_~\s])\1(?![\p{L}\p{N}])/u)
    .flatMap((part, place, parts) => {
      if (place % 3 === 1) return make(tagOf[part], {}, parts[place + 1]);
      return place % 3 === 2 ? [] : part;
    });
}

/** Plain text where the address is not a web address. */
export function link(label, url, className) {
  return safeLink(url)
    ? make('a', { className, href: url, target: '_blank', rel: 'noopener noreferrer' }, label)
    : make('span', { className, title: url }, label);
}

export function buttons({ buttons: list = [] }, ...before) {
  if (list.length === 0) return undefined;
  return make(
    'div',
    { className: 'look-buttons' },
    list.map(({ label, url }) =>
      link([...before.map((name) => glyph(name)), label], url, 'look-button'),
    ),
  );
}

/** Whether the person sees nothing at all. */
export function isSilent({ title, text, image }) {
  return !title && !text && !image;
}

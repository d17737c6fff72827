// Draws the parts of the inbox: as text nodes, without inline styles or markup from texts, which
// strict policies refuse.

import { webAddress } from '../web-address.ts';
import type { InboxItem } from './inbox-calls.ts';
import type { InboxWords } from './words.ts';

interface ItemActs {
  /** The person opened it, or pressed this button of it. False if the site goes there itself. */
  opened(item: InboxItem, button?: string): boolean;
  archived(item: InboxItem): void;
}

/** What icons are drawn by. */
const bell = 'M12 3a6 6 0 0 0-6 6v4l-2 4h16l-2-4V9a6 6 0 0 0-6-6Zm-2 17a2 2 0 0 0 4 0';
const box = 'M3 4h18v5H3zM5 9v11h14V9M10 13h4';

export const bellIcon = () => icon(bell);
export const closeIcon = () => icon('M5 5l14 14M19 5L5 19');

export function drawItem(
  item: InboxItem,
  { opened, archived }: ItemActs,
  words: InboxWords,
  language: string,
): HTMLElement {
  const { id, title, body, image, deepLink, since, read, buttons } = item;
  const row = part('li', 'item', read ? '' : 'unread');
  const texts = part('div', 'texts');
  const address = webAddress(deepLink);
  const open = address === undefined ? button('open') : part('a', 'open');
  if (address !== undefined) (open as HTMLAnchorElement).href = address;
  open.dataset['id'] = id;
  open.addEventListener('click', (event) => {
    if (!opened(item)) event.preventDefault();
  });
  const picture = webAddress(image);
  if (picture !== undefined) {
    const shown = part('img', 'image');
    shown.alt = '';
    shown.src = picture;
    open.append(shown);
  }
  if (!read) open.append(text('span', 'unseen', `${words.unread}: `));
  open.append(text('span', 'title', title ?? body));
  if (title !== null) open.append(text('span', 'body', body));
  const time = text('time', 'time', ago(since, language));
  time.dateTime = since;
  open.append(time);
  texts.append(open);
  if (buttons.length > 0) texts.append(drawButtons(item, opened));
  const archive = button('archive');
  archive.append(icon(box));
  archive.dataset['id'] = id;
  archive.setAttribute('aria-label', `${words.archive}: ${title ?? body}`);
  archive.addEventListener('click', () => archived(item));
  row.append(texts, archive);
  return row;
}

function drawButtons(item: InboxItem, opened: ItemActs['opened']): HTMLElement {
  const row = part('div', 'actions');
  for (const [at, { id = `button-${at + 1}`, label, url }] of item.buttons.entries()) {
    const address = webAddress(url);
    const action = address === undefined ? button('action') : part('a', 'action');
    if (address !== undefined) (action as HTMLAnchorElement).href = address;
    action.dir = 'auto';
    action.textContent = label;
    action.addEventListener('click', (event) => {
      if (!opened(item, id)) event.preventDefault();
    });
    row.append(action);
  }
  return row;
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long ago it was. */
function ago(since: string, language: string): string {
  const seconds = Math.max(0, (Date.now() - Date.parse(since)) / 1_000);
  const [unit, of] = units.find(([, of]) => seconds >= of) ?? ['minute', 60];
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return format.format(-Math.floor(seconds / of), unit);
}

/** An element that sites can style by the name of its part. */
export function part<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  named: string,
  state = '',
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = `${named} ${state}`.trim();
  made.part.add(...made.classList);
  return made;
}

export function button(named: string, label = ''): HTMLButtonElement {
  const made = part('button', named);
  made.type = 'button';
  made.textContent = label;
  return made;
}

function text<Name extends 'span' | 'time'>(name: Name, named: string, content: string) {
  const made = part(name, named);
  made.dir = 'auto';
  made.textContent = content;
  return made;
}

function icon(path: string): SVGSVGElement {
  const [svg, line] = (['svg', 'path'] as const).map((name) =>
    document.createElementNS('http://www.w3.org/2000/svg', name),
  ) as [SVGSVGElement, SVGPathElement];
  const attributes = { viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor' };
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  svg.ariaHidden = 'true';
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}

// The list of messages: newest first, at most 500 rows. New ones go on top.

import { channelName, icon, make, timeOf } from './dom.js';

const rowsMax = 500;

/** `onChange` receives the number of rows. */
export function createList(element, onChange) {
  const ids = () => [...element.children].map((row) => Number(row.dataset.id));

  return {
    replace(messages) {
      element.replaceChildren(...messages.map((message) => rowOf(message, false)));
      onChange(element.childElementCount);
    },

    /** `messages` are newest first. */
    add(messages) {
      const known = new Set(ids());
      const fresh = messages.filter(({ id }) => !known.has(id));
      // Keeps the place of a reader further down.
      const below = element.scrollHeight - element.scrollTop;
      const isScrolled = element.scrollTop > 8;
      element.prepend(...fresh.map((message) => rowOf(message, true)));
      if (isScrolled) element.scrollTop = element.scrollHeight - below;
      while (element.childElementCount > rowsMax) element.lastElementChild.remove();
      onChange(element.childElementCount);
    },

    select(id) {
      for (const row of element.children) {
        const link = row.firstElementChild;
        if (Number(row.dataset.id) === id) {
          link.setAttribute('aria-current', 'true');
          row.scrollIntoView({ block: 'nearest' });
        } else link.removeAttribute('aria-current');
      }
    },

    /** The id `step` rows away, or the first if this one is not listed. */
    neighbour(id, step) {
      const all = ids();
      const at = all.indexOf(id);
      return at === -1 ? all[0] : all[Math.min(Math.max(at + step, 0), all.length - 1)];
    },
  };
}

function rowOf(message, isFresh) {
  const { id, look, channel, to, at, title, text, note } = message;
  const heading = title || text;
  const snippet = title ? text || note : note;
  return make(
    'li',
    { data: { id }, className: isFresh ? 'fresh' : '' },
    make(
      'a',
      { href: `#m${id}`, className: 'row' },
      make('span', { className: 'tile', data: { look }, title: channelName(channel) }, icon(look)),
      make(
        'span',
        { className: 'row-body' },
        make(
          'span',
          { className: 'row-top' },
          make('span', { className: 'row-to' }, `${channelName(channel)} · ${to}`),
          make('time', { dateTime: at }, timeOf(at)),
        ),
        heading ? make('span', { className: 'row-title', dir: 'auto' }, heading) : undefined,
        snippet ? make('span', { className: 'row-text', dir: 'auto' }, snippet) : undefined,
        outcomeChip(message),
      ),
    ),
  );
}

/** None for a plain acceptance: `404 · dead*`, `no response · hang*`. */
export function outcomeChip({ outcome, status, fault }) {
  if (outcome === 'accepted' && !fault) return undefined;
  const what = outcome === 'unanswered' ? 'no response' : String(status);
  return make(
    'span',
    { className: 'chip', data: { outcome } },
    fault ? `${what} · ${fault}` : what,
  );
}

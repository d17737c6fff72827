// The list of messages: newest first, one row for all attempts of a call, at most 500 rows. New
// ones go on top.

import { channelName, icon, make, timeOf } from './dom.js';
import { headline, keyOf, shortened } from './row-words.js';

const rowsMax = 500;
const titleCharactersMax = 76;
const textCharactersMax = 84;

/** `onChange` receives the number of messages in the rows. */
export function createList(element, onChange) {
  /** By attempt key, in the order of the rows: `{ row, messages }`, newest message first. */
  let groups = new Map();

  function add(messages, isFresh) {
    for (const message of messages.toReversed()) {
      const key = keyOf(message);
      const known = groups.get(key)?.messages ?? [];
      if (known.some(({ id }) => id === message.id)) continue;
      const all = [message, ...known];
      const row = rowOf(all, isFresh);
      groups.get(key)?.row.remove();
      groups.delete(key);
      groups.set(key, { row, messages: all });
      element.prepend(row);
    }
    for (const [key, { row }] of groups) {
      if (groups.size <= rowsMax) break;
      row.remove();
      groups.delete(key);
    }
    onChange([...groups.values()].reduce((sum, { messages: held }) => sum + held.length, 0));
  }

  const find = (id) =>
    [...groups.values()].find(({ messages }) => messages.some((message) => message.id === id));

  return {
    replace(messages) {
      groups = new Map();
      element.replaceChildren();
      add(messages, false);
    },

    /** `messages` are newest first. */
    add(messages) {
      // Keeps the place of a reader further down.
      const below = element.scrollHeight - element.scrollTop;
      const isScrolled = element.scrollTop > 8;
      add(messages, true);
      if (isScrolled) element.scrollTop = element.scrollHeight - below;
    },

    has: (id) => find(id) !== undefined,

    select(id) {
      element.querySelector('[aria-current]')?.removeAttribute('aria-current');
      const row = find(id)?.row;
      row?.firstElementChild.setAttribute('aria-current', 'true');
      row?.scrollIntoView({ block: 'nearest' });
    },

    /** The newest id of the row `step` rows away, or of the first if this one is not listed. */
    neighbor(id, step) {
      const rows = [...groups.values()].reverse();
      const at = rows.indexOf(find(id));
      const next = at === -1 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1);
      return rows[next]?.messages[0].id;
    },
  };
}

/** Attempts newest first. An attempt that was refused early may have no words: another has them. */
function rowOf(attempts, isFresh) {
  const [newest] = attempts;
  const { id, look, channel, to, at } = newest;
  const { title, text, note } = attempts.find((one) => one.title || one.text) ?? newest;
  const [first = '', ...others] = (title ? [title, text ?? ''] : (text ?? '').split('\n')).filter(
    Boolean,
  );
  const heading = headline(first, titleCharactersMax);
  const snippet = headline(others.join(' ') || note || '', textCharactersMax);
  return make(
    'li',
    { className: isFresh ? 'fresh' : '' },
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
          make('span', { className: 'row-to' }, `${channelName(channel)} · ${shortened(to)}`),
          make('time', { dateTime: at }, timeOf(at)),
        ),
        heading ? make('span', { className: 'row-title', dir: 'auto' }, heading) : undefined,
        snippet ? make('span', { className: 'row-text', dir: 'auto' }, snippet) : undefined,
        make('span', { className: 'row-chips' }, attemptsChip(attempts), outcomeChip(newest)),
      ),
    ),
  );
}

function attemptsChip(attempts) {
  if (attempts.length === 1) return undefined;
  const accepted = attempts.filter(({ outcome }) => outcome === 'accepted').length;
  return make(
    'span',
    { className: 'chip', data: { outcome: accepted > 1 ? 'refused' : 'attempts' } },
    accepted > 1 ? `accepted ${accepted} times` : `${attempts.length} attempts`,
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

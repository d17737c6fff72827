// The attempts of one call, oldest first, as links above the message. Hidden if there is only one.

import { control, make, timeOf } from './dom.js';
import { keyOf } from './row-words.js';

export function createAttempts() {
  const element = make('nav', { className: 'attempts', 'aria-label': 'Attempts', hidden: true });
  let shown;

  /** The message itself is drawn: a failure only leaves the row out. */
  function draw(message) {
    siblingsOf(message).then(
      (attempts) => {
        if (message !== shown) return;
        element.hidden = attempts.length < 2;
        element.replaceChildren(
          ...attempts.map((one, index) => attemptLink(one, index + 1, one.id === message.id)),
        );
      },
      () => undefined,
    );
  }

  return {
    element,
    /** `undefined`: of no message. */
    showOf(message) {
      shown = message;
      element.hidden = true;
      if (message?.sendId !== undefined) draw(message);
    },
    /** To call when messages arrived: one may be a further attempt of the message shown. */
    noteArrivals(messages) {
      if (shown?.sendId === undefined) return;
      if (messages.some((message) => keyOf(message) === keyOf(shown))) draw(shown);
    },
  };
}

async function siblingsOf(message) {
  const { channel, sendId, to } = message;
  const query = new URLSearchParams({ channel, sendId, to, limit: '50' });
  const { messages } = await control(`/messages?${query}`);
  return messages.filter((other) => keyOf(other) === keyOf(message)).reverse();
}

function attemptLink({ id, at, outcome, status }, number, isShown) {
  const result = outcome === 'unanswered' ? 'no response' : String(status);
  return make(
    'a',
    { href: `#m${id}`, 'aria-current': isShown ? 'true' : undefined, data: { outcome } },
    make('b', {}, `Attempt ${number}`),
    make('span', {}, `${timeOf(at)} · ${result}`),
  );
}

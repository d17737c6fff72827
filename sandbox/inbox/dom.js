// What the inbox's modules share: icons, the control routes, names and times.

import { lineArt, make } from '/looks/element.js';

export { make };

const icons = {
  phone: 'M8 3h8a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM11 18h2',
  browser:
    'M4 5h16a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zM3 9h18M6 7h.01M8.500 7h.01',
  email:
    'M4 6h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zM3.500 7.500l8.500 6 8.500-6',
  chat: 'M5 5h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-8l-5 4v-4H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2z',
  call: 'M6 3h3l1.500 5-2 1.500a12 12 0 0 0 6 6l1.500-2 5 1.500v3a2 2 0 0 1-2 2A16 16 0 0 1 4 5a2 2 0 0 1 2-2z',
  back: 'M15 5l-7 7 7 7',
  close: 'M6 6l12 12M18 6L6 18',
};

export function icon(name) {
  return lineArt(icons[name] ?? icons.chat);
}

/** Rejects with the route's error sentence. */
export async function control(path, method = 'GET', body = undefined) {
  const response = await fetch(`/control${path}`, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const answer = await response.json();
  if (!response.ok)
    throw new Error(answer.error ?? `the sandbox responded with ${response.status}`);
  return answer;
}

let labels = new Map();

/** Takes channel names from the sandbox's stand-ins. */
export function nameChannels(channels) {
  labels = new Map(channels.map(({ channel, label }) => [channel, label]));
}

export function channelName(channel) {
  return labels.get(channel) ?? channel;
}

/** With the date if not today. */
export function timeOf(iso) {
  const at = new Date(iso);
  const time = at.toLocaleTimeString([], {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  if (at.toDateString() === new Date().toDateString()) return time;
  return `${at.toLocaleDateString([], { day: 'numeric', month: 'short' })}, ${time}`;
}

/** The title of a panel's dialog, and the button that closes it. */
export function dialogHeader(dialog, id, title) {
  const close = make(
    'button',
    {
      type: 'button',
      className: 'back always',
      'aria-label': 'Close',
      onclick: () => dialog.close(),
    },
    icon('close'),
  );
  return make('header', {}, make('h2', { id }, title), close);
}

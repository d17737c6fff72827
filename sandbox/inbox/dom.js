// Builds elements without markup, so no message can inject HTML into the page.

/**
 * Makes an element. `properties` with a dash, or `role`, become attributes, `on…` functions
 * listeners, the rest properties. Skips `undefined` ones and empty children (elements or text).
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'data') Object.assign(element.dataset, value);
    else if (name.includes('-') || name === 'role' || name === 'for')
      element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== ''));
  return element;
}

const icons = {
  phone: 'M8 3h8a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM11 18h2',
  browser:
    'M4 5h16a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zM3 9h18M6 7h.01M8.500 7h.01',
  email:
    'M4 6h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zM3.500 7.500l8.500 6 8.500-6',
  chat: 'M5 5h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-8l-5 4v-4H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2z',
  back: 'M15 5l-7 7 7 7',
  close: 'M6 6l12 12M18 6L6 18',
};

/** A line icon; decoration, so hidden from assistive technology. */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.classList.add('icon');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', icons[name] ?? icons.chat);
  svg.append(path);
  return svg;
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

/** `undefined` for unsafe schemes. */
export function safeLink(url) {
  return /^https?:\/\//i.test(url ?? '') ? url : undefined;
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

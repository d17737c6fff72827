// One message: as its recipient sees it, its details, the raw exchange, and its other attempts.

import { drawLook } from '/looks/looks.js';
import { createAttempts } from './attempts.js';
import { channelName, control, icon, make, timeOf } from './dom.js';
import { outcomeChip } from './list.js';
import { headline, shortened } from './row-words.js';

const headlineCharactersMax = 100;

/** `onScope` narrows the list; `onBack` returns to it. */
export function createReader(element, { onScope, onBack }) {
  let shownId;
  let tab = 'seen';
  let openTab;
  const attempts = createAttempts();

  async function show(id) {
    if (id === shownId) return;
    shownId = id;
    try {
      const message = await control(`/messages/${id}`);
      if (id === shownId) draw(message);
    } catch {
      if (id === shownId)
        element.replaceChildren(
          blank('This message is gone. The sandbox keeps the newest 2,000.', onBack),
        );
    }
  }

  function draw(message) {
    const tabs = tabsOf(message);
    const body = make('div', {
      className: 'tab-body',
      role: 'tabpanel',
      id: 'tab-body',
      tabIndex: 0,
    });
    const bar = tabBar(tabs, (key) => open(key));
    const open = (key) => {
      tab = key;
      const current = tabs.find((candidate) => candidate.key === key) ?? tabs[0];
      for (const button of bar.children) {
        const isCurrent = button.dataset.key === current.key;
        button.setAttribute('aria-selected', String(isCurrent));
        button.tabIndex = isCurrent ? 0 : -1;
        if (isCurrent) body.setAttribute('aria-labelledby', button.id);
      }
      body.replaceChildren(current.draw());
      body.scrollTop = 0;
    };
    element.replaceChildren(heading(message, { onScope, onBack }), attempts.element, bar, body);
    open(tab);
    openTab = open;
    attempts.showOf(message);
  }

  return {
    show,
    showInstead(content) {
      shownId = undefined;
      attempts.showOf(undefined);
      element.replaceChildren(content);
    },
    noteArrivals: attempts.noteArrivals,
    toggleRaw() {
      if (shownId !== undefined) openTab?.(tab === 'raw' ? 'seen' : 'raw');
    },
  };
}

/** Tab buttons; `open` gets the key of the one clicked or reached by arrows. */
function tabBar(tabs, open) {
  const bar = make(
    'div',
    { className: 'tabs', role: 'tablist', 'aria-label': 'Views of this message' },
    tabs.map(({ key, name }) =>
      make(
        'button',
        {
          type: 'button',
          role: 'tab',
          id: `tab-${key}`,
          data: { key },
          'aria-controls': 'tab-body',
          onclick: () => open(key),
        },
        name,
      ),
    ),
  );
  bar.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const buttons = [...bar.children];
    const next =
      buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length];
    next.focus();
    open(next.dataset.key);
  });
  return bar;
}

/** A sentence instead of a message. */
export function blank(sentence, onBack) {
  return make(
    'div',
    { className: 'blank' },
    onBack ? backButton(onBack) : undefined,
    make('p', {}, sentence),
  );
}

function heading(message, { onScope, onBack }) {
  const { title, text = '', look, channel, to, at, sender, sendId, app } = message;
  const [firstLine] = text.split('\n');
  return make(
    'header',
    { className: 'reader-top' },
    backButton(onBack),
    make('span', { className: 'tile', data: { look } }, icon(look)),
    make(
      'div',
      { className: 'reader-names' },
      make('h2', {}, title || headline(firstLine, headlineCharactersMax) || channelName(channel)),
      make(
        'p',
        { className: 'reader-meta' },
        make('span', {}, `${channelName(channel)} to `, make('b', { title: to }, shortened(to))),
        sender && look !== 'email'
          ? make('span', {}, `from ${sender.replace(/^Call from /, '')}`)
          : undefined,
        make('time', { dateTime: at }, timeOf(at)),
      ),
      make(
        'p',
        { className: 'reader-scope' },
        outcomeChip(message),
        sendId ? scopeButton('Only this send', sendId, () => onScope({ sendId })) : undefined,
        app === undefined
          ? undefined
          : scopeButton('Only this app', 'All messages from the app that sent this one', () =>
              onScope({ app: String(app), appOf: sendId }),
            ),
      ),
    ),
  );
}

function scopeButton(label, title, onclick) {
  return make('button', { type: 'button', className: 'quiet', title, onclick }, label);
}

function backButton(onBack) {
  return make(
    'button',
    { type: 'button', className: 'back', 'aria-label': 'Back to the list', onclick: onBack },
    icon('back'),
  );
}

function tabsOf(message) {
  const seen = {
    key: 'seen',
    name: 'Preview',
    draw: () => drawSeen(message),
  };
  const details = {
    key: 'details',
    name: message.look === 'email' ? 'Headers' : 'Details',
    draw: () => drawDetails(message),
  };
  const raw = { key: 'raw', name: 'Raw exchange', draw: () => drawExchange(message.exchange) };
  if (!message.htmlPath) return [seen, details, raw];
  const plain = {
    key: 'text',
    name: 'Plain text',
    draw: () => make('pre', { className: 'plain' }, message.text ?? 'This email has no text part.'),
  };
  return [seen, plain, details, raw];
}

function drawSeen(message) {
  const warning = {
    refused: `Refused with ${message.status}. The recipient never saw this message.`,
    unanswered:
      'The stand-in did not answer. The sender cannot know whether the recipient saw this message.',
  }[message.outcome];
  return make(
    'div',
    { className: 'seen', data: { outcome: message.outcome } },
    warning ? make('p', { className: 'warning' }, warning) : undefined,
    make('div', { className: 'stage' }, drawLook(message)),
    message.note ? make('p', { className: 'tap' }, message.note) : undefined,
    message.link
      ? make('p', { className: 'tap' }, 'Tapping it opens ', make('code', {}, message.link))
      : undefined,
  );
}

function drawDetails({ details, sendId, deviceId, to }) {
  const rows = [['recipient', to], ['send', sendId], ['device', deviceId], ...details].filter(
    ([, value]) => value !== undefined,
  );
  return make(
    'dl',
    { className: 'details' },
    rows.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]),
  );
}

function drawExchange({
  request,
  requestHeaders,
  requestBody,
  requestBodyEncoding,
  requestBodyBytes,
  answer,
}) {
  const head = [request, ...requestHeaders.map(([name, value]) => `${name}: ${value}`)].join('\n');
  const note =
    requestBodyEncoding === 'base64'
      ? `${requestBodyBytes} bytes, binary, shown as base64`
      : `${requestBodyBytes} bytes`;
  const answered = answer
    ? [
        answer.status,
        ...Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`),
      ].join('\n')
    : 'No response.';
  return make(
    'div',
    { className: 'exchange' },
    block('Request', head),
    requestBody ? block(`Request body (${note})`, readable(requestBody)) : undefined,
    block('Response', answered),
    answer?.body ? block('Response body', readable(answer.body)) : undefined,
  );
}

function block(title, text) {
  const copy = make('button', { type: 'button', className: 'quiet' }, 'Copy');
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    copy.textContent = 'Copied';
    setTimeout(() => (copy.textContent = 'Copy'), 1500);
  });
  return make('section', {}, make('h3', {}, title, copy), make('pre', { tabIndex: 0 }, text));
}

/** Indents JSON; other text is unchanged. */
function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

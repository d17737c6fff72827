// The inbox page: filters, selection, event stream. All data comes from control routes.

import { createDnsPanel } from './dns-panel.js';
import { channelName, control, make, nameChannels } from './dom.js';
import { createFaultsPanel } from './faults-panel.js';
import { createList } from './list.js';
import { blank, createReader } from './reader.js';
import { createWebhooksPanel } from './webhooks-panel.js';

const byId = (id) => document.getElementById(id);
const filters = { q: '', channel: '', sendId: '', app: '' };
/** A send of the filtered app, because messages name apps by number only. */
let appOf;
/** Messages held; undefined before the first answer. */
let held;
let selectedId;
/** The list and the reader take turns. */
const isOneColumn = matchMedia('(width < 760px)');

const list = createList(byId('list'), (rows) => {
  byId('more').hidden = rows === 0 || rows >= held || hasFilters();
  byId('more').textContent = `${held - rows} older messages are not listed; search finds them`;
});
const reader = createReader(byId('reader'), {
  onScope: ({ appOf: send = appOf, ...scope }) => {
    appOf = send;
    Object.assign(filters, scope);
    drawScope();
    load();
    if (isOneColumn.matches) back();
  },
  onBack: back,
});
const faults = createFaultsPanel(byId('faults'), (count) => {
  byId('fault-count').hidden = count === 0;
  byId('fault-count').textContent = String(count);
});
const dns = createDnsPanel(byId('dns'), (count) => {
  byId('dns-count').hidden = count === 0;
  byId('dns-count').textContent = String(count);
});

const webhooks = createWebhooksPanel(byId('webhooks'), (count) => {
  byId('webhook-count').hidden = count === 0;
  byId('webhook-count').textContent = String(count);
});

function hasFilters() {
  return Object.values(filters).some(Boolean);
}

/** A failure shows as a lost connection. */
function load() {
  fetchList().catch(lost);
}

let loading = 0;
async function fetchList() {
  const turn = ++loading;
  const answer = await control(`/messages?${new URLSearchParams({ ...filters, limit: '200' })}`);
  if (turn !== loading) return; // a newer request is under way
  held = answer.held;
  list.replace(answer.messages);
  if (hasFilters() && selectedId !== undefined && !list.has(selectedId)) back();
  list.select(selectedId);
  byId('nothing').hidden = held === 0 || answer.messages.length > 0;
  if (selectedId === undefined) drawNothingSelected();
}

function drawNothingSelected() {
  if (held === undefined) return;
  if (held === 0) reader.showInstead(welcome());
  else
    reader.showInstead(
      blank(
        'Select a message to see it as its recipient would. Keys: j and k move, r shows the raw exchange, / searches.',
      ),
    );
  document.body.classList.toggle('empty', held === 0);
}

function select(id) {
  selectedId = id;
  byId('panes').classList.toggle('reading', id !== undefined);
  list.select(id);
  if (id === undefined) drawNothingSelected();
  else reader.show(id).catch(lost);
}

function followHash() {
  const id = /^#m(\d+)$/.exec(location.hash)?.[1];
  select(id === undefined ? undefined : Number(id));
}

function back() {
  if (!location.hash) return;
  history.pushState(null, '', location.pathname);
  followHash();
}

function listen() {
  const events = new EventSource('/control/events');
  events.addEventListener('ready', () => {
    showConnection('live', 'Live');
    load();
    faults.refresh().catch(lost);
    dns.refresh().catch(lost);
    webhooks.refresh().catch(lost);
  });
  events.addEventListener('webhooks', () => webhooks.refresh().catch(lost));
  events.addEventListener('messages', ({ data }) => {
    const news = JSON.parse(data);
    const wasEmpty = held === 0;
    held = news.held;
    document.body.classList.remove('empty');
    if (hasFilters() || news.more > 0 || wasEmpty) loadSoon();
    else list.add(news.messages);
    reader.noteArrivals(news.messages);
    if (faults.isWatching()) faults.refresh().catch(lost);
  });
  events.addEventListener('cleared', () => {
    held = 0;
    list.replace([]);
    byId('nothing').hidden = true;
    back();
    drawNothingSelected();
  });
  events.onerror = () => showConnection('lost', 'Reconnecting');
}

function lost() {
  showConnection('lost', 'The sandbox is not responding');
}

function showConnection(state, text) {
  byId('live').dataset.state = state;
  byId('live-text').textContent = text;
}

let isLoadDue = false;
function loadSoon() {
  if (isLoadDue) return;
  isLoadDue = true;
  setTimeout(() => {
    isLoadDue = false;
    load();
  }, 150);
}

function drawChannels(channels) {
  const options = [
    { value: '', name: 'All channels' },
    ...channels.map(({ channel }) => ({ value: channel, name: channelName(channel) })),
  ];
  byId('channel').replaceChildren(
    ...options.map(({ value, name }) => make('option', { value }, name)),
  );
}

function drawScope() {
  const chips = [
    ['sendId', (value) => `Send ${value}`],
    ['app', () => `App of ${appOf}`],
  ].filter(([name]) => filters[name]);
  byId('scope').replaceChildren(
    ...chips.map(([name, label]) =>
      make(
        'button',
        {
          type: 'button',
          'aria-label': `Remove filter: ${label(filters[name])}`,
          onclick: () => {
            filters[name] = '';
            drawScope();
            load();
          },
        },
        make('span', {}, label(filters[name])),
        ' ✕',
      ),
    ),
  );
}

function welcome() {
  const body = {
    message: { token: 'phone-1', notification: { title: 'Hello', body: 'It works' } },
  };
  const path = '/fcm/v1/projects/demo/messages:send';
  const command = [
    `curl ${location.origin}${path} \\`,
    `  -H 'authorization: Bearer sandbox' \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
  const copy = make(
    'button',
    {
      type: 'button',
      onclick: () =>
        navigator.clipboard.writeText(command).then(() => (copy.textContent = 'Copied')),
    },
    'Copy',
  );
  const send = make(
    'button',
    {
      type: 'button',
      className: 'primary',
      onclick: () =>
        fetch(path, {
          method: 'POST',
          headers: { authorization: 'Bearer sandbox', 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
    },
    'Send it',
  );
  return make(
    'div',
    { className: 'welcome' },
    make('h2', {}, 'No messages yet'),
    make(
      'p',
      {},
      'In sandbox mode every message that Engage sends arrives here instead of at its recipient. Send one with the demo key and watch it appear.',
    ),
    make('p', {}, 'Or call a stand-in directly, with the provider’s own API:'),
    make('pre', { tabIndex: 0 }, command),
    make('p', { className: 'welcome-actions' }, send, copy),
    make(
      'p',
      { className: 'hint' },
      'Use the token ',
      make('code', {}, 'dead-1'),
      ' instead, and FCM reports it as unregistered. ',
      make('b', {}, 'Faults'),
      ' lists all such names.',
    ),
  );
}

byId('search').addEventListener('input', () => {
  filters.q = byId('search').value.trim();
  loadSoon();
});
byId('channel').addEventListener('change', () => {
  filters.channel = byId('channel').value;
  load();
});
byId('show-all').addEventListener('click', () => {
  Object.assign(filters, { q: '', channel: '', sendId: '', app: '' });
  byId('search').value = '';
  byId('channel').value = '';
  drawScope();
  load();
});
byId('clear').addEventListener('click', () => control('/messages', 'DELETE'));
byId('open-faults').addEventListener('click', () => faults.open());
byId('open-webhooks').addEventListener('click', () => webhooks.open());
byId('open-dns').addEventListener('click', () => dns.open());
addEventListener('hashchange', followHash);
addEventListener('popstate', followHash);
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector('dialog[open]') !== null) return;
  if (event.target.matches('input, select, textarea')) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  const act = {
    j: () => go(1),
    k: () => go(-1),
    '/': () => byId('search').focus(),
    r: () => reader.toggleRaw(),
    Escape: back,
  }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

function go(step) {
  const id = list.neighbor(selectedId, step);
  if (id !== undefined) location.hash = `m${id}`;
}

const { channels: standIns } = await control('/channels');
/** Stand-ins with messages to people. */
const channels = standIns.filter(({ look }) => look !== null);
nameChannels(channels);
drawChannels(channels);
faults.setChannels(channels);
followHash();
listen();

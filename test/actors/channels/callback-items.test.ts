import t from 'tap';
import type { WebhookChannel } from '../../../actors/channels/channel-ids.ts';
import type { CallbackItem } from '../../../actors/channels/port/callback-item.ts';
import { providers } from '../../../actors/channels/providers.ts';

const items = (channel: WebhookChannel, body: unknown) =>
  providers[channel].webhook.items(
    Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  );
const unknown: CallbackItem = { kind: 'unknown' };
const atMs = 1_767_225_600_000;

t.test('LINE’s events are read one by one, and what is not understood is passed by', async (t) => {
  const user = { type: 'user', userId: 'U1' };
  const group = { type: 'group', groupId: 'C1', userId: 'U1' };
  const event = (type: string, source: object, more: object = {}) => ({
    type,
    source,
    webhookEventId: `id-${type}`,
    timestamp: atMs,
    ...more,
  });
  const text = { message: { type: 'text', text: 'Stop.' } };
  t.same(
    items('line', {
      destination: 'x',
      events: [
        event('follow', user),
        event('unfollow', user),
        event('message', user, text),
        event('message', group, text),
        event('leave', group),
        event('postback', user, { postback: { data: 'STOP' } }),
        event('postback', group, { postback: { data: 'STOP' } }),
        { type: 'unfollow', source: user },
        7,
      ],
    }),
    [
      { kind: 'inbound', id: 'id-follow', from: 'U1', atMs, keyword: 'start' },
      {
        ...{ kind: 'inbound', id: 'id-unfollow', from: 'U1', atMs },
        ...{ keyword: 'stop', reason: 'unfollowed' },
      },
      { kind: 'inbound', id: 'id-message', from: 'U1', atMs, keyword: 'stop' },
      unknown,
      {
        ...{ kind: 'inbound', id: 'id-leave', from: 'C1', atMs },
        ...{ keyword: 'stop', reason: 'unfollowed' },
      },
      { kind: 'inbound', id: 'id-postback', from: 'U1', atMs, keyword: 'stop' },
      unknown,
      unknown,
    ],
  );
});

t.test('all 64 bits of Viber’s token are kept', async (t) => {
  const body = (token: string) =>
    `{"event":"delivered","timestamp":${atMs},"message_token":${token},"user_id":"u="}`;
  const status = (name: string) => [
    { kind: 'status', name, addresses: ['u='], news: { kind: 'arrived' } },
  ];
  for (const name of ['5741311803571721087', '9223372036854775807', '18446744073709551615', '7'])
    t.same(items('viber', body(name)), status(name));
  t.same(items('viber', body('"5741311803571721087"')), status('5741311803571721087'));
  // A person's text is not a token.
  const said = JSON.stringify({ text: '"message_token":1' });
  const message = `{"event":"message","sender":{"id":"u="},"message":${said},"message_token":2}`;
  t.match(items('viber', message), [{ id: 'message 2', from: 'u=' }]);
});

t.test('who opens a conversation with a bot has not subscribed by that', async (t) => {
  const opened = { event: 'conversation_started', user: { id: 'u=' }, timestamp: atMs };
  const token = { message_token: 1 };
  t.same(items('viber', { ...opened, ...token, subscribed: false }), [unknown]);
  t.match(items('viber', { ...opened, ...token, subscribed: true }), [{ keyword: 'start' }]);
});

t.test('Zalo names the person in either place, and one message or several', async (t) => {
  const event = (event_name: string, message: object) => ({
    ...{ event_name, message, timestamp: String(atMs) },
    ...{ sender: { id: '1' }, recipient: { id: '2' } },
  });
  const addresses = ['2', '1'];
  t.same(items('zalo', event('user_received_message', { msg_id: 'a' })), [
    { kind: 'status', name: 'a', addresses, news: { kind: 'arrived' } },
  ]);
  t.same(items('zalo', event('user_seen_message', { msg_ids: ['a', 'b', 3] })), [
    { kind: 'status', name: 'a', addresses, news: { kind: 'read', atMs } },
    { kind: 'status', name: 'b', addresses, news: { kind: 'read', atMs } },
  ]);
  t.same(items('zalo', event('user_seen_message', {})), [unknown]);
});

t.test('Telegram’s commands are words, in a chat of two alone', async (t) => {
  const said = (text: string, chat: object = { id: 5, type: 'private' }) =>
    items('telegram', { update_id: 1, message: { chat, date: atMs / 1000, text } });
  const from = { kind: 'inbound', id: 'update 1', from: '5', atMs, number: 1 };
  const cases = [
    ['/stop', 'stop'],
    ['/start', 'start'],
    ['/start from_shop', 'start'],
    ['/stop@acme_bot', 'stop'],
    ['STOP', 'stop'],
  ] as const;
  for (const [text, keyword] of cases) t.same(said(text), [{ ...from, keyword }], text);
  for (const text of ['/stopping', 'hello'])
    t.same(said(text), [{ ...from, keyword: undefined, said: [text], text }], text);
  t.same(said('/stop', { id: -5, type: 'group' }), [unknown]);
});

t.test('a bot that is removed from a group, or blocked, cannot write there', async (t) => {
  const change = (status: string) =>
    items('telegram', {
      update_id: 2,
      my_chat_member: {
        ...{ chat: { id: -100_123, type: 'supergroup' }, date: atMs / 1000 },
        new_chat_member: { status },
      },
    });
  for (const status of ['kicked', 'left'])
    t.match(change(status), [{ from: '-100123', keyword: 'stop', reason: 'unfollowed' }]);
  for (const status of ['member', 'administrator'])
    t.match(change(status), [{ from: '-100123', keyword: 'start' }]);
  t.same(change('restricted'), [unknown]);
});

t.test('whatever comes in place of a body is one unknown thing', async (t) => {
  for (const channel of ['zalo', 'viber', 'telegram', 'line'] as const)
    for (const body of ['', 'null', '[]', '7', '"x"', '{"', '{"event":7}', '{"update_id":"1"}'])
      t.ok(
        items(channel, body).every(({ kind }) => kind === 'unknown'),
        `${channel} ${body}`,
      );
});

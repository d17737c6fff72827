// The LINE stand-in by a real client: what it takes and refuses, retry keys, and the answers that
// ids ask for.

import t, { type Test } from 'tap';
import { withSandbox } from './with-sandbox.ts';

const path = '/line/v2/bot/message/push';
const authorization = { authorization: 'Bearer channel-access-token' };
const person = `U${'0123456789abcdef'.repeat(2)}`;
const text = (words: string) => ({ type: 'text', text: words });

async function rig(test: Test) {
  const sandbox = await withSandbox(test);
  return {
    ...sandbox,
    push: (body: object | string, headers: Record<string, string> = authorization) =>
      sandbox.call('POST', path, body, headers),
  };
}

t.test('a push is accepted with an id a message and shown as one', async (test) => {
  const { push, messages, call } = await rig(test);
  const image = 'https://cdn.example.com/a.png';
  const reply = await push({
    to: person,
    messages: [{ type: 'image', originalContentUrl: image, previewImageUrl: image }, text('Hello')],
  });
  test.equal(reply.status, 200);
  test.match(reply.headers['x-line-request-id'], /^[0-9a-f-]{36}$/);
  test.match(reply.json.sentMessages, [{ id: /^\d{18}$/ }, { id: /^\d{18}$/ }]);
  test.not(reply.json.sentMessages[0].id, reply.json.sentMessages[1].id);
  const [message] = await messages();
  test.match(message, {
    channel: 'line',
    look: 'chat',
    to: person,
    text: 'Hello',
    image,
    outcome: 'accepted',
  });
  const detail = await call('GET', `/control/messages/${message.id}`);
  test.same(detail.json.bubbles, [{ image }, { text: 'Hello' }]);
});

const key = '123e4567-e89b-12d3-a456-426614174000';
const withKey = { ...authorization, 'x-line-retry-key': key };

t.test('a retry key is taken once, and the second call gets the ids of the first', async (test) => {
  const { push, messages } = await rig(test);
  const first = await push({ to: person, messages: [text('x')] }, withKey);
  const second = await push({ to: person, messages: [text('x')] }, withKey);
  test.equal(second.status, 409);
  test.same(second.json, {
    message: 'The retry key is already accepted',
    sentMessages: first.json.sentMessages,
  });
  test.match((await messages())[0], { outcome: 'refused', text: 'x', note: /shown once/ });
  const accepted = second.headers['x-line-accepted-request-id'];
  test.equal(accepted, first.headers['x-line-request-id']);
  test.not(second.headers['x-line-request-id'], accepted);
  const other = { ...withKey, authorization: 'Bearer another-account' };
  test.equal((await push({ to: person, messages: [text('x')] }, other)).status, 200);
});

t.test('what a fault refused can be tried again under its key', async (test) => {
  const { push, call } = await rig(test);
  const rule = { channel: 'line', match: '*', fault: 'status', value: 500, count: 1 };
  await call('POST', '/control/faults', rule);
  const statuses = [];
  for (let i = 0; i < 3; i++) {
    statuses.push((await push({ to: person, messages: [text('x')] }, withKey)).status);
  }
  test.same(statuses, [500, 200, 409]);
});

t.test('each name of an id gets the answer that LINE would give', async (test) => {
  const { push, messages } = await rig(test);
  const expected: [name: string, status: number, message?: string][] = [
    ['dead', 400, 'Failed to send messages'],
    ['bad0', 400, "The property, 'to', in the request body is invalid (line: -, column: -)"],
    ['e400', 400, 'The request body has 1 error(s)'],
    ['e401', 401],
    ['e403', 403],
    ['e413', 413],
    ['e429', 429, 'The API rate limit has been exceeded. Try again later.'],
    ['f011', 429, 'You have reached your monthly limit.'],
    ['e500', 500],
    ['e503', 503],
    ['b10c', 200],
  ];
  for (const [name, status, message] of expected) {
    for (const kind of ['U', 'C', 'R']) {
      const reply = await push({ to: kind + name.padEnd(32, 'f'), messages: [text('x')] });
      test.equal(reply.status, status, name);
      if (message !== undefined) test.equal(reply.json.message, message, name);
      test.equal(reply.headers['retry-after'], undefined, 'LINE names no delay');
    }
  }
  test.match((await messages())[0], { note: /Blocked/, outcome: 'accepted' });
  await test.rejects(push({ to: `Udeaf${'0'.repeat(28)}`, messages: [text('x')] }));
  const started = performance.now();
  const slow = await push({ to: `U51ee940${'a'.repeat(25)}`, messages: [text('x')] });
  test.equal(slow.status, 200);
  test.ok(performance.now() - started >= 39);
});

t.test('what LINE refuses is refused before any fault is played', async (test) => {
  const { push } = await rig(test);
  const uri = { type: 'uri', label: 'Go', uri: 'https://shop.example.com/' };
  const card = (template: object) => ({
    type: 'template',
    altText: 'x',
    template: { type: 'buttons', text: 'x', actions: [uri], ...template },
  });
  const x = (length: number) => 'x'.repeat(length);
  const secure = 'https://cdn.example.com/a.png';
  const image = { type: 'image', originalContentUrl: secure, previewImageUrl: secure };
  const refused: [why: string, message: object, property: string][] = [
    ['a kind that is none', { type: 'txt', text: 'x' }, 'messages[0].type'],
    ['an unknown member', { ...text('x'), bold: true }, 'messages[0]'],
    ['an empty text', text(''), 'messages[0].text'],
    ['a text of 5,001', text(x(5_001)), 'messages[0].text'],
    ['a text that is none', { type: 'text', text: 7 }, 'messages[0].text'],
    [
      'a picture without https',
      { ...image, originalContentUrl: 'http://a.example/a' },
      'messages[0].originalContentUrl',
    ],
    ['no preview', { ...image, previewImageUrl: undefined }, 'messages[0].previewImageUrl'],
    ['no altText', { ...card({}), altText: undefined }, 'messages[0].altText'],
    ['an altText of 1,501', { ...card({}), altText: x(1_501) }, 'messages[0].altText'],
    ['a card title of 41', card({ title: x(41) }), 'messages[0].template.title'],
    ['a card text of 161', card({ text: x(161) }), 'messages[0].template.text'],
    ['61 beneath a title', card({ title: 'x', text: x(61) }), 'messages[0].template.text'],
    [
      '61 beneath a picture',
      card({ thumbnailImageUrl: secure, text: x(61) }),
      'messages[0].template.text',
    ],
    ['no actions', card({ actions: [] }), 'messages[0].template.actions'],
    ['5 actions', card({ actions: new Array(5).fill(uri) }), 'messages[0].template.actions'],
    [
      'a label of 21',
      card({ actions: [{ ...uri, label: x(21) }] }),
      'messages[0].template.actions[0].label',
    ],
    [
      "an app's own link",
      card({ actions: [{ ...uri, uri: 'shop://a' }] }),
      'messages[0].template.actions[0].uri',
    ],
    [
      'a link of 1,001',
      card({ actions: [{ ...uri, uri: `https://a.example/${x(983)}` }] }),
      'messages[0].template.actions[0].uri',
    ],
    [
      'postback data of 301',
      card({ actions: [{ type: 'postback', label: 'x', data: x(301) }] }),
      'messages[0].template.actions[0].data',
    ],
  ];
  for (const [why, message, property] of refused) {
    const reply = await push({ to: `Ue503${'0'.repeat(28)}`, messages: [message] });
    test.equal(reply.status, 400, why);
    test.equal(reply.json.details?.[0]?.property, property, why);
  }
  const whole: [why: string, body: object | string, status: number][] = [
    ['no messages', { to: person, messages: [] }, 400],
    ['six messages', { to: person, messages: new Array(6).fill(text('x')) }, 400],
    ['an unknown member', { to: person, messages: [text('x')], silent: true }, 400],
    ['nobody', { messages: [text('x')] }, 400],
    ['an id that is none', { to: 'U123', messages: [text('x')] }, 400],
  ];
  for (const [why, body, status] of whole) test.equal((await push(body)).status, status, why);
});

t.test('what is wrong with the call itself', async (test) => {
  const { push, call, messages } = await rig(test);
  const body = { to: person, messages: [text('x')] };
  const json = { 'content-type': 'application/json' };
  test.equal((await push(body, {})).status, 401, 'no token');
  test.equal((await push(body, { authorization: 'Bearer revoked-token' })).status, 401);
  test.equal((await push(body, { ...authorization, 'x-line-retry-key': '1' })).status, 400);
  test.equal((await push(JSON.stringify(body))).status, 415, 'not said to be JSON');
  test.equal((await push('{', { ...authorization, ...json })).status, 400);
  test.equal((await call('POST', '/line/v2/bot/message', body, authorization)).status, 404);
  const huge = JSON.stringify({ ...body, more: 'x'.repeat(2 * 1024 * 1024) });
  test.equal((await push(huge, { ...authorization, ...json })).status, 413);
  test.same(await messages(), []);
});

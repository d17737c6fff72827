// The RCS stand-in by a real client: what Google takes and refuses, and that an id is taken once.

import t, { type Test } from 'tap';
import { withSandbox } from './with-sandbox.ts';

const authorization = { authorization: 'Bearer sandbox' };
let ids = 0;
const newId = () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`;

async function rig(test: Test) {
  const sandbox = await withSandbox(test);
  return {
    ...sandbox,
    send: (
      message: unknown,
      {
        phone = '%2B66812345678',
        query = `messageId=${newId()}&agentId=shop`,
        headers = authorization as Record<string, string>,
      } = {},
    ) =>
      sandbox.call(
        'POST',
        `/rcs/v1/phones/${phone}/agentMessages?${query}`,
        typeof message === 'string' ? message : JSON.stringify(message),
        headers,
      ),
  };
}

const text = (words: string, more: object = {}) => ({ contentMessage: { text: words, ...more } });
const reply = { reply: { text: 'Yes', postbackData: 'y' } };
const fileUrl = 'https://cdn.example.com/a.png';
const card = (cardContent: object) => ({
  contentMessage: { richCard: { standaloneCard: { cardOrientation: 'VERTICAL', cardContent } } },
});

t.test('a message is accepted under its id and recorded as its recipient sees it', async (test) => {
  const { send, messages } = await rig(test);
  const id = newId();
  const postbackData = JSON.stringify({ sendId: 'ntf_1', deviceId: 'dev_1' });
  const answer = await send(
    {
      ...text('Hello', { suggestions: [{ reply: { text: 'Yes', postbackData } }] }),
      messageTrafficType: 'TRANSACTION',
      ttl: '60s',
    },
    { query: `messageId=${id}&agentId=shop` },
  );
  test.equal(answer.status, 200);
  test.match(answer.json, { name: `phones/+66812345678/agentMessages/${id}`, sendTime: /Z$/ });
  test.match((await messages())[0], {
    channel: 'rcs',
    look: 'chat',
    to: '+66812345678',
    sendId: 'ntf_1',
    deviceId: 'dev_1',
    sender: 'shop',
    text: 'Hello',
    outcome: 'accepted',
  });
});

t.test('an id is taken once by an agent, whatever the number', async (test) => {
  const { send, messages } = await rig(test);
  const query = `messageId=${newId()}&agentId=shop`;
  const to = (phone: string, ofQuery = query) => send(text('x'), { phone, query: ofQuery });
  test.equal((await to('%2B66812345678')).status, 200);
  const second = await to('%2B66812345678');
  test.equal(second.status, 409);
  test.equal(second.json.error.status, 'ALREADY_EXISTS');
  test.match((await messages())[0], { outcome: 'refused', text: 'x', note: /shown once/ });
  test.equal((await to('%2B66812345679')).status, 409, 'another number');
  test.equal((await to('%2B66812345678', query.replace('shop', 'other'))).status, 200);
});

t.test(
  'what a fault refused can be tried again; what it left without an answer was taken',
  async (test) => {
    const { send, call } = await rig(test);
    const rule = { channel: 'rcs', match: '*', count: 1 };
    const tries: [fault: object, second: number][] = [
      [{ fault: 'status', value: 503 }, 200],
      [{ fault: 'drop' }, 409],
    ];
    for (const [fault, second] of tries) {
      const query = `messageId=${newId()}&agentId=shop`;
      await call('POST', '/control/faults', { ...rule, ...fault });
      await send(text('x'), { query }).catch(() => undefined);
      test.equal((await send(text('x'), { query })).status, second, JSON.stringify(fault));
    }
  },
);

t.test('each number of the test range gets the answer that Google would give', async (test) => {
  const { send, messages } = await rig(test);
  const expected: [last: string, status: number, name?: string, retryAfter?: string][] = [
    ['0001', 400, 'INVALID_ARGUMENT'],
    ['0002', 404, 'NOT_FOUND'],
    ['0003', 403, 'PERMISSION_DENIED'],
    ['0004', 200],
    ['0005', 429, 'RESOURCE_EXHAUSTED', '2'],
    ['0006', 503, 'UNAVAILABLE'],
    ['0007', 200],
    ['0009', 404, 'NOT_FOUND'],
    ['0010', 401, 'UNAUTHENTICATED'],
    ['0011', 400, 'INVALID_ARGUMENT'],
    ['0012', 429, 'RESOURCE_EXHAUSTED'],
    ['0013', 500, 'INTERNAL'],
    ['0014', 200],
  ];
  for (const [last, status, name, retryAfter] of expected) {
    const answer = await send(text('x'), { phone: `+1500555${last}` });
    test.equal(answer.status, status, last);
    test.equal(answer.json.error?.status, name, last);
    test.equal(answer.headers['retry-after'], retryAfter, last);
  }
  await test.rejects(send(text('x'), { phone: '+15005550008' }));
  const notes = (await messages()).filter(({ note }) => note).map(({ to }) => to);
  test.same(notes, ['+15005550007', '+15005550004'], 'what is never seen says so');
});

t.test('what Google refuses is refused before any fault is played', async (test) => {
  const { send } = await rig(test);
  const longSuggestion = { reply: { text: 'x'.repeat(26), postbackData: 'y' } };
  const refused: [why: string, message: unknown][] = [
    ['not JSON', '{'],
    ['no content', {}],
    ['an empty content', { contentMessage: {} }],
    ['an empty text', text('')],
    ['a text of 3,073', text('x'.repeat(3_073))],
    ['text and card', { contentMessage: { text: 'x', ...card({ title: 'x' }).contentMessage } }],
    ['an unknown member', { ...text('x'), messageTraffic: 'PROMOTION' }],
    ['an unknown member within', text('x', { title: 'x' })],
    ['a traffic type that is none', { ...text('x'), messageTrafficType: 'MARKETING' }],
    ['a ttl without its unit', { ...text('x'), ttl: '60' }],
    ['a ttl of 9 s', { ...text('x'), ttl: '9s' }],
    ['a ttl past 15 days', { ...text('x'), ttl: '1296001s' }],
    ['ttl and expireTime', { ...text('x'), ttl: '60s', expireTime: '2030-01-01T00:00:00Z' }],
    ['12 chips', text('x', { suggestions: new Array(12).fill(reply) })],
    ['5 suggestions on a card', card({ title: 'x', suggestions: new Array(5).fill(reply) })],
    ['a suggestion of 26', text('x', { suggestions: [longSuggestion] })],
    ['a suggestion of nothing', text('x', { suggestions: [{}] })],
    ['a suggestion of both', text('x', { suggestions: [{ ...reply, action: { text: 'x' } }] })],
    ['an action that does nothing', text('x', { suggestions: [{ action: { text: 'x' } }] })],
    [
      "an app's own link",
      text('x', { suggestions: [{ action: { text: 'x', openUrlAction: { url: 'shop://a' } } }] }),
    ],
    ['an empty card', card({})],
    ['a title of 201', card({ title: 'x'.repeat(201) })],
    ['a description of 2,001', card({ description: 'x'.repeat(2_001) })],
    ['media without a height', card({ media: { contentInfo: { fileUrl } } })],
  ];
  for (const [why, message] of refused) {
    const answer = await send(message, { phone: '+15005550006' });
    test.equal(answer.status, 400, why);
    test.equal(answer.json.error?.status, 'INVALID_ARGUMENT', why);
  }
});

t.test('what is wrong with the call itself', async (test) => {
  const { send, call, messages } = await rig(test);
  const statusOf = async (options: Parameters<typeof send>[1]) =>
    (await send(text('x'), options)).status;
  test.equal(await statusOf({ headers: {} }), 401, 'no credential');
  test.equal(await statusOf({ headers: { authorization: 'Bearer other' } }), 401);
  test.equal(await statusOf({ phone: '66812345678' }), 400, 'no plus');
  test.equal(await statusOf({ phone: '%' }), 400, 'no number at all');
  test.equal(await statusOf({ query: 'messageId=1&agentId=a' }), 400, 'an id that is no UUID');
  test.equal(await statusOf({ query: `messageId=${newId()}` }), 400, 'no agent');
  const elsewhere = await call('POST', '/rcs/v1/phones/x/messages', {}, authorization);
  test.equal(elsewhere.status, 404);
  test.equal(elsewhere.json, undefined, 'which is not answered in JSON');
  const huge = await send(text('x'.repeat(250_000)));
  test.equal(huge.status, 413);
  test.same(await messages(), []);
});

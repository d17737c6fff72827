// The Zalo stand-ins by a real client: what the message API takes and refuses, its faults by
// recipient, and tokens that are good for one use.

import t, { type Test } from 'tap';
import { withSandbox } from './with-sandbox.ts';

const user = '4337842264521611405';
const recipient = { user_id: user };
const picture = 'https://cdn.example.com/a.png';
const shop = 'https://shop.example.com/';
const button = { title: 'Go', type: 'oa.open.url', payload: { url: shop } };
const template = (payload: object) => ({ type: 'template', payload });

async function rig(test: Test) {
  const sandbox = await withSandbox(test);
  const send = (body: unknown, kind = 'cs', token = 'sandbox') =>
    sandbox.call('POST', `/zalo/v3.0/oa/message/${kind}`, body as object, { access_token: token });
  const form = { 'content-type': 'application/x-www-form-urlencoded', secret_key: 'secret' };
  const refresh = async (token: string, headers: Record<string, string> = form) => {
    const body = `refresh_token=${token}&app_id=123456789&grant_type=refresh_token`;
    return (await sandbox.call('POST', '/zalo-oauth/v4/oa/access_token', body, headers)).json;
  };
  return { ...sandbox, send, refresh };
}

t.test('a message is accepted and shown as its recipient sees it', async (test) => {
  const { send, messages } = await rig(test);
  const consultation = {
    text: 'Shipped\nOn its way',
    attachment: template({
      template_type: 'media',
      elements: [{ media_type: 'image', url: picture }],
      buttons: [button, { title: 'Ask', type: 'oa.query.show', payload: '#ask' }],
    }),
  };
  const reply = await send({ recipient, message: consultation });
  test.equal(reply.status, 200);
  test.match(reply.json, {
    error: 0,
    message: 'Success',
    data: { message_id: /^\d{19}$/, user_id: user },
  });
  const elements = [
    { type: 'banner', image_url: picture },
    { type: 'header', content: 'Sale', align: 'center' },
    { type: 'text', content: 'Today only' },
  ];
  const payload = { template_type: 'promotion', language: 'VI', elements, buttons: [button] };
  const promotion = { attachment: template(payload) };
  test.match((await send({ recipient, message: promotion }, 'promotion')).json, { error: 0 });
  const seen = { channel: 'zalo', look: 'chat', to: user, outcome: 'accepted', image: picture };
  test.match(await messages(), [
    { ...seen, title: 'Sale', text: 'Today only', buttons: [{ label: 'Go', url: shop }] },
    {
      ...seen,
      text: 'Shipped\nOn its way',
      buttons: [{ label: 'Go', url: shop }, { label: 'Ask' }],
    },
  ]);
});

t.test('what Zalo refuses is a 200 with a number, before any fault is played', async (test) => {
  const { send, messages } = await rig(test);
  const to = { user_id: '15005550007' };
  const text = 'Hi';
  const cs = (message: object) => ({ recipient: to, message });
  const buttons = (...list: object[]) => cs({ text, attachment: template({ buttons: list }) });
  const media = (element: object) =>
    cs({ text, attachment: template({ template_type: 'media', elements: [element] }) });
  const promo = (payload: object) => cs({ attachment: template(payload) });
  const element = (one: object) =>
    promo({ template_type: 'promotion', language: 'VI', elements: [one] });
  const refused: [why: string, body: unknown, error: number, kind?: string][] = [
    ['not JSON', '{', -201],
    ['no recipient', { message: { text } }, -201],
    ['a name for an id', { recipient: { user_id: 'ana' }, message: { text } }, -201],
    ['21 digits', { recipient: { user_id: '1'.repeat(21) }, message: { text } }, -201],
    ['an unknown member', { ...cs({ text }), notify: true }, -201],
    ['an unknown member of the recipient', { recipient: { ...to, a: 1 }, message: { text } }, -201],
    ['an unknown member of the message', cs({ text, title: 'x' }), -201],
    ['no text', cs({}), -201],
    ['text that is none', cs({ text: 7 }), -201],
    ['a long text', cs({ text: 'x'.repeat(2_001) }), -210],
    ['another attachment', cs({ text, attachment: { type: 'file', payload: {} } }), -201],
    ['an empty template', cs({ text, attachment: template({}) }), -201],
    ['no button', buttons(), -201],
    ['six buttons', buttons(button, button, button, button, button, button), -210],
    ['a button without a title', buttons({ ...button, title: '' }), -201],
    ['a long title', buttons({ ...button, title: 'x'.repeat(101) }), -210],
    ['an unknown button', buttons({ ...button, type: 'oa.open.app' }), -201],
    ["an app's link", buttons({ ...button, payload: { url: 'shop://a' } }), -201],
    ['an empty query', buttons({ title: 'A', type: 'oa.query.show', payload: '' }), -201],
    ['an unknown member of a button', buttons({ ...button, id: 'a' }), -201],
    ['a video', media({ media_type: 'video', url: picture }), -201],
    ['a picture without an address', media({ media_type: 'image' }), -201],
    ['a consultation as a promotion', cs({ text }), -201, 'promotion'],
    [
      'another language',
      promo({ template_type: 'promotion', language: 'FR', elements: [{}] }),
      -201,
      'promotion',
    ],
    [
      'nothing in it',
      promo({ template_type: 'promotion', language: 'VI', elements: [] }),
      -201,
      'promotion',
    ],
    ['a banner without a picture', element({ type: 'banner' }), -201, 'promotion'],
    ['an unknown element', element({ type: 'video' }), -201, 'promotion'],
    ['an empty text', element({ type: 'text', content: '' }), -201, 'promotion'],
    ['a long header', element({ type: 'header', content: 'x'.repeat(101) }), -210, 'promotion'],
    ['a long text', element({ type: 'text', content: 'x'.repeat(1_001) }), -210, 'promotion'],
    ['another alignment', element({ type: 'text', content: 'x', align: 'top' }), -201, 'promotion'],
  ];
  for (const [why, body, error, kind] of refused) {
    const reply = await send(body, kind);
    test.equal(reply.status, 200, why);
    test.equal(reply.json.error, error, why);
  }
  test.same(
    new Set((await messages('?limit=200')).map(({ outcome }) => outcome)),
    new Set(['refused']),
  );
  const longest = [
    await send({ recipient, message: { text: 'x'.repeat(2_000) } }),
    await send(
      { ...element({ type: 'header', content: 'x'.repeat(100) }), recipient },
      'promotion',
    ),
    await send(
      { ...element({ type: 'text', content: 'x'.repeat(1_000) }), recipient },
      'promotion',
    ),
  ];
  test.same(
    longest.map(({ json }) => json.error),
    [0, 0, 0],
  );
  test.equal((await send({}, 'broadcast')).status, 404);
});

t.test('each recipient of the test range gets what the table of faults says', async (test) => {
  const { send, messages } = await rig(test);
  const to = (last: string) =>
    send({ recipient: { user_id: `1500555${last}` }, message: { text: 'Hi' } });
  const expected: Record<string, number> = {
    '0001': -201,
    '0002': -213,
    '0003': -224,
    '0004': -244,
    '0005': -32,
    '0006': -214,
    '0007': -227,
    '0009': -230,
    '0010': -216,
    '0011': -218,
    '0012': -211,
    '0013': -234,
  };
  for (const [last, error] of Object.entries(expected)) {
    const reply = await to(last);
    test.equal(reply.status, 200, last);
    test.equal(reply.json.error, error, last);
  }
  test.equal((await to('0014')).status, 503);
  await test.rejects(to('0008'));
  const outcomes = (await messages()).map(({ outcome }) => outcome);
  test.same(outcomes, ['unanswered', ...Array(13).fill('refused')]);
});

t.test('a refresh token is good for one use, and so is the one that it gives', async (test) => {
  const { refresh, send, call } = await rig(test);
  const message = { recipient, message: { text: 'Hi' } };
  const first = await refresh('first');
  test.equal(first.expires_in, '90000');
  test.match(await refresh('first'), { error: -14014 });
  const second = await refresh(first.refresh_token);
  test.match(await refresh(first.refresh_token), { error: -14014 });
  test.not(second.access_token, first.access_token);
  for (const token of [first.access_token, second.access_token])
    test.equal((await send(message, 'cs', token)).json.error, 0);
  test.same((await call('GET', '/control/zalo-token')).json, {
    mode: 'ok',
    calls: 4,
    issued: 2,
    spent: 2,
  });
  const expired = second.access_token.split('.');
  for (const token of ['', 'other', expired.with(1, '9999999999').join('.')])
    test.equal((await send(message, 'cs', token)).json.error, -216, `the token ${token}`);

  await call('POST', '/control/zalo-token', { revoke: true });
  test.equal((await send(message, 'cs', second.access_token)).json.error, -216);
  const third = await refresh(second.refresh_token);
  test.equal((await send(message, 'cs', third.access_token)).json.error, 0, 'until refreshed');

  await call('POST', '/control/zalo-token', { mode: 'refuse' });
  test.match(await refresh('another'), { error: -14014 });
  test.equal((await call('POST', '/control/zalo-token', { mode: 'odd' })).status, 400);
  test.match((await call('DELETE', '/control/zalo-token')).json, {
    mode: 'ok',
    calls: 0,
    spent: 0,
  });
  test.ok((await refresh('first')).access_token, 'with none spent');
});

t.test('a refresh is refused as Zalo would refuse it', async (test) => {
  const { refresh, call } = await rig(test);
  const form = 'application/x-www-form-urlencoded';
  const good = { 'content-type': form, secret_key: 'secret' };
  test.match(await refresh('a', { 'content-type': form }), { error: -14004 }, 'no secret');
  test.match(await refresh('a', { secret_key: 'secret' }), { error: -14001 }, 'no form');
  test.match(await refresh('revoked-1'), { error: -14014 });
  test.match(await refresh(''), { error: -14014 });
  const path = '/zalo-oauth/v4/oa/access_token';
  const other = async (body: string) => (await call('POST', path, body, good)).json;
  test.match(await other('grant_type=authorization_code&app_id=12345'), { error: -14005 });
  test.match(await other('grant_type=refresh_token&app_id=x'), { error: -14002 });
  test.equal((await call('GET', path)).status, 404);
  test.ok((await refresh('a')).access_token, 'none of them spent it');
});

t.test('an answer that is lost has spent the token', async (test) => {
  const { refresh, call } = await rig(test);
  await call('POST', '/control/faults', { channel: 'zalo-token', fault: 'drop', count: 1 });
  await test.rejects(refresh('first'));
  test.match(await refresh('first'), { error: -14014 });
});

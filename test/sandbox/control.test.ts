// The control routes as a test, a person with curl, or the inbox page uses them.

import t, { type Test } from 'tap';
import { newId } from '../../engine/base/id.ts';
import { seededRng } from '../../engine/base/rng.ts';
import { type Rig, withSandbox } from './with-sandbox.ts';

const rng = seededRng(1);
const sendOf = (app: number) => newId('ntf', app, 1_700_000_000_000, rng);

async function rig(
  test: Test,
): Promise<Rig & { push(token: string, title: string, data?: object): Promise<number> }> {
  const sandbox = await withSandbox(test);
  return {
    ...sandbox,
    push: async (token, title, data = {}) =>
      (
        await sandbox.call(
          'POST',
          '/fcm/v1/projects/p/messages:send',
          { message: { token, notification: { title }, data } },
          { authorization: 'Bearer sandbox' },
        )
      ).status,
  };
}

t.test('search finds by recipient, text, send, app and channel', async (test) => {
  const { push, messages } = await rig(test);
  const ofSeven = sendOf(7);
  const appSeven = newId('app', 7, 1_700_000_000_000, rng);
  await push('ada', 'Summer Sale', { engageSendId: ofSeven });
  await push('bob', 'Your order', { engageSendId: sendOf(8), note: 'hidden word' });
  await push('dead-eve', 'Your sale');
  const found = async (query: string) => (await messages(query)).map(({ to }) => to);
  test.same(await found(''), ['dead-eve', 'bob', 'ada'], 'newest first');
  test.same(await found('?q=sale'), ['dead-eve', 'ada']);
  test.same(await found('?q=sale+summer'), ['ada'], 'every word');
  test.same(await found('?q=hidden'), ['bob'], 'what the app receives');
  test.same(await found('?to=BO'), ['bob']);
  test.same(await found(`?sendId=${ofSeven}`), ['ada']);
  test.same(await found(`?app=${appSeven}`), ['ada']);
  test.same(await found('?app=8'), ['bob']);
  test.same(await found(`?app=${sendOf(7)}`), ['ada'], 'another send of the app');
  test.same(await found(`?q=${appSeven}`), ['ada'], 'a pasted app id');
  test.same(await found('?channel=email'), []);
  test.same(await found('?limit=1'), ['dead-eve']);
  test.same(await found('?beforeId=2'), ['ada']);
});

t.test('a bad question is refused by name', async (test) => {
  const { call } = await rig(test);
  const refused: [
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body: object | string | undefined,
    status: number,
    error: RegExp,
  ][] = [
    ['GET', '/control/messages?limit=501', undefined, 400, /^limit: /],
    ['GET', '/control/messages/99', undefined, 404, /no such message/],
    ['POST', '/control/faults', { fault: 'explode' }, 400, /^fault: /],
    ['POST', '/control/faults', { fault: 'status' }, 400, /^value: /],
    ['POST', '/control/faults', { fault: 'hang', extra: 1 }, 400, /extra/],
    ['POST', '/control/faults', '{', 400, /JSON/],
    ['POST', '/control/record', {}, 400, /^on: /],
    ['DELETE', '/control/faults/7', undefined, 404, /no such rule/],
    ['POST', '/control/stats', {}, 405, /not allowed/],
    ['GET', '/control/nothing', undefined, 404, /GET \/control/],
  ];
  for (const [method, path, body, status, error] of refused) {
    const reply = await call(method, path, body);
    test.equal(reply.status, status, `${method} ${path}`);
    test.match(reply.json.error, error);
  }
});

t.test('a rule is added, listed with its hits, played and removed', async (test) => {
  const { call, push } = await rig(test);
  const added = await call('POST', '/control/faults', {
    channel: 'fcm',
    match: 'ada',
    fault: 'status',
    value: 500,
  });
  test.equal(added.status, 201);
  test.equal(await push('ada', 'x'), 500);
  test.equal(await push('bob', 'x'), 200);
  test.match((await call('GET', '/control/faults')).json.faults, [{ match: 'ada', hits: 1 }]);
  test.equal((await call('DELETE', `/control/faults/${added.json.id}`)).status, 200);
  test.equal(await push('ada', 'x'), 200);
});

t.test('latency delays, and a reset takes everything back', async (test) => {
  const { call, push, messages } = await rig(test);
  await call('POST', '/control/faults', { fault: 'latency', value: 30 });
  const started = performance.now();
  test.equal(await push('ada', 'x'), 200);
  test.ok(performance.now() - started >= 29);
  await call('POST', '/control/record', { on: false });
  await call('POST', '/control/reset');
  test.same(await messages(), []);
  test.match((await call('GET', '/control/stats')).json, {
    recording: true,
    held: 0,
    channels: {},
  });
  test.same((await call('GET', '/control/faults')).json.faults, []);
});

t.test('stats count what each device of a send was told', async (test) => {
  const { call, push } = await rig(test);
  const ids = { engageSendId: 'ntf_1', engageDeviceId: 'dev_1' };
  await push('busy-1', 'x', ids);
  await push('ada', 'x', ids);
  await push('ada', 'x', ids);
  const { json } = await call('GET', '/control/stats?sendId=ntf_1');
  test.same(json.devices, [
    { sendId: 'ntf_1', deviceId: 'dev_1', calls: 3, accepted: 2, refused: 1, unanswered: 0 },
  ]);
  test.match((await call('GET', '/control/stats')).json.sends, { pairs: 1, acceptedAgain: 1 });
});

t.test('the list of routes and the names of each channel are told', async (test) => {
  const { call } = await rig(test);
  const { routes } = (await call('GET', '/control')).json;
  for (const path of [
    '/control/messages',
    '/control/google-token',
    '/control/webpush/subscriptions',
    '/control/whatsapp/templates',
    '/control/kakao/templates',
  ]) {
    test.ok(
      routes.some((route: { path: string }) => route.path === path),
      path,
    );
  }
  const { channels } = (await call('GET', '/control/channels')).json;
  test.same(
    channels.map(({ channel }: { channel: string }) => channel),
    [
      'fcm',
      'apns',
      'webpush',
      'email',
      'sms',
      'voice',
      'gateway',
      'whatsapp',
      'telegram',
      'rcs',
      'line',
      'zalo',
      'viber',
      'kakao',
      'google-token',
      'zalo-token',
    'mail-token',
      'stripe',
    ],
  );
  test.ok(channels[0].faults.some(({ prefix }: { prefix: string }) => prefix === 'dead'));
});

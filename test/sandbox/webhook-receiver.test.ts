// The sandbox's receiver of webhooks: it meets the calls that Engage makes, says what it makes of
// their signatures, and answers as chosen.

import t from 'tap';
import { systemClock } from '../../engine/time/clock.ts';
import { makeWebhookSecret } from '../../http/call/keys/webhook-secret.ts';
import { aCaller, anAttempt } from '../actors/integrations/webhooks/call/receivers.ts';
import { withSandbox } from './with-sandbox.ts';

type Attempt = Parameters<typeof anAttempt>[0];

async function rig(t: Parameters<typeof withSandbox>[0]) {
  const sandbox = await withSandbox(t);
  const call = aCaller(t, { timeoutMs: 60_000 });
  const impatient = aCaller(t);
  const attemptAt = (path: string, over: Partial<Attempt> = {}) =>
    anAttempt({ url: `${sandbox.url}/receiver${path}`, atMs: systemClock.now(), ...over });
  const state = async () => (await sandbox.call('GET', '/control/webhooks')).json;
  return {
    sandbox,
    deliver: (over?: Partial<Attempt>, path = '') => call(attemptAt(path, over)),
    hang: () => impatient(attemptAt('/hang')),
    state,
    newest: async () => (await state()).deliveries[0],
    set: (settings: object) => sandbox.call('POST', '/control/webhooks', settings),
  };
}

t.test(
  'a delivery is shown whole, and its signature is judged with the pasted secret',
  async (t) => {
    const { deliver, newest, set } = await rig(t);
    const secret = makeWebhookSecret();
    t.match(await deliver({ secrets: [secret] }), { status: 200, error: undefined, answer: 'ok' });
    t.match(await newest(), {
      event: 'message.delivered',
      deliveryId: 'whd_00000000000000000000000001',
      attempt: 1,
      answer: '200',
      path: '',
      body: '{"id":"whd_00000000000000000000000001","type":"message.delivered"}',
      signature: { verdict: 'unknown' },
    });
    const { headers } = await newest();
    t.ok(headers.some(([name]: [string]) => name === 'webhook-signature'));
    await set({ secrets: [makeWebhookSecret(), secret] });
    t.match((await newest()).signature, { verdict: 'right' });
    await set({ secrets: [makeWebhookSecret()] });
    t.match((await newest()).signature, { verdict: 'wrong' });
  },
);

t.test('each way to sign is judged', async (t) => {
  const { deliver, newest, set } = await rig(t);
  const secret = makeWebhookSecret();
  const own = 'a-secret-of-the-receiver';
  await set({ secrets: [secret, own] });
  for (const [over, verdict] of [
    [{ secrets: [secret] }, 'right'],
    [{ secrets: [own] }, 'right'],
    [{ secrets: [secret, makeWebhookSecret()] }, 'right'],
    [{ type: 'legacy', secrets: [own] }, 'right'],
    [{ type: 'legacy', secrets: ['another'] }, 'wrong'],
    [{ type: 'legacy', secrets: [] }, 'unsigned'],
    [{ type: 'slack', secrets: [] }, 'unsigned'],
    [{ secrets: [secret], atMs: systemClock.now() - 360_000 }, 'wrong'],
    [{ secrets: [makeWebhookSecret(), secret] }, 'wrong'],
  ] as [Partial<Attempt>, string][]) {
    await deliver(over);
    t.equal((await newest()).signature.verdict, verdict, JSON.stringify(over));
  }
});

t.test('it answers as chosen, and at some URLs always the same', async (t) => {
  const { deliver, hang, newest, set, state } = await rig(t);
  for (const answer of ['410', '500', '200']) {
    await set({ answer });
    t.match(await deliver(), { status: Number(answer) });
    t.equal((await state()).answer, answer);
  }
  t.match(await deliver({}, '/gone'), { status: 410, error: 'status' });
  t.match(await deliver({}, '/broken'), { status: 500, error: 'status' });
  t.match(await hang(), { status: undefined, error: 'timeout' });
  t.match(await newest(), { answer: 'hang', path: '/hang', attempt: 6 });
});

t.test('settings are judged, deliveries can be cleared, and a reset ends both', async (t) => {
  const { sandbox, deliver, state, set } = await rig(t);
  t.match(await set({ answer: '418' }), { status: 400, json: { error: /^answer: / } });
  t.match(await set({ secrets: Array(11).fill('x') }), { status: 400 });
  await set({ answer: '500', secrets: ['something'] });
  await deliver();
  t.equal((await state()).deliveries.length, 1);
  t.notMatch(JSON.stringify(await state()), 'something', 'a secret is not shown again');
  await sandbox.call('DELETE', '/control/webhooks');
  t.match(await state(), { deliveries: [], answer: '500', secrets: 1 });
  await deliver();
  await sandbox.call('POST', '/control/reset');
  t.match(await state(), { deliveries: [], answer: '200', secrets: 0 });
});

t.test('only the newest two hundred are kept, and a huge body is refused', async (t) => {
  const { deliver, state } = await rig(t);
  for (let i = 0; i < 210; i++) await deliver({ deliveryId: `whd_${i}` });
  const { deliveries } = await state();
  t.equal(deliveries.length, 200);
  t.equal(deliveries[0].deliveryId, 'whd_209');
  t.match(await deliver({ body: Buffer.alloc(300_000, 'x') }), { status: 413 });
});

t.test('an open page hears of deliveries', async (t) => {
  const { sandbox, deliver } = await rig(t);
  const response = await fetch(`${sandbox.url}/control/events`);
  const reader = response.body?.getReader();
  let text = '';
  const until = async (mark: string) => {
    while (!text.includes(mark))
      text += Buffer.from((await reader?.read())?.value ?? []).toString();
  };
  await until('event: ready');
  await deliver();
  await until('event: webhooks');
  await reader?.cancel();
  t.pass('told');
});

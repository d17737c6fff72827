// What providers answer, and what becomes of each person then: in the funnel, in the events, in the
// dead letters.

import { createECDH } from 'node:crypto';
import t from 'tap';
import type { Attempt } from '../../../../actors/channels/port/attempt.ts';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { dayMs, hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { accept, endpointOf, Scene } from './scene.ts';

/** Two people: what is tried with the first ends so, the other is always reached. */
async function withOutcome(outcome: Outcome, channel: 'fcm' | 'email' | 'sms' = 'fcm') {
  const scene = await Scene.open({ available: ['fcm', 'email', 'sms'] });
  await scene.people(2, [channel]);
  const first = endpointOf('user-0', channel);
  scene.answers = ({ endpoint }) => (endpoint === first ? outcome : { outcome: 'accepted' });
  const { id } = await scene.sentCampaign({ channels: [channel] });
  const triesOf = (who: string) => scene.reached().filter((one) => one === who).length;
  return { scene, id, triesOf };
}

t.test('what ends at once ends the same in the funnel and in the events', async (t) => {
  const cases = [
    [{ outcome: 'dead', reason: 'unregistered' }, 'bounced', 'unregistered'],
    [{ outcome: 'opted_out', reason: 'stop' }, 'bounced', 'stop'],
    [{ outcome: 'permanent', reason: 'rejected', detail: 'no' }, 'bounced', 'rejected'],
    [{ outcome: 'permanent', reason: 'invalid_content' }, 'suppressed', 'invalid_content'],
  ] as const;
  for (const [outcome, name, reason] of cases) {
    const { scene, id, triesOf } = await withOutcome(outcome, 'email');
    const stats = await scene.stats(id);
    const isSent = name === 'bounced';
    t.match(stats, { state: 'completed', delivered: 1, [name]: 1, sent: isSent ? 2 : 1 }, reason);
    t.match(stats.byChannel.email, { delivered: 1, [name]: 1, sent: isSent ? 2 : 1 }, reason);
    t.equal(triesOf('user-0'), 1);
    const [event] = scene.events(name);
    t.match(event, { person: 0, channel: 'email', campaignId: id, meta: { reason } });
    t.ok(event?.sendId?.startsWith('ntf_') && event.deviceId?.startsWith('dev_'));
    t.notOk(scene.firstGap());
  }
});

t.test('a dead device is disabled, and an opt-out is on record', async (t) => {
  const dead = await withOutcome({ outcome: 'dead', reason: 'unregistered' });
  const view = await dead.scene.one.value(dead.scene.app, 'subscriber.read', {
    ref: { externalUserId: 'user-0' },
  });
  t.match(view.devices, [{ enabled: false, disabledReason: 'unregistered' }]);
  const out = await withOutcome({ outcome: 'opted_out', reason: 'stop' }, 'email');
  const list = await out.scene.one.value(out.scene.app, 'suppression.list', { limit: 10 });
  t.match(list.items, [{ reason: 'stop', source: 'callback' }]);
  for (const { scene } of [dead, out]) {
    scene.sent.length = 0;
    await scene.sentCampaign({ channels: [scene === dead.scene ? 'fcm' : 'email'] });
    t.same(scene.reached(), ['user-1'], 'the next campaign leaves them out');
  }
});

t.test('what a provider could not take now is tried again, and lands', async (t) => {
  for (const outcome of ['retry', 'rate', 'config', 'ambiguous'] as const) {
    const { scene, id, triesOf } = await withOutcome({ outcome, reason: 'later' } as Outcome);
    t.match(await scene.stats(id), { state: 'sending', sent: 2, delivered: 1 }, outcome);
    scene.answers = accept;
    await scene.crash();
    for (let minute = 0; minute < 120; minute++) await scene.advance(minuteMs);
    t.equal(triesOf('user-0'), 2, outcome);
    const expected = {
      state: 'completed',
      sent: 2,
      delivered: 2,
      failed: 0,
      devices: { sent: 2, delivered: 2 },
    };
    t.match(await scene.stats(id), expected, outcome);
    const sends = scene.sent.filter(({ endpoint }) => endpoint === endpointOf('user-0', 'fcm'));
    t.equal(new Set(sends.map(({ sendId }) => sendId)).size, 1, 'under the same id');
    t.notOk(scene.firstGap());
  }
});

t.test('a rate is no attempt, however often it is answered', async (t) => {
  const { scene, id, triesOf } = await withOutcome({
    outcome: 'rate',
    reason: 'slow_down',
    retryAfterMs: 1_000,
  });
  for (let minute = 0; minute < 20; minute++) await scene.advance(minuteMs);
  t.ok(triesOf('user-0') > 8, `${triesOf('user-0')} tries`);
  scene.answers = accept;
  for (let minute = 0; minute < 20; minute++) await scene.advance(minuteMs);
  t.match(await scene.stats(id), { state: 'completed', delivered: 2, failed: 0 });
  t.equal(scene.events('delivered').find(({ person }) => person === 0)?.meta['attempts'], 1);
});

t.test(
  'a day of tries fails into a dead letter of the campaign, and a redrive lands it',
  async (t) => {
    const { scene, id, triesOf } = await withOutcome({
      outcome: 'retry',
      reason: 'http_503',
      detail: 'down',
    });
    for (let hour = 0; hour < 50; hour++) await scene.advance(hourMs / 2);
    const tries = triesOf('user-0');
    t.ok(tries > 40, `${tries} tries: every half an hour, as the clock moves`);
    const attempts = 11; // later ones probed an open circuit
    t.match(await scene.stats(id), {
      state: 'completed',
      sent: 2,
      delivered: 1,
      failed: 1,
      devices: { failed: 1 },
    });
    t.match(scene.events('failed'), [
      { person: 0, campaignId: id, meta: { reason: 'http_503', attempts } },
    ]);
    const { items } = await scene.one.value(scene.app, 'dead_letter.list', {
      lane: 'campaign',
      limit: 10,
    });
    t.match(items, [{ lane: 'campaign', reason: 'http_503', attempts, channel: 'fcm' }]);
    t.equal(items.length, 1);
    await scene.one.value(scene.app, 'dead_letter.redrive', { all: true });
    await scene.run();
    for (let hour = 0; hour < 50; hour++) await scene.advance(hourMs / 2);
    t.match(
      await scene.stats(id),
      { delivered: 1, failed: 1, devices: { failed: 1 } },
      'it failed again',
    );
    scene.answers = accept;
    await scene.one.value(scene.app, 'dead_letter.redrive', { all: true });
    await scene.run();
    await scene.crash();
    t.match(await scene.stats(id), {
      state: 'completed',
      sent: 2,
      delivered: 2,
      failed: 0,
      devices: { sent: 2, delivered: 2, failed: 0 },
      byChannel: { fcm: { sent: 2, delivered: 2, failed: 0 } },
    });
    t.notOk(scene.firstGap());
  },
);

t.test(
  'where a second copy would be paid for, an unknown outcome is not tried again',
  async (t) => {
    const { scene, id, triesOf } = await withOutcome(
      { outcome: 'ambiguous', reason: 'timeout' },
      'sms',
    );
    await scene.advance(dayMs);
    t.equal(triesOf('user-0'), 1);
    t.match(await scene.stats(id), { state: 'completed', sent: 2, delivered: 1, failed: 1 });
    t.match(scene.events('failed'), [{ person: 0, meta: { reason: 'unknown_outcome' } }]);
  },
);

t.test(
  'a person of several devices is delivered if one got it, and bounced if only others did',
  async (t) => {
    const scene = await Scene.open();
    await scene.person('mixed', ['fcm', 'fcm', 'fcm']);
    await scene.person('none', ['fcm', 'fcm']);
    scene.answers = ({ endpoint }) =>
      endpoint === endpointOf('mixed', 'fcm', '-1')
        ? { outcome: 'accepted' }
        : endpoint === endpointOf('mixed', 'fcm')
          ? { outcome: 'permanent', reason: 'invalid_content' }
          : { outcome: 'dead', reason: 'unregistered' };
    const { id } = await scene.sentCampaign();
    t.match(await scene.stats(id), {
      state: 'completed',
      sent: 2,
      delivered: 1,
      bounced: 1,
      suppressed: 0,
      devices: { sent: 4, delivered: 1, bounced: 3 },
    });
  },
);

t.test(
  'what is suppressed on one channel while the other is under way is not suppressed',
  async (t) => {
    const scene = await Scene.open();
    await scene.person('both', ['fcm', 'email']);
    scene.answers = ({ channel }) =>
      channel === 'email' ? { outcome: 'permanent', reason: 'invalid_content' } : undefined;
    const { id } = await scene.sentCampaign({ channels: ['fcm', 'email'] });
    t.match(await scene.stats(id), { state: 'sending', sent: 1, suppressed: 0 });
    scene.answers = accept;
    await scene.crash();
    await scene.advance(hourMs);
    const stats = await scene.stats(id);
    t.match(stats, { state: 'completed', sent: 1, delivered: 1, suppressed: 0 });
    t.same(stats.suppressedBy, {});
  },
);

t.test('rows that dispatch gives back are sent, and counted once', async (t) => {
  const scene = await Scene.withPeople(200);
  scene.answers = () => undefined;
  const { id } = await scene.sentCampaign();
  const called = new Set(scene.calls());
  scene.answers = accept;
  for (let round = 0; round < 30; round++) await scene.handBack(); // most calls are never answered
  const stats = await scene.stats(id);
  t.equal(stats.sent, 200);
  t.equal(stats.delivered, 200 - called.size, 'all but those that are never answered');
  t.equal(scene.calls().length, new Set(scene.calls()).size, 'no second call');
});

t.test(
  'a campaign goes on when the provider takes the credential again, whatever became of the first',
  async (t) => {
    const scene = await Scene.withPeople(200);
    scene.answers = () => ({ outcome: 'config', reason: 'invalid_credential' });
    const { id } = await scene.sentCampaign();
    const waiting = (await scene.stats(id)).progress?.waitingFor;
    t.match(waiting, { reason: 'provider_refuses' });
    for (let hour = 0; hour < 160; hour++) await scene.advance(hourMs / 2);
    t.ok((await scene.stats(id)).failed >= 64, 'those of the first window have failed');
    t.ok(scene.sent.length < 700, `${scene.sent.length} calls: it is tried now and then`);
    scene.answers = accept;
    for (let hour = 0; hour < 10; hour++) await scene.advance(hourMs / 2);
    const stats = await scene.stats(id);
    t.match(stats, { state: 'completed', sent: 200 });
    t.equal(stats.delivered + stats.failed, 200);
    t.ok(stats.delivered > 100);
  },
);

t.test('a credential that does not open holds a campaign, which says so and goes on', async (t) => {
  const scene = await Scene.open({ masterKeys: [new Uint8Array(32).fill(7)] });
  await scene.people(100);
  const put = () =>
    scene.one.value(scene.app, 'credential.put', {
      channel: 'fcm',
      credential: { type: 'service_account' },
      fingerprint: 'f',
    } as never);
  await put();
  const { id } = await scene.campaign();
  await scene.crash({ masterKeys: [new Uint8Array(32).fill(8)] });
  await scene.send(id);
  t.equal(scene.sent.length, 0);
  t.match((await scene.stats(id)).progress?.waitingFor, { reason: 'provider_refuses' });
  await scene.one.advance(1_000);
  await put();
  for (let hour = 0; hour < 10; hour++) await scene.advance(hourMs / 2);
  t.match(await scene.stats(id), { state: 'completed', delivered: 100 });
});

t.test('a report that comes twice, and one of rows that are gone, change nothing', async (t) => {
  const scene = await Scene.withPeople(3);
  const release = scene.hold();
  const { id } = await scene.sentCampaign();
  for (const who of ['user-0', 'user-1', 'user-2'])
    await scene.one.value(scene.app, 'subscriber.erase', { ref: { externalUserId: who } });
  await release();
  t.match(await scene.stats(id), { state: 'completed', delivered: 0 });
  t.same(scene.events('delivered'), []);
  t.ok(scene.isMemoryOfLog());
});

t.test('a report of nothing that is in flight is decided without a trace', async (t) => {
  const scene = await Scene.withPeople(2);
  const release = scene.hold();
  const { id } = await scene.sentCampaign();
  const [wave] = [...scene.state.sending.waves.keys()];
  const nobody = {
    people: Uint32Array.of(77),
    codes: Uint8Array.of(0),
    devices: new Uint8Array(16),
  };
  const outcomes = [{ outcome: 'retry', reason: 'http_503' }];
  const before = JSON.stringify(scene.one.partition.snapshot());
  for (const channel of ['fcm', 'email'])
    await scene.one.ask(
      scene.app,
      'dispatch.wave_report' as never,
      {
        ...{ channel, wave, outcomes, ...nobody },
      } as never,
    );
  await scene.one.ask(scene.app, 'dispatch.report', {
    channel: 'webpush',
    reports: [
      { sendId: 'ntf_00000000000000000000000000', target: 0, attempt: 1, outcome: undefined },
    ],
  });
  t.equal(JSON.stringify(scene.one.partition.snapshot()), before);
  await release();
  t.match(await scene.stats(id), { state: 'completed', delivered: 2 });
  t.ok(scene.isMemoryOfLog());
});

t.test('a push service that is down holds up no other', async (t) => {
  const scene = await Scene.open();
  const keys = createECDH('prime256v1').generateKeys('base64url');
  const subscription = (host: string, n: number) => ({
    endpoint: `https://${host}.example/${n}`,
    keys: { p256dh: keys, auth: Buffer.alloc(16).toString('base64url') },
  });
  const people = Array.from({ length: 600 }, (_, n) => {
    const endpoint = subscription(n % 2 === 0 ? 'down' : 'well', n);
    return [`user-${n}`, [], { devices: [{ channel: 'webpush', endpoint }] }] as const;
  });
  await scene.import(people);
  const isDown = ({ endpoint }: Attempt) =>
    (endpoint as { endpoint: string }).endpoint.startsWith('https://down');
  scene.answers = (attempt) =>
    isDown(attempt) ? { outcome: 'retry', reason: 'timeout' } : { outcome: 'accepted' };
  const { id } = await scene.sentCampaign({ channels: ['webpush'] });
  await scene.advance(1_000);
  const reached = (down: boolean) => scene.sent.filter((one) => isDown(one) === down).length;
  t.equal(reached(false), 300);
  t.ok(reached(true) < 150, `${reached(true)} calls to the service that is down`);
  scene.answers = accept;
  for (let minute = 0; minute < 10; minute++) await scene.advance(60_000);
  t.match(await scene.stats(id), { state: 'completed', delivered: 600 });
  t.ok(scene.isMemoryOfLog());
});

// A campaign whose emails bounce, are reported as spam or are refused because of their sender
// pauses itself: at which figures, with what is late, after a crash and after a resume.

import fc from 'fast-check';
import t from 'tap';
import { markOfDevice } from '../../../../actors/channels/email/return-path.ts';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { Guard } from '../../../../actors/programs/campaigns/guard.ts';
import { guardDefaults } from '../../../../actors/tenants/accounts/campaign-guard.ts';
import { tries } from '../../../support/tries.ts';
import { type Answers, Scene } from './scene.ts';

const dead: Outcome = { outcome: 'dead', reason: 'mailbox_not_found' };
const refused: Outcome = { outcome: 'permanent', reason: 'sender_not_authenticated' };

/** Every so manieth call ends so. */
function everyNth(n: number, outcome: Outcome): Answers {
  let calls = 0;
  return () => (++calls % n === 0 ? outcome : { outcome: 'accepted' });
}

t.test('bounces above a fifth pause it, and a resume counts anew', async (t) => {
  const scene = await withMail(2_000);
  scene.answers = everyNth(4, dead);
  const { id } = await scene.sentCampaign({ channels: ['email'] });
  const stats = await scene.stats(id);
  t.match(stats, { state: 'paused', stateReason: 'guard_bounces' });
  t.ok(stats.sent >= 100 && stats.sent < 2_000, `${stats.sent} of 2,000 were sent`);
  t.match(stats.progress?.waitingFor, { reason: 'paused', text: /emails bounced; remove/ });
  await scene.crash();
  t.match(await scene.stats(id), { state: 'paused', stateReason: 'guard_bounces' });
  scene.answers = everyNth(10, dead);
  t.match(await scene.verb('resume', id), { state: 'sending', stateReason: undefined });
  t.match(await scene.stats(id), { state: 'completed', sent: 2_000 });
});

t.test('a resume into the same list stops again after a window of its own', async (t) => {
  const scene = await withMail(3_000);
  scene.answers = everyNth(3, dead);
  const { id } = await scene.sentCampaign({ channels: ['email'] });
  const { sent } = await scene.stats(id);
  await scene.verb('resume', id);
  const again = await scene.stats(id);
  t.match(again, { state: 'paused', stateReason: 'guard_bounces' });
  t.ok(again.sent >= sent + 100, 'at least a hundred calls more');
});

t.test('a fifth is not above a fifth, and before a hundred calls nothing is judged', async (t) => {
  const scene = await withMail(500);
  scene.answers = everyNth(5, dead);
  const fifth = await scene.campaign({ channels: ['email'] });
  await scene.send(fifth.id);
  t.match(await scene.stats(fifth.id), { state: 'completed', bounced: 100 });
  const few = await withMail(99);
  few.answers = () => dead;
  const { id } = await few.sentCampaign({ channels: ['email'] });
  t.match(await few.stats(id), { state: 'completed', bounced: 99 });
});

t.test('fifty refusals of the sender in a row pause it', async (t) => {
  const scene = await withMail(2_000);
  scene.answers = () => refused;
  const { id } = await scene.sentCampaign({ channels: ['email'] });
  const stats = await scene.stats(id);
  t.match(stats, { state: 'paused', stateReason: 'guard_sender_refused' });
  t.match(stats.progress?.waitingFor?.text, /because of their sender; fix SPF, DKIM and DMARC/);
  t.ok(stats.sent < 2_000);
});

t.test('a large campaign whose sender is refused pauses within a thousand calls', async (t) => {
  const people = tries(50_000);
  for (const threads of [1, 3]) {
    const scene = await withMail(people, threads);
    scene.answers = () => refused;
    const { id } = await scene.sentCampaign({ channels: ['email'] });
    t.match(await scene.stats(id), { state: 'paused', stateReason: 'guard_sender_refused' });
    const calls = scene.sent.length;
    t.ok(calls >= 50 && calls <= 1_000, `${calls} calls by ${threads} threads`);
    await scene.crash();
    await scene.advance(3_600_000);
    t.match(await scene.stats(id), { state: 'paused' });
    t.equal(scene.sent.length, calls, 'none while it is paused');
  }
});

t.test('bounces that come late count, also after a kill', async (t) => {
  const scene = await withMail(600);
  const { id } = await scene.sentCampaign({ channels: ['email'], throttle: { perMinute: 1_200 } });
  for (let i = 0; i < 10; i++) await scene.advance(1_000);
  const { sent } = await scene.stats(id);
  t.ok(sent >= 100 && sent < 600, `${sent} were sent`);
  const needed = Math.floor(sent / 5) + 1;
  for (const one of scene.sent.slice(0, needed - 1)) await news(scene, one, 'failed');
  t.match(await scene.stats(id), { state: 'sending' });
  await scene.crash();
  await news(scene, scene.sent[needed - 1], 'failed');
  t.match(await scene.stats(id), { state: 'paused', stateReason: 'guard_bounces' });
  await scene.verb('resume', id);
  for (const one of scene.sent.slice(needed, needed + 40)) await news(scene, one, 'failed');
  t.match(await scene.stats(id), { state: 'sending' }, 'old sends stop it no more');
});

t.test('spam reports above 0.3 % of a thousand deliveries pause it', async (t) => {
  const scene = await withMail(1_400);
  const { id } = await scene.sentCampaign({ channels: ['email'], throttle: { perMinute: 6_000 } });
  for (let i = 0; i < 10; i++) await scene.advance(1_000);
  t.match(await scene.stats(id), { state: 'sending' });
  for (const one of scene.sent.slice(0, 3)) await news(scene, one, 'complained');
  t.match(await scene.stats(id), { state: 'sending', complained: 3 });
  await news(scene, scene.sent[0], 'complained'); // told twice
  t.match(await scene.stats(id), { state: 'sending', complained: 3 });
  await news(scene, scene.sent[3], 'complained');
  const stats = await scene.stats(id);
  t.match(stats, { state: 'paused', stateReason: 'guard_complaints', complained: 4 });
});

t.test('the guard is off, or another one, by app and by campaign', async (t) => {
  const states = async (own: object | null | undefined, ofApp: object | null | undefined) => {
    const scene = await withMail(400);
    scene.answers = everyNth(2, dead);
    if (ofApp !== undefined) await scene.settings({ campaignGuard: ofApp });
    const guard = own === undefined ? {} : { guard: own };
    const { id } = await scene.sentCampaign({ channels: ['email'], ...guard });
    return (await scene.stats(id)).state;
  };
  t.equal(await states(undefined, undefined), 'paused');
  t.equal(await states(null, undefined), 'completed');
  t.equal(await states(undefined, null), 'completed');
  t.equal(await states({}, null), 'completed', 'as the app');
  t.equal(await states({ bounceShare: 0.2 }, null), 'paused', 'a guard of its own');
  t.equal(await states({ bounceShare: null }, undefined), 'completed');
  t.equal(await states(undefined, { bounceShare: 0.6 }), 'completed');
  t.equal(await states({ bounceShare: 0.1 }, { bounceShare: 0.6 }), 'paused');
});

t.test('the guard may be turned off while it has stopped the campaign', async (t) => {
  const scene = await withMail(1_000);
  scene.answers = everyNth(2, dead);
  const { id } = await scene.sentCampaign({ channels: ['email'] });
  const change = { input: { guard: null }, removed: [] };
  await scene.one.value(scene.app, 'campaign.update', { id, change });
  await scene.verb('resume', id);
  t.match(await scene.stats(id), { state: 'completed', sent: 1_000 });
});

t.test('dead push tokens and numbers do not pause a campaign', async (t) => {
  const scene = await Scene.open({ available: ['fcm', 'sms'] });
  await scene.people(300, ['fcm', 'sms']);
  scene.answers = () => dead;
  for (const channel of ['fcm', 'sms'] as const) {
    const { id } = await scene.sentCampaign({ channels: [channel] });
    t.match(await scene.stats(id), { state: 'completed', bounced: 300 });
  }
});

t.test('what the window says is a recount, in any order and over checkpoints', (t) => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ does: fc.constant('good' as const) }) },
    fc.record({ does: fc.constantFrom('bounce', 'refusal', 'late', 'complaint', 'restore') }),
    { weight: 1, arbitrary: fc.record({ does: fc.constant('many' as const) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let guard = new Guard();
      let calls: number[] = [];
      let deliveries: number[] = [];
      let person = 0;
      const turn = (of: number[]) => {
        const place = of.lastIndexOf(0);
        if (place >= 0) of[place] = 1;
      };
      const call = (status: 'delivered' | 'bounced', reason?: string) => {
        guard.ended('email', person++, status, reason);
        calls.push(status === 'delivered' ? 0 : 1);
        if (status === 'delivered') deliveries.push(0);
        calls = calls.slice(-1_000);
        deliveries = deliveries.slice(-1_000);
      };
      for (const { does } of steps)
        if (does === 'good') call('delivered');
        else if (does === 'many') for (let i = 0; i < 700; i++) call('delivered');
        else if (does === 'bounce') call('bounced', 'mailbox_not_found');
        else if (does === 'refusal') call('bounced', 'sender_blocked');
        else if (does === 'late') {
          guard.bouncedLate('email', 0, 'mailbox_not_found');
          turn(calls);
        } else if (does === 'complaint') {
          guard.complained(0);
          turn(deliveries);
        } else guard = Guard.restore(structuredClone(guard.snapshot()));
      const bad = (of: readonly number[]) => of.filter((one) => one !== 0).length;
      const always = { bounceShare: 1e-9, bouncesAfterCalls: 1, senderRefusalsInARow: null };
      const found = guard.against({ ...guardDefaults, ...always, complaintShare: null });
      if ((found?.count ?? 0) !== bad(calls)) throw new Error(`${found?.count}, ${bad(calls)}`);
      const reports = guard.against({
        ...guardDefaults,
        ...{ bounceShare: null, senderRefusalsInARow: null },
        ...{ complaintShare: 1e-9, complaintsAfterDeliveries: 1 },
      });
      if ((reports?.count ?? 0) !== bad(deliveries)) throw new Error(`${reports?.count} reports`);
    }),
    { numRuns: tries(300) },
  );
  t.end();
});

/** An app that sends emails to so many people. */
async function withMail(people: number, threads = 1): Promise<Scene> {
  const scene = await Scene.open({
    available: ['email', 'fcm', 'sms'],
    threads: { dispatchers: threads, campaignDispatchers: threads },
  });
  await scene.people(people, ['email']);
  return scene;
}

async function news(scene: Scene, sent: Scene['sent'][number] | undefined, kind: string) {
  const { sendId = '', deviceId = '', email } = sent ?? {};
  await scene.one.value(scene.app, 'callback.email', {
    sendId,
    person: email?.person ?? -1,
    deviceMark: markOfDevice(deviceId) ?? -1,
    news: kind === 'failed' ? { kind, reason: 'mailbox_not_found', effect: 'dead' } : { kind },
  } as never);
  await scene.run();
}

t.test('a webhook is told which campaign paused itself and why, once', async (t) => {
  const scene = await withMail(1_000);
  await scene.one.value(scene.app, 'destination.put', {
    type: 'webhook',
    input: {
      ...{ url: 'https://a.example', events: ['delivery.degraded'], headers: {} },
      ...{ enabled: true, concurrency: 1 },
    },
  });
  scene.answers = everyNth(8, dead);
  const { id, name } = await scene.campaign({ channels: ['email'], guard: { bounceShare: 0.1 } });
  const front: object[] = [];
  const { effects } = scene.one;
  effects.push = (...more) => {
    for (const { port, message } of more) if (port === 'front') front.push(message);
    return Array.prototype.push.apply(effects, more);
  };
  await scene.send(id);
  const change = { input: { guard: {} }, removed: [] };
  await scene.one.value(scene.app, 'campaign.update', { id, change });
  await scene.run();
  const { items } = await scene.one.value(scene.app, 'webhook_delivery.list', { limit: 10 });
  t.equal(items.length, 1);
  const delivery = { id: items[0]?.id ?? '' };
  const { payload } = await scene.one.value(scene.app, 'webhook_delivery.read', delivery);
  t.match(payload, {
    kind: 'delivery.degraded',
    campaignId: id,
    channel: 'email',
    meta: { channel: 'email', paused: { name, reason: 'guard_bounces', text: /bounced; remove/ } },
  });
  t.match(front, [{ kind: 'campaign.guarded', campaignId: id, text: /emails bounced/ }]);
  t.notMatch(JSON.stringify(front), name, 'no words of a tenant go into a mail');
});

// Soft bounces in a row rest an address: marketing waits, receipts do not.

import t from 'tap';
import type { Attempt } from '../../../../actors/channels/port/attempt.ts';
import { afterSoftBounce } from '../../../../actors/sending/callbacks/soft-bounces.ts';
import { dayMs } from '../../../../engine/base/brand.ts';
import { Scene } from '../../programs/campaigns/scene.ts';
import { addRelay, eventOf, tellRelay } from './relay.ts';

const rule = { inARow: 3, overDays: 4, restDays: 14 };

/** Days on which soft bounces come; the days on which each begins a rest. */
function restsOf(days: readonly number[]): readonly number[] {
  let soft: Parameters<typeof afterSoftBounce>[0];
  return days.filter((day) => {
    const counted = afterSoftBounce(soft, rule, day * dayMs);
    soft = counted?.soft ?? soft;
    return counted?.untilMs !== undefined;
  });
}

t.test('a rest takes enough bounces over enough days, and one more begins another', async (t) => {
  t.same(restsOf([0, 1, 2]), [], 'too few days');
  t.same(restsOf([0, 5]), [], 'too few bounces');
  t.same(restsOf([0, 1, 5]), [5]);
  t.same(restsOf([0, 1, 5, 10]), [5], 'what bounces during a rest is not counted');
  t.same(restsOf([0, 1, 5, 20]), [5, 20], 'one more');
  t.same(restsOf([0, 1, 5, 20, 40, 42]), [5, 20], 'then the count begins anew');
  t.same(restsOf([0, 1, 5, 20, 40, 42, 45]), [5, 20, 45]);
  t.same(restsOf([0, 1, 70]), [], 'a row ends after sixty days');
});

async function open() {
  const scene = await Scene.open({ available: ['email'] });
  await addRelay(scene);
  await scene.settings({ softBounces: { inARow: 2, overDays: 1, restDays: 14 } });
  return scene;
}

async function notify(scene: Scene): Promise<Attempt> {
  await scene.one.value(scene.app, 'transactional.accept', {
    request: { to: { externalUserId: 'user-0' }, channels: ['email'], title: 'Hi', body: 'Hi' },
    claim: null,
  } as never);
  await scene.run();
  return scene.sent.at(-1) as Attempt;
}

const full = {
  kind: 'soft_bounce',
  reply: { code: 452, enhanced: '4.2.2', text: 'full' },
} as const;

const tell = (scene: Scene, sent: Attempt, event: Parameters<typeof eventOf>[2]) =>
  tellRelay(scene, [eventOf(scene, sent, event)]);

async function bouncedTwice(scene: Scene, between?: 'delivered'): Promise<void> {
  await tell(scene, await notify(scene), full);
  if (between !== undefined) await tell(scene, await notify(scene), { kind: between });
  scene.one.clock.nowMs += 2 * dayMs;
  const again = await notify(scene);
  await tell(scene, again, full);
  await tell(scene, again, full);
}

t.test('a resting address gets no campaign, and receipts all the same', async (t) => {
  const scene = await open();
  await scene.people(2, ['email']);
  await bouncedTwice(scene);
  const { id } = await scene.sentCampaign({ channels: ['email'] });
  t.match(await scene.stats(id), { sent: 1, suppressed: 1, suppressedBy: { resting: 1 } });
  const before = scene.sent.length;
  await notify(scene);
  t.equal(scene.sent.length, before + 1);
  t.ok(scene.isMemoryOfLog());
  scene.one.clock.nowMs += 15 * dayMs;
  const later = await scene.sentCampaign({ channels: ['email'] });
  t.match(await scene.stats(later.id), { sent: 2, suppressed: 0 });
});

t.test('of two addresses the other one still gets it', async (t) => {
  const scene = await open();
  await scene.people(1, ['email', 'email']);
  await bouncedTwice(scene);
  const resting = scene.sent.at(-1)?.deviceId;
  scene.sent.splice(0);
  await scene.sentCampaign({ channels: ['email'] });
  t.equal(scene.sent.length, 1);
  t.not(scene.sent[0]?.deviceId, resting);
});

t.test('a delivery ends the row, and null turns rests off', async (t) => {
  const scene = await open();
  await scene.people(1, ['email']);
  await bouncedTwice(scene, 'delivered');
  t.ok(scene.state.resting.isEmpty);
  const off = await open();
  await off.settings({ softBounces: null });
  await off.people(1, ['email']);
  await bouncedTwice(off);
  t.ok(off.state.resting.isEmpty);
});

const ref = { externalUserId: 'user-0' };
const deviceOf = async (scene: Scene) =>
  (await scene.one.value(scene.app, 'subscriber.read', { ref })).devices[0];

t.test('a device says until when it rests, and who knows better ends that', async (t) => {
  const scene = await open();
  await scene.people(1, ['email']);
  t.equal((await deviceOf(scene))?.restingUntilMs, undefined);
  await bouncedTwice(scene);
  const untilMs = scene.one.clock.nowMs + 14 * dayMs;
  const device = await deviceOf(scene);
  t.equal(device?.restingUntilMs, untilMs);
  const { items } = await scene.one.value(scene.app, 'subscriber.list', { limit: 10 });
  t.equal(items[0]?.devices[0]?.restingUntilMs, untilMs);

  const deviceId = device?.id ?? '';
  const resume = () => scene.one.value(scene.app, 'device.resume', { ref, deviceId });
  t.same(await resume(), await deviceOf(scene));
  t.equal((await resume()).restingUntilMs, undefined, 'twice does no harm');
  const { id } = await scene.sentCampaign({ channels: ['email'] });
  t.match(await scene.stats(id), { sent: 1, suppressed: 0 });
  await tell(scene, await notify(scene), full);
  t.equal((await deviceOf(scene))?.restingUntilMs, undefined, 'one more does not rest it again');
  await bouncedTwice(scene);
  t.equal((await deviceOf(scene))?.restingUntilMs, scene.one.clock.nowMs + 14 * dayMs);
  t.match(await scene.one.ask(scene.app, 'device.resume', { ref, deviceId: 'dev_x' }), {
    ok: false,
    fault: { code: 'not_found' },
  });
  t.ok(scene.isMemoryOfLog());
  await scene.advance(14 * dayMs);
  t.equal((await deviceOf(scene))?.restingUntilMs, undefined, 'over');
});

t.test('who turns rests off ends those that are under way', async (t) => {
  const scene = await open();
  await scene.people(1, ['email']);
  await bouncedTwice(scene);
  await scene.settings({ emailTracking: false });
  t.ok((await deviceOf(scene))?.restingUntilMs);
  await scene.settings({ softBounces: null });
  t.equal((await deviceOf(scene))?.restingUntilMs, undefined);
  const { id } = await scene.sentCampaign({ channels: ['email'] });
  t.match(await scene.stats(id), { sent: 1, suppressed: 0 });
  t.ok(scene.isMemoryOfLog());
});

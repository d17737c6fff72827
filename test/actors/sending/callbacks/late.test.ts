// What callbacks say after a send had its end: failures that arrived after all, phones that are out
// of reach again and again, and journeys, which are named by what is kept of a device's newest
// sends.

import t from 'tap';
import { dayMs, minuteMs } from '../../../../engine/base/brand.ts';
import { endpointOf, Scene } from '../../programs/campaigns/scene.ts';
import { JourneyScene, send } from '../../programs/journeys/support/journey-scene.ts';
import { reportStatus, type Sent } from './provider.ts';

const delivered = { MessageStatus: 'delivered' };
const outOfReach = { MessageStatus: 'undelivered', ErrorCode: '30003' };
const filtered = { MessageStatus: 'undelivered', ErrorCode: '30007' };

const notify = async (scene: Scene) => {
  const request = { to: { externalUserId: 'user-0' }, channels: ['sms'], body: 'Hi' };
  const body = { request, claim: null } as never;
  const { id } = await scene.one.value(scene.app, 'transactional.accept', body);
  await scene.run();
  return id;
};
const read = (scene: Scene, id: string) => scene.one.value(scene.app, 'transactional.read', { id });
const letters = async (scene: Scene) =>
  (await scene.one.value(scene.app, 'dead_letter.list', { limit: 10 })).items;
const deviceOf = async (scene: Scene) =>
  (await scene.one.value(scene.app, 'subscriber.read', { ref: { externalUserId: 'user-0' } }))
    .devices[0];

/** A send whose outcome nobody knew, twice: it failed. */
async function failed() {
  const scene = await Scene.open({ available: ['sms'] });
  await scene.people(1, ['sms']);
  scene.answers = () => ({ outcome: 'ambiguous', reason: 'timeout' });
  const id = await notify(scene);
  await scene.advance(10 * minuteMs);
  t.match(await read(scene, id), {
    status: 'failed',
    outcomes: [{ reason: 'unknown_outcome' }],
    failures: { open: 1, recovered: 0 },
  });
  return { scene, id, sent: scene.sent[0] as Sent };
}

t.test(
  'a failure that arrived after all is delivered, and its dead letter recovered',
  async (t) => {
    for (const status of ['sent', 'delivered', 'read']) {
      const { scene, id, sent } = await failed();
      t.match(
        await reportStatus(scene, 'sms', sent, { MessageStatus: status }),
        { taken: 1 },
        status,
      );
      for (let i = 0; i < 2; i++) {
        t.match(await read(scene, id), {
          status: 'delivered',
          failures: { open: 0, recovered: 1 },
        });
        t.match(await letters(scene), [{ sendId: id, recoveredMs: Number }]);
        t.match(await reportStatus(scene, 'sms', sent, { MessageStatus: status }), { repeated: 1 });
      }
      t.match(scene.events('delivered'), [{ sendId: id, deviceId: sent.deviceId }]);
      const all = await scene.one.value(scene.app, 'dead_letter.redrive', { all: true });
      t.equal(all.redriven, 0, 'nobody gets a second copy');
      t.notOk(scene.firstGap());
      t.ok(scene.isMemoryOfLog());
    }
  },
);

t.test('a failure that its provider confirms is a bounce, whatever came before it', async (t) => {
  for (const told of [[filtered], [delivered, filtered], [filtered, delivered]]) {
    const { scene, id, sent } = await failed();
    for (const members of told) await reportStatus(scene, 'sms', sent, members);
    t.match(await read(scene, id), { status: 'bounced', failures: { open: 0, recovered: 0 } });
    t.same(await letters(scene), [], 'sending it again could not land it');
    t.equal(scene.events('bounced').length, 1);
    t.notOk(scene.firstGap());
  }
});

t.test('a bounce after a redrive that landed takes the recovery back', async (t) => {
  const { scene, id, sent } = await failed();
  scene.answers = () => ({ outcome: 'accepted' });
  await scene.one.value(scene.app, 'dead_letter.redrive', { all: true });
  await scene.run();
  t.match(await read(scene, id), { status: 'delivered', failures: { open: 0, recovered: 1 } });
  for (let i = 0; i < 2; i++) {
    await reportStatus(scene, 'sms', sent, filtered);
    t.match(await read(scene, id), { status: 'bounced', failures: { open: 0, recovered: 0 } });
    t.same(await letters(scene), [], 'sending it again could not land it');
  }
  t.ok(scene.isMemoryOfLog());
});

t.test('a bounce while a redrive is under way leaves the letter to the redrive', async (t) => {
  const { scene, id, sent } = await failed();
  scene.answers = () => undefined;
  await scene.one.value(scene.app, 'dead_letter.redrive', { all: true });
  await scene.run();
  await reportStatus(scene, 'sms', sent, filtered);
  t.match(await read(scene, id), { status: 'failed', failures: { open: 1, recovered: 0 } });
  t.match(await letters(scene), [{ sendId: id, redrivenMs: Number, recoveredMs: undefined }]);
});

t.test(
  'three sends out of reach within thirty days end a device, however often told',
  async (t) => {
    const cases: readonly (readonly [waitsDays: readonly number[], isEnded: boolean])[] = [
      [[0, 10], false],
      [[0, 10, 10], true],
      [[0, 15, 16], false],
      [[0, 15, 16, 10], true],
      [[0, 40, 10, 10], true],
    ];
    for (const [waitsDays, isEnded] of cases) {
      const scene = await Scene.open({ available: ['sms'] });
      await scene.people(1, ['sms']);
      for (const days of waitsDays) {
        await scene.advance(days * dayMs);
        await notify(scene);
        const sent = scene.sent.at(-1) as Sent;
        for (let i = 0; i < 3; i++) await reportStatus(scene, 'sms', sent, outOfReach);
      }
      const device = await deviceOf(scene);
      t.equal(device?.enabled, !isEnded, waitsDays.join());
      if (isEnded) t.equal(device?.disabledReason, 'handset_unreachable');
      t.notOk(scene.firstGap());
      t.ok(scene.isMemoryOfLog());
    }
  },
);

t.test('what comes late of a journey’s send names the journey', async (t) => {
  const one = await JourneyScene.open({ available: ['sms'] });
  const { scene } = one;
  await scene.people(1, ['sms']);
  const { id } = await one.journey({
    triggerEvent: 'signup',
    steps: [{ ...send('hello'), channels: ['sms'] }],
  } as never);
  await one.ask({ name: 'signup', user: 'user-0' });
  await scene.run();
  const sent = scene.sent[0] as Sent;
  const To = endpointOf('user-0', 'sms');
  t.match(await reportStatus(scene, 'sms', sent, { MessageStatus: 'read', To }), { taken: 1 });
  t.match(await reportStatus(scene, 'sms', sent, { ...filtered, To }), { taken: 1 });
  t.match(one.stored('opened'), [{ journeyId: id, meta: { journeyId: id } }]);
  t.match(one.stored('bounced'), [{ journeyId: id, meta: { journeyId: id, reason: 'filtered' } }]);
});

t.test(
  'a failure of a campaign or a journey that arrived after all recovers its letter',
  async (t) => {
    const cases: readonly [told: readonly (typeof delivered)[], stats: object, open: number][] = [
      [[delivered], { delivered: 1, failed: 0, bounced: 0 }, 1],
      [[delivered, delivered], { delivered: 1, failed: 0, bounced: 0 }, 1],
      [[filtered], { delivered: 0, failed: 0, bounced: 1 }, 0],
      [[delivered, filtered], { delivered: 0, failed: 0, bounced: 1 }, 0],
      [[filtered, delivered], { delivered: 0, failed: 0, bounced: 1 }, 0],
    ];
    for (const lane of ['campaign', 'journey', 'redriven'] as const)
      for (const [told, stats, letterCount] of cases) {
        const one = await JourneyScene.open({ available: ['sms'] });
        const { scene } = one;
        await scene.people(1, ['sms']);
        scene.answers = () => ({ outcome: 'ambiguous', reason: 'timeout' });
        let id = '';
        if (lane === 'journey') {
          await one.journey({
            triggerEvent: 'signup',
            steps: [{ ...send('hello'), channels: ['sms'] }],
          } as never);
          await one.track({ name: 'signup', user: 'user-0' });
        } else {
          id = (await scene.campaign({ channels: ['sms'] })).id;
          await scene.send(id);
        }
        await scene.advance(10 * minuteMs);
        if (lane === 'redriven') {
          await scene.one.value(scene.app, 'dead_letter.redrive', { all: true });
          await scene.advance(10 * minuteMs);
        }
        const name = `${lane} ${told.map(({ MessageStatus }) => MessageStatus).join()}`;
        t.match(
          await letters(scene),
          [{ reason: 'unknown_outcome', recoveredMs: undefined }],
          name,
        );
        const sent = scene.sent[0] as Sent;
        const To = endpointOf('user-0', 'sms');
        for (const members of told) await reportStatus(scene, 'sms', sent, { ...members, To });
        const left = await letters(scene);
        t.equal(left.length, letterCount, name);
        t.ok(
          left.every(({ recoveredMs }) => recoveredMs !== undefined),
          name,
        );
        if (id !== '') t.match(await scene.stats(id), { ...stats, devices: stats }, name);
        const again = await scene.one.value(scene.app, 'dead_letter.redrive', { all: true });
        t.equal(again.redriven, 0, 'nobody gets a second copy');
        t.notOk(scene.firstGap());
        t.ok(scene.isMemoryOfLog());
      }
  },
);

t.test(
  'a letter of a campaign that was sent again and landed says nothing of its failure',
  async (t) => {
    const scene = await Scene.open({ available: ['sms'] });
    await scene.people(1, ['sms']);
    scene.answers = () => ({ outcome: 'ambiguous', reason: 'timeout' });
    const { id } = await scene.sentCampaign({ channels: ['sms'] });
    await scene.advance(10 * minuteMs);
    scene.answers = () => ({ outcome: 'accepted' });
    await scene.one.value(scene.app, 'dead_letter.redrive', { all: true });
    await scene.run();
    const sent = scene.sent[0] as Sent;
    await reportStatus(scene, 'sms', sent, delivered);
    t.equal(scene.events('delivered').length, 1);
    await reportStatus(scene, 'sms', sent, filtered);
    t.match(await scene.stats(id), { delivered: 0, bounced: 1, failed: 0 });
    t.same(await letters(scene), [], 'its recovery is taken back');
    t.ok(scene.isMemoryOfLog());
  },
);

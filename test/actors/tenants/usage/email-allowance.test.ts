// The email allowance over all lanes together: never passed by one, and used up to the last.

import fc from 'fast-check';
import t from 'tap';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { dayMs } from '../../../../engine/base/brand.ts';
import { tries } from '../../../support/tries.ts';
import type { Scene } from '../../programs/campaigns/scene.ts';
import { JourneyScene, send } from '../../programs/journeys/support/journey-scene.ts';

const monthMs = 31 * dayMs; // January, in which scenes begin
const people = 6;

/** A scene of people with a mail address each, a journey, and an allowance. */
async function withAllowance(emailAllowance: number | null) {
  const one = await JourneyScene.open({ available: ['email', 'fcm'] });
  const { scene } = one;
  await scene.people(people, ['email']);
  const hello = send('hello', 'hello', { channels: ['email'] });
  await one.journey({ triggerEvent: 'signup', steps: [hello], reentry: true } as never);
  await scene.orgLimits({ emailAllowance });
  const messageId = await scene.message();
  const lanes = {
    async campaign() {
      await scene.sentCampaign({ channels: ['email'] });
      return people;
    },
    async journey() {
      for (let i = 0; i < people; i++) await one.track({ name: 'signup', user: `user-${i}` });
      return people;
    },
    async transactional() {
      await scene.one.value(scene.app, 'transactional.accept', {
        request: { to: { externalUserId: 'user-1' }, channels: ['email'], title: 'x', body: 'x' },
        claim: null,
      } as never);
      await scene.run();
      return 1;
    },
    async test() {
      const to = { externalUserId: 'user-2' };
      await scene.one.value(scene.app, 'message.test', { id: messageId, to, claim: null });
      await scene.run();
      return 1;
    },
  };
  return { scene, lanes };
}

type Lane = keyof Awaited<ReturnType<typeof withAllowance>>['lanes'];
const lanes: readonly Lane[] = ['campaign', 'journey', 'transactional', 'test'];

const shown = (scene: Scene) => scene.one.value(scene.org, 'org.emails', {});
const used = async (scene: Scene) => (await shown(scene)).delivered;
const refused = (scene: Scene) =>
  scene.events('suppressed').filter(({ meta }) => meta['reason'] === 'email_cap').length;

t.test('below, at and above the bound, on every lane', async (t) => {
  for (const lane of lanes)
    for (const more of [-1, 0, 1]) {
      const wanted = lane === 'campaign' || lane === 'journey' ? people : 1;
      const { scene, lanes } = await withAllowance(wanted + more);
      t.equal(await lanes[lane](), wanted);
      const sent = Math.min(wanted, wanted + more);
      t.equal(scene.sent.length, sent, `${lane} ${more}`);
      t.equal(await used(scene), sent, `${lane} ${more}`);
      t.equal(refused(scene), wanted - sent, `${lane} ${more}`);
      t.notOk(scene.firstGap());
    }
});

t.test('lanes in any order use it up together, and no one passes it', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...lanes), { minLength: 1, maxLength: 5 }),
      fc.nat(20),
      async (order, allowance) => {
        const { scene, lanes } = await withAllowance(allowance);
        let wanted = 0;
        for (const lane of order) wanted += await lanes[lane]();
        const sent = Math.min(wanted, allowance);
        t.equal(await used(scene), sent);
        t.equal(scene.sent.length, sent);
        t.equal(refused(scene), wanted - sent);
        t.notOk(scene.firstGap());
      },
    ),
    { numRuns: tries(25) },
  );
});

t.test('what is in flight is held against it, and free again where it failed', async (t) => {
  const { scene, lanes } = await withAllowance(people);
  const letGo = scene.hold();
  const noMailbox: Outcome = { outcome: 'dead', reason: 'mailbox_not_found' };
  scene.answers = () => noMailbox;
  await lanes.campaign();
  t.equal(scene.sent.length, people);
  t.same(await shown(scene), { delivered: 0, reserved: people });
  await lanes.test();
  t.equal(scene.sent.length, people, 'all of it is reserved');
  t.equal(refused(scene), 1);
  await letGo();
  scene.answers = () => ({ outcome: 'accepted' });
  t.equal(await used(scene), 0, 'what bounced was not delivered');
  await scene.person('user-9', ['email']);
  await scene.sentCampaign({ channels: ['email'] });
  t.equal(await used(scene), 1);
});

t.test('what is delivered and in flight is shown as what refuses counts it', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(people + 3),
      fc.array(fc.constantFrom(...lanes), { minLength: 1, maxLength: 4 }),
      fc.array(fc.constantFrom(...lanes), { maxLength: 3 }),
      async (allowance, held, before) => {
        const { scene, lanes } = await withAllowance(allowance);
        let wanted = 0;
        for (const lane of before) wanted += await lanes[lane]();
        const delivered = Math.min(wanted, allowance);
        const letGo = scene.hold();
        for (const lane of held) wanted += await lanes[lane]();
        const taken = Math.min(wanted, allowance);
        t.same(await shown(scene), { delivered, reserved: taken - delivered });
        t.equal(refused(scene), wanted - taken, 'refused beyond both together');
        await letGo();
        t.same(await shown(scene), { delivered: taken, reserved: 0 });
      },
    ),
    { numRuns: tries(25) },
  );
});

t.test(
  'a month that rolls over has all of it again, and so has who raises or lifts it',
  async (t) => {
    const { scene, lanes } = await withAllowance(1);
    await lanes.transactional();
    await lanes.transactional();
    t.same([scene.sent.length, refused(scene)], [1, 1]);
    await scene.advance(monthMs - 1);
    await lanes.transactional();
    t.same([scene.sent.length, refused(scene)], [1, 2], 'to the last millisecond');
    await scene.advance(1);
    await lanes.transactional();
    await lanes.transactional();
    t.same([scene.sent.length, refused(scene)], [2, 3]);
    await scene.orgLimits({ emailAllowance: 2 });
    await lanes.transactional();
    t.same([scene.sent.length, refused(scene)], [3, 3]);
    await scene.orgLimits({ emailAllowance: null });
    await lanes.campaign();
    t.same([scene.sent.length, refused(scene)], [3 + people, 3]);
    t.ok(scene.isMemoryOfLog());
  },
);

t.test('push is free of it', async (t) => {
  const { scene } = await withAllowance(0);
  await scene.person('user-p', ['fcm', 'email']);
  await scene.sentCampaign({ channels: ['fcm', 'email'] });
  t.same(scene.reached('fcm').length, 1);
  t.same(scene.reached('email').length, 0);
});

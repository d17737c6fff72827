// What a mail service tells of mails that it accepted: through the actor, from the relay's answer
// to the figures.

import fc from 'fast-check';
import t from 'tap';
import type { Attempt } from '../../../../actors/channels/port/attempt.ts';
import type { RelayEvent } from '../../../../actors/channels/port/relay-events.ts';
import { storyOfSend } from '../../../../actors/insight/timeline/send-story.ts';
import { tries } from '../../../support/tries.ts';
import { endpointOf, Scene } from '../../programs/campaigns/scene.ts';
import { JourneyScene, send } from '../../programs/journeys/support/journey-scene.ts';
import { addRelay, eventOf, tellRelay } from './relay.ts';

type Told = Pick<RelayEvent, 'kind'> & Partial<RelayEvent>;

const noSuchUser = { code: 550, enhanced: '5.1.1', text: 'No such user here' };
const blocked = { code: 554, enhanced: '5.7.1', text: 'Your IP is on a blocklist (spamhaus)' };

async function open(): Promise<Scene> {
  const scene = await Scene.open({ available: ['email'] });
  await addRelay(scene);
  return scene;
}

async function notify(scene: Scene): Promise<string> {
  const { id } = await scene.one.value(scene.app, 'transactional.accept', {
    request: { to: { externalUserId: 'user-0' }, channels: ['email'], title: 'Hi', body: 'Hi' },
    claim: null,
  } as never);
  return id;
}

const read = (scene: Scene, id: string) => scene.one.value(scene.app, 'transactional.read', { id });

const tell = (scene: Scene, sent: Attempt, ...all: readonly Told[]) =>
  tellRelay(
    scene,
    all.map((event) => eventOf(scene, sent, event)),
  );

const deviceOf = async (scene: Scene, externalUserId = 'user-0') =>
  (await scene.one.value(scene.app, 'subscriber.read', { ref: { externalUserId } })).devices[0];

const suppressed = async (scene: Scene) =>
  (await scene.one.value(scene.app, 'suppression.list', { limit: 10 })).items;

const emails = async (scene: Scene) => {
  const { emails: counted } = await scene.one.value(scene.org, 'org.meter', {});
  return counted.delivered;
};

async function withMail() {
  const scene = await open();
  await scene.people(1, ['email']);
  const id = await notify(scene);
  await scene.run();
  return { scene, id, sent: scene.sent[0] as Attempt };
}

t.test('a mail is pending until its relay says that it was delivered', async (t) => {
  const { scene, id, sent } = await withMail();
  t.match(await read(scene, id), { status: 'pending', outcomes: [{ status: 'accepted' }] });
  t.match(scene.events('sent'), [{ sendId: id, channel: 'email' }]);
  t.same(scene.events('delivered'), []);
  t.match(await tell(scene, sent, { kind: 'delivered' }), { taken: 1 });
  t.match(await tell(scene, sent, { kind: 'delivered' }), { repeated: 1 });
  t.match(await tell(scene, sent, { kind: 'accepted' }), { repeated: 1 });
  t.match(await read(scene, id), {
    status: 'delivered',
    outcomes: [{ status: 'accepted' }, { status: 'delivered' }],
  });
  t.match(scene.events('delivered'), [{ sendId: id, meta: { reported: true } }]);
  t.equal(scene.events('delivered').length, 1);
  t.notOk(scene.firstGap());
  t.ok(scene.isMemoryOfLog());
});

t.test('a relay of another app is not heard', async (t) => {
  const { scene, id, sent } = await withMail();
  const other = 'rel_0000000000000000000000000b';
  const { durableSeq } = scene.one.store;
  const heard = await tellRelay(scene, [eventOf(scene, sent, { kind: 'hard_bounce' })], other);
  t.match(heard, { taken: 0, ignored: 1 });
  t.equal(scene.one.store.durableSeq, durableSeq, 'nothing was written');
  t.match(await read(scene, id), { status: 'pending' });
  t.match(await deviceOf(scene), { enabled: true });
});

t.test('a hard bounce disables the device with the reason of the reply', async (t) => {
  const { scene, id, sent } = await withMail();
  await tell(scene, sent, { kind: 'hard_bounce', reply: noSuchUser });
  t.match(await read(scene, id), { status: 'bounced' });
  t.match(await deviceOf(scene), { enabled: false, disabledReason: 'mailbox_not_found' });
  await tell(scene, sent, { kind: 'delivered' });
  t.match(await read(scene, id), { status: 'bounced' }, 'a delivery that comes late is no news');
});

t.test('a refusal of the sender never disables a device', async (t) => {
  for (const event of [
    { kind: 'hard_bounce', reply: blocked },
    { kind: 'refused', reply: blocked },
    { kind: 'refused' },
    { kind: 'soft_bounce', reply: noSuchUser },
    { kind: 'dropped', list: 'other' },
  ] as const) {
    const { scene, id, sent } = await withMail();
    await tell(scene, sent, event);
    t.match(await read(scene, id), { status: 'bounced' }, event.kind);
    t.match(await deviceOf(scene), { enabled: true }, event.kind);
    t.same(await suppressed(scene), []);
  }
});

t.test('what the list of a service says becomes what it was about', async (t) => {
  const bounced = await withMail();
  await tell(bounced.scene, bounced.sent, { kind: 'dropped', list: 'bounces' });
  t.match(await deviceOf(bounced.scene), { enabled: false, disabledReason: 'bounced_earlier' });
  for (const list of ['complaints', 'unsubscribes'] as const) {
    const { scene, sent } = await withMail();
    await tell(scene, sent, { kind: 'dropped', list });
    t.match(await suppressed(scene), [{ scope: 'marketing' }], list);
    t.match(await deviceOf(scene), { enabled: true }, list);
  }
});

t.test('a complaint ends marketing, and the mail was delivered', async (t) => {
  const { scene, id, sent } = await withMail();
  await tell(scene, sent, { kind: 'complained' }, { kind: 'complained' });
  t.match(await read(scene, id), { status: 'delivered' });
  t.match(await suppressed(scene), [
    {
      address: endpointOf('user-0', 'email'),
      source: 'bounce',
      reason: 'complaint',
      scope: 'marketing',
    },
  ]);
  await notify(scene);
  await scene.run();
  t.equal(scene.sent.length, 2, 'receipts still reach it');
});

t.test('a deferral is a step of the story, and no result', async (t) => {
  const { scene, id, sent } = await withMail();
  const reply = { code: 451, enhanced: '4.7.1', text: 'try later' };
  await tell(scene, sent, { kind: 'deferred', reply }, { kind: 'deferred', atMs: 5 });
  t.match(await read(scene, id), { status: 'pending', outcomes: [{ status: 'accepted' }] });
  await tell(scene, sent, { kind: 'delivered' });
  const question = { id, withStory: true, withContent: false };
  const { told, readMs } = await scene.one.value(scene.app, 'send.explain', question);
  t.same(
    storyOfSend(told, id, readMs)
      .map(({ code }) => code)
      .sort(),
    ['accepted', 'deferred_later', 'delivered_later', 'sent'],
  );
});

t.test('opens and clicks count only where Engage tracks none itself', async (t) => {
  const { scene, sent } = await withMail();
  const click = { kind: 'clicked', url: 'https://acme.example/a' } as const;
  t.match(await tell(scene, sent, { kind: 'opened' }, click), { ignored: 2 });
  const off = await withMail();
  await off.scene.settings({ emailTracking: false });
  const heard = await tell(off.scene, off.sent, { kind: 'opened' }, click, click);
  t.match(heard, { taken: 2, repeated: 1 });
  t.match(await tell(off.scene, off.sent, { kind: 'opened' }, click), { repeated: 2 });
  t.equal(off.scene.events('opened').length, 1);
  t.match(off.scene.events('clicked'), [{ sendId: off.sent.sendId }]);
});

t.test('a campaign counts as sent at once and as delivered when its relay says so', async (t) => {
  const scene = await open();
  await scene.people(3, ['email']);
  const { id } = await scene.sentCampaign({ channels: ['email'] });
  t.match(await scene.stats(id), { sent: 3, delivered: 0, accepted: 3, devices: { accepted: 3 } });
  await tell(scene, scene.sent[0] as Attempt, { kind: 'delivered' });
  await tell(scene, scene.sent[1] as Attempt, { kind: 'hard_bounce', reply: noSuchUser });
  t.match(await scene.stats(id), { sent: 3, delivered: 1, bounced: 1, accepted: 1 });
  t.match(scene.events('delivered'), [{ campaignId: id, meta: { reported: true } }]);
  await tell(scene, scene.sent[2] as Attempt, { kind: 'delivered' });
  const done = await scene.stats(id);
  t.match(done, { sent: 3, delivered: 2, bounced: 1, devices: { delivered: 2, bounced: 1 } });
  t.notOk('accepted' in done);
  t.notOk('accepted' in done.devices);
  await tell(scene, scene.sent[2] as Attempt, { kind: 'soft_bounce' });
  t.match(await scene.stats(id), { sent: 3, delivered: 1, bounced: 2 });
  t.ok(scene.isMemoryOfLog());
});

t.test('an unsubscribe counts, whether the complaint is reported before it or after', async (t) => {
  const told: readonly Told[] = [{ kind: 'complained' }, { kind: 'unsubscribed' }];
  for (const events of [told, [...told].reverse()]) {
    const scene = await open();
    await scene.people(2, ['email']);
    const { id } = await scene.sentCampaign({ channels: ['email'] });
    for (const event of [...events, ...events]) await tell(scene, scene.sent[0] as Attempt, event);
    t.match(await scene.stats(id), { unsubscribed: 1, occurrences: [{ complained: 1 }] });
    t.equal((await suppressed(scene)).length, 1);
    t.ok(scene.isMemoryOfLog());
  }
});

t.test('a journey counts so, too', async (t) => {
  const one = await JourneyScene.open({ available: ['email'] });
  const { scene } = one;
  await addRelay(scene);
  await scene.people(2, ['email']);
  const hello = send('hello', 'hello', { channels: ['email'] });
  const { id } = await one.journey({ triggerEvent: 'signup', steps: [hello] });
  await one.track({ name: 'signup', user: 'user-1' });
  const sent = scene.sent[0] as Attempt;
  t.match(scene.events('sent'), [{ sendId: sent.sendId }]);
  await tell(scene, sent, { kind: 'delivered' });
  t.match(scene.events('delivered'), [{ sendId: sent.sendId, meta: { journeyId: id } }]);
  await tell(scene, sent, { kind: 'soft_bounce' });
  t.match(scene.events('bounced'), [{ sendId: sent.sendId }]);
});

t.test('an email counts once, when it is accepted', async (t) => {
  const { scene, sent } = await withMail();
  t.equal(await emails(scene), 1);
  await tell(scene, sent, { kind: 'delivered' });
  t.equal(await emails(scene), 1);
});

/** What is left after these events; with how many are early, before the answer to their call. */
async function after(all: readonly { device: number; event: Told }[], early: number) {
  const scene = await open();
  await scene.people(2, ['email', 'email']);
  const { id } = await scene.sentCampaign({ channels: ['email'] });
  const ofCampaign = scene.sent.splice(0) as readonly Attempt[];
  const sendId = await notify(scene);
  await scene.one.settle();
  const letGo = scene.hold();
  await scene.callGranted();
  for (const [index, { device, event }] of all.entries()) {
    if (index === early) await letGo();
    for (const sent of [ofCampaign[device], scene.sent[device]])
      if (sent !== undefined) await tell(scene, sent, event);
  }
  await letGo();
  await scene.advance(60_000);
  t.notOk(scene.firstGap());
  t.ok(scene.isMemoryOfLog());
  const { items } = await scene.one.value(scene.app, 'subscriber.list', { limit: 10 });
  const { status, outcomes } = await read(scene, sendId);
  return {
    stats: await scene.stats(id),
    devices: items.flatMap(({ devices }) =>
      devices.map((one) => [one.id, one.enabled, one.disabledReason]),
    ),
    suppressed: (await suppressed(scene)).map(({ address, reason }) => [address, reason]).sort(),
    status,
    newest: [...new Map(outcomes.map((one) => [one.deviceId, [one.status, one.reason]]))].sort(),
    bounced: scene.events('bounced').length,
    emails: await emails(scene),
  };
}

t.test('in any order, however often and however early, it comes to the same figures', async (t) => {
  const one = fc.record({
    device: fc.nat(3),
    event: fc.constantFrom<Told[]>(
      { kind: 'accepted' },
      { kind: 'deferred' },
      { kind: 'delivered' },
      { kind: 'soft_bounce' },
      { kind: 'hard_bounce', reply: noSuchUser },
      { kind: 'complained' },
      { kind: 'unsubscribed' },
      { kind: 'dropped', list: 'unsubscribes' },
      { kind: 'refused' },
    ),
  });
  const runs = fc
    .array(one, { minLength: 1, maxLength: 6 })
    .chain((once) =>
      fc.tuple(
        fc.constant(once),
        fc.shuffledSubarray([...once, ...once], { minLength: once.length * 2 }),
        fc.nat(once.length * 2),
      ),
    );
  await fc.assert(
    fc.asyncProperty(runs, async ([once, often, early]) => {
      t.same(await after(often, early), await after(once, 0));
    }),
    { numRuns: tries(30) },
  );
});

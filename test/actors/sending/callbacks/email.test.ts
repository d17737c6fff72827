// What comes back of emails, through the actor: by the address that a mail server knows, which
// names the mail it is about.

import fc from 'fast-check';
import t from 'tap';
import {
  readReturnAddress,
  returnAddresses,
} from '../../../../actors/channels/email/return-path.ts';
import type { Attempt } from '../../../../actors/channels/port/attempt.ts';
import type { DeliveryReport } from '../../../../actors/channels/port/delivery-report.ts';
import type { CallbackCounts } from '../../../../actors/channels/port/outcome.ts';
import { HmacSha256 } from '../../../../engine/base/hmac.ts';
import { tries } from '../../../support/tries.ts';
import { endpointOf, Scene } from '../../programs/campaigns/scene.ts';
import { JourneyScene, send } from '../../programs/journeys/support/journey-scene.ts';

const key = new HmacSha256(new Uint8Array(32).fill(1));
const domain = 'bounces.example.com';
const taken = { taken: 1, repeated: 0, ignored: 0 };
const repeated = { taken: 0, repeated: 1, ignored: 0 };
const ignored = { taken: 0, repeated: 0, ignored: 1 };
const noMailbox: DeliveryReport = { kind: 'failed', reason: 'mailbox_not_found', effect: 'dead' };
const full: DeliveryReport = { kind: 'failed', reason: 'mailbox_full', effect: 'none' };
const complained: DeliveryReport = { kind: 'complained' };

/** What the address of a mail that was sent says. */
function returned({ sendId, deviceId, email }: Attempt) {
  const mail = { sendId, deviceId, person: email?.person as number };
  const address = returnAddresses(mail, domain, key)?.bounce as string;
  const read = readReturnAddress(address, domain, [key]);
  if (read === undefined) throw new Error('not ours');
  return { sendId: read.sendId, person: read.person, deviceMark: read.deviceMark };
}

const tell = (scene: Scene, sent: Attempt, news: DeliveryReport): Promise<CallbackCounts> =>
  scene.one.value(scene.app, 'callback.email', { ...returned(sent), news });

const open = () => Scene.open({ available: ['email'] });

const notify = (scene: Scene) =>
  scene.one.value(scene.app, 'transactional.accept', {
    request: { to: { externalUserId: 'user-0' }, channels: ['email'], title: 'Hi', body: 'Hi' },
    claim: null,
  } as never);

const read = (scene: Scene, id: string) => scene.one.value(scene.app, 'transactional.read', { id });

const deviceOf = async (scene: Scene, externalUserId = 'user-0') =>
  (await scene.one.value(scene.app, 'subscriber.read', { ref: { externalUserId } })).devices[0];

const suppressed = async (scene: Scene) =>
  (await scene.one.value(scene.app, 'suppression.list', { limit: 10 })).items;

async function withMail() {
  const scene = await open();
  await scene.people(1, ['email']);
  const { id } = await notify(scene);
  await scene.run();
  return { scene, id, sent: scene.sent[0] as Attempt };
}

t.test('a hard bounce bounces the send and disables the device, once', async (t) => {
  const { scene, id, sent } = await withMail();
  t.match(await read(scene, id), { status: 'delivered' });
  t.same(await tell(scene, sent, noMailbox), taken);
  t.same(await tell(scene, sent, noMailbox), repeated);
  t.match(await read(scene, id), {
    status: 'bounced',
    outcomes: [{ status: 'delivered' }, { status: 'bounced', reason: 'mailbox_not_found' }],
  });
  t.match(await deviceOf(scene), { enabled: false, disabledReason: 'mailbox_not_found' });
  t.match(scene.events('bounced'), [{ sendId: id, channel: 'email' }]);
  t.equal(scene.events('bounced').length, 1);
  t.notOk(scene.firstGap());
  t.ok(scene.isMemoryOfLog());
});

t.test('another failure bounces the send and leaves the device', async (t) => {
  const { scene, id, sent } = await withMail();
  await tell(scene, sent, full);
  t.match(await read(scene, id), { status: 'bounced' });
  t.match(await deviceOf(scene), { enabled: true });
  t.same(await suppressed(scene), []);
});

t.test('a complaint suppresses the address and leaves the send delivered', async (t) => {
  const { scene, id, sent } = await withMail();
  t.same(await tell(scene, sent, complained), taken);
  t.same(await tell(scene, sent, complained), repeated);
  t.match(await read(scene, id), { status: 'delivered' });
  t.match(await suppressed(scene), [
    { identity: 'email', address: endpointOf('user-0', 'email'), source: 'bounce' },
  ]);
  t.match(scene.events('unsubscribed'), [{ meta: { source: 'bounce', reason: 'complaint' } }]);
  t.equal(scene.events('unsubscribed').length, 1);
  await notify(scene);
  await scene.run();
  t.equal(scene.sent.length, 1, 'nothing leaves to it any more');
  t.notOk(scene.firstGap());
  t.ok(scene.isMemoryOfLog());
});

t.test('a bounce of a campaign counts in its figures', async (t) => {
  const scene = await open();
  await scene.people(3, ['email']);
  const { id } = await scene.sentCampaign({ channels: ['email'] });
  t.match(await scene.stats(id), { delivered: 3, bounced: 0 });
  await tell(scene, scene.sent[1] as Attempt, noMailbox);
  t.match(await scene.stats(id), { delivered: 2, bounced: 1 });
});

t.test('a bounce of a journey finds its person, of whom its send says nothing', async (t) => {
  const one = await JourneyScene.open({ available: ['email'] });
  const { scene } = one;
  await scene.people(2, ['email']);
  const hello = send('hello', 'hello', { channels: ['email'] });
  await one.journey({ triggerEvent: 'signup', steps: [hello] });
  await one.track({ name: 'signup', user: 'user-1' });
  t.same(await tell(scene, scene.sent[0] as Attempt, noMailbox), taken);
  t.match(await deviceOf(scene, 'user-1'), { enabled: false });
  t.match(await deviceOf(scene, 'user-0'), { enabled: true });
  t.equal(scene.events('bounced').length, 1);
});

t.test('a device or a person that is gone is told of in vain', async (t) => {
  const { scene, sent } = await withMail();
  const { durableSeq } = scene.one.store;
  const email = { ...sent.email, unsubscribeUrl: '', person: 77 };
  const deviceId = sent.deviceId.slice(0, -1) + (sent.deviceId.endsWith('0') ? '1' : '0');
  const sendId = sent.sendId.slice(0, -1) + (sent.sendId.endsWith('0') ? '1' : '0');
  t.same(await tell(scene, { ...sent, deviceId }, noMailbox), ignored);
  t.same(await tell(scene, { ...sent, sendId }, noMailbox), ignored);
  t.same(await tell(scene, { ...sent, sendId, email }, noMailbox), ignored);
  t.equal(scene.one.store.durableSeq, durableSeq, 'nothing was written');
  const person = await scene.one.value(scene.app, 'subscriber.read', {
    ref: { externalUserId: 'user-0' },
  });
  await scene.one.value(scene.app, 'subscriber.erase', { ref: { id: person.id } } as never);
  await scene.run();
  t.same(await tell(scene, sent, complained), ignored);
  t.same(await suppressed(scene), []);
  const { sendId: _, ...mail } = returned(sent);
  t.same(await scene.one.value(scene.app, 'callback.email_address', mail), { address: null });
});

t.test('who asks by mail is found under the address that the mail went to', async (t) => {
  const { scene, sent } = await withMail();
  const { sendId: _, ...mail } = returned(sent);
  t.same(await scene.one.value(scene.app, 'callback.email_address', mail), {
    address: endpointOf('user-0', 'email'),
    deviceId: sent.deviceId,
  });
});

/**
 * What is left of a campaign and a notification to everybody, after this news; with how much of it
 * is early.
 */
async function after(all: readonly { device: number; news: DeliveryReport }[], early: number) {
  const scene = await open();
  await scene.people(2, ['email', 'email']);
  const { id } = await scene.sentCampaign({ channels: ['email'] });
  const ofCampaign = scene.sent.splice(0) as readonly Attempt[];
  const { id: sendId } = await notify(scene);
  await scene.one.settle();
  const letGo = scene.hold();
  await scene.callGranted();
  for (const [index, { device, news }] of all.entries()) {
    if (index === early) await letGo();
    for (const sent of [ofCampaign[device], scene.sent[device]])
      if (sent !== undefined) await tell(scene, sent, news);
  }
  await letGo();
  await scene.advance(60_000);
  const { items } = await scene.one.value(scene.app, 'subscriber.list', { limit: 10 });
  const { status, outcomes } = await read(scene, sendId);
  t.notOk(scene.firstGap());
  return {
    stats: await scene.stats(id),
    devices: items.flatMap(({ devices }) =>
      devices.map((one) => [one.id, one.enabled, one.disabledReason]),
    ),
    suppressed: (await suppressed(scene)).map(({ address, source }) => [address, source]),
    status,
    outcomes: outcomes.map((one) => [one.deviceId, one.status, one.reason]).sort(),
    bounced: scene.events('bounced').length,
    unsubscribed: scene.events('unsubscribed').length,
  };
}

t.test('in any order, however often and however early, it comes to the same end', async (t) => {
  const one = fc.record({
    device: fc.nat(3),
    news: fc.constantFrom<DeliveryReport[]>(noMailbox, full, complained, { kind: 'arrived' }),
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

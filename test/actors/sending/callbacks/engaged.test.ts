// Opens and clicks of emails, through the actor: what a token said becomes an event of its reader.

import t from 'tap';
import { countOf } from '../../../../actors/audiences/segments/evaluate.ts';
import type { Filter } from '../../../../actors/audiences/segments/filter.ts';
import { marksOf } from '../../../../actors/channels/email/mail-marks.ts';
import type { Tracked } from '../../../../actors/channels/email/tracked.ts';
import { readTracked } from '../../../../actors/channels/email/tracked-token.ts';
import type { Attempt } from '../../../../actors/channels/port/attempt.ts';
import { hourMs } from '../../../../engine/base/brand.ts';
import { HmacSha256 } from '../../../../engine/base/hmac.ts';
import { Scene } from '../../programs/campaigns/scene.ts';
import { JourneyScene, send } from '../../programs/journeys/support/journey-scene.ts';

const key = new HmacSha256(new Uint8Array(32).fill(1));
const publicUrl = 'https://engage.test';
const signing = { mac: key, publicUrl, bounceDomain: undefined };

/** What the pixel, or a link, of a mail that was sent says. */
function tokenOf(sent: Attempt, link?: string): Tracked {
  const { openUrl, clickUrl } = marksOf(sent, signing);
  const url = link === undefined ? openUrl?.replace('.gif', '') : clickUrl?.(link);
  const tracked = readTracked(url?.slice(`${publicUrl}/o/`.length) ?? '', [key]);
  if (tracked === undefined) throw new Error('not ours');
  return tracked;
}

const engage = (scene: Scene, tracked: Tracked, userAgent = 'Mail/1.0') =>
  scene.one.value(scene.app, 'callback.engaged', { tracked, userAgent });

const open = () => Scene.open({ available: ['email'] });

async function withCampaign() {
  const scene = await open();
  await scene.people(3, ['email']);
  const { id } = await scene.sentCampaign({ channels: ['email'] });
  return { scene, id, sent: scene.sent as readonly Attempt[] };
}

t.test('an open and a click are events of the person, the send and its campaign', async (t) => {
  const { scene, id, sent } = await withCampaign();
  const first = sent[0] as Attempt;
  await engage(scene, tokenOf(first));
  await engage(scene, tokenOf(first, 'https://a.test/1'));
  const of = { sendId: first.sendId, deviceId: first.deviceId, channel: 'email', campaignId: id };
  t.match(scene.events('opened', 'clicked'), [
    { ...of, name: 'opened', person: first.email?.person, meta: { ua: 'Mail/1.0' } },
    { ...of, name: 'clicked', person: first.email?.person, meta: { ua: 'Mail/1.0' } },
  ]);
  t.match(await scene.stats(id), { delivered: 3, opened: 1, clicked: 1 });
  await engage(scene, tokenOf(sent[1] as Attempt));
  t.match(await scene.stats(id), { opened: 2, clicked: 1 });
  t.notOk(scene.firstGap());
  t.ok(scene.isMemoryOfLog());
});

t.test('an open and a click name the message, and the variant, that was sent', async (t) => {
  const scene = await open();
  await scene.people(30, ['email']);
  const messageIds = [await scene.message({ title: 'a' }), await scene.message({ title: 'b' })];
  const variants = messageIds.map((messageId, i) => ({ id: `v${i}`, weight: 1, messageId }));
  await scene.sentCampaign({ channels: ['email'], variants });
  for (const sent of scene.sent) {
    await engage(scene, tokenOf(sent));
    await engage(scene, tokenOf(sent, 'https://a.test/1'));
  }
  const contents = new Map(scene.sent.map(({ sendId, content }) => [sendId, content.title]));
  const told = scene.events('opened', 'clicked');
  t.equal(told.length, 60);
  for (const { sendId, messageId, meta } of told) {
    const place = contents.get(sendId ?? '') === 'a' ? 0 : 1;
    t.equal(messageId, messageIds[place]);
    t.match(meta, { variant: `v${place}` });
  }
});

t.test("an open of a journey's mail names its message", async (t) => {
  const one = await JourneyScene.open({ available: ['email'] });
  const { scene } = one;
  await scene.people(1, ['email']);
  const messageId = await scene.message();
  const steps = [{ id: 'hello', type: 'send' as const, messageId, channels: ['email' as const] }];
  await one.journey({ triggerEvent: 'signup', steps });
  await one.track({ name: 'signup', user: 'user-0' });
  await engage(scene, tokenOf(scene.sent[0] as Attempt));
  t.match(scene.events('opened'), [{ messageId }]);
});

t.test('the same of a mail counts once an hour, each link of it by itself', async (t) => {
  const { scene, sent } = await withCampaign();
  const [first] = sent as [Attempt];
  for (let i = 0; i < 3; i++) {
    await engage(scene, tokenOf(first));
    await engage(scene, tokenOf(first, 'https://a.test/1'));
  }
  await engage(scene, tokenOf(first, 'https://a.test/2'));
  t.equal(scene.events('opened').length, 1);
  t.equal(scene.events('clicked').length, 2);
  const { durableSeq } = scene.one.store;
  await engage(scene, tokenOf(first));
  t.equal(scene.one.store.durableSeq, durableSeq, 'nothing was written');
  await scene.advance(hourMs);
  await engage(scene, tokenOf(first));
  t.equal(scene.events('opened').length, 2);
});

t.test('a journey and a test send are told apart', async (t) => {
  const one = await JourneyScene.open({ available: ['email'] });
  const { scene } = one;
  await scene.people(1, ['email']);
  const hello = send('hello', 'hello', { channels: ['email'] });
  const { id } = await one.journey({ triggerEvent: 'signup', steps: [hello] });
  await one.track({ name: 'signup', user: 'user-0' });
  await engage(scene, tokenOf(scene.sent[0] as Attempt));
  t.match(one.stored('opened'), [{ journeyId: id }]);

  const messageId = await scene.message();
  const to = { externalUserId: 'user-0' };
  await scene.one.value(scene.app, 'message.test', {
    id: messageId,
    ref: to,
    to,
    claim: null,
  } as never);
  await scene.run();
  await engage(scene, tokenOf(scene.sent[1] as Attempt));
  t.match(scene.events('opened').at(-1), { meta: { test: true } });
});

t.test('who was erased leaves no trace by a mail that they still have', async (t) => {
  const { scene, sent } = await withCampaign();
  const { items } = await scene.one.value(scene.app, 'subscriber.list', { limit: 1 });
  const erased = sent.find(({ email }) => email?.person === items[0]?.person) as Attempt;
  const ref = { id: items[0]?.id as string };
  await scene.one.value(scene.app, 'subscriber.erase', { ref } as never);
  await scene.run();
  const { durableSeq } = scene.one.store;
  await engage(scene, tokenOf(erased));
  await engage(scene, tokenOf(erased, 'https://a.test/'));
  await engage(scene, { ...tokenOf(erased), person: 4_000_000_000 });
  t.equal(scene.one.store.durableSeq, durableSeq);
});

t.test('a mail of an app without tracking has no marks', async (t) => {
  const scene = await open();
  await scene.people(1, ['email']);
  await scene.settings({ emailTracking: false });
  await scene.sentCampaign({ channels: ['email'] });
  t.same(marksOf(scene.sent[0] as Attempt, signing), {});
});

t.test('what a machine opens is an event, and counts for no person', async (t) => {
  const { scene, id, sent } = await withCampaign();
  const apple = 'Mozilla/5.0';
  const activeNow = async () => {
    const { items } = await scene.one.value(scene.app, 'subscriber.list', { limit: 10 });
    const refs = items.map(({ id: subscriber }) => ({ id: subscriber }));
    const read = refs.map((ref) => scene.one.value(scene.app, 'subscriber.read', { ref }));
    return (await Promise.all(read)).map(({ lastActiveMs }) => lastActiveMs);
  };
  const membersOf = (filter: Filter) => countOf(filter, scene.state.traits, scene.one.clock.nowMs);
  const before = await activeNow();
  const [first, second] = sent as [Attempt, Attempt];
  await engage(scene, tokenOf(first), apple);
  await engage(scene, tokenOf(first, 'https://a.test/1'), apple);
  t.match(scene.events('opened', 'clicked'), [
    { name: 'opened', meta: { machine: true } },
    { name: 'clicked', meta: { machine: true } },
  ]);
  t.same(await activeNow(), before, 'nobody was active');
  t.equal(membersOf({ event: 'opened', withinDays: 7 }), 0);
  t.equal(membersOf({ activeWithinDays: 7 }), 0);
  t.match(await scene.stats(id), { opened: 0, clicked: 0 });

  await engage(scene, tokenOf(second));
  t.equal(membersOf({ event: 'opened', withinDays: 7 }), 1);
  t.equal(membersOf({ activeWithinDays: 7 }), 1);
  t.ok(scene.isMemoryOfLog());
});

t.test('what a machine clicks enrolls nobody, and reaches no goal', async (t) => {
  const one = await JourneyScene.open({ available: ['email'] });
  const { scene } = one;
  await scene.people(2, ['email']);
  await one.journey({
    triggerEvent: 'clicked',
    steps: [send('hi', 'hi', { channels: ['email'] })],
  });
  const { id } = await scene.sentCampaign({
    channels: ['email'],
    goal: { event: 'clicked', withinHours: 24 },
  });
  const [first, second] = scene.sent as readonly Attempt[] as [Attempt, Attempt];
  await engage(scene, tokenOf(first, 'https://a.test/1'), 'curl/8.0');
  await scene.run();
  t.equal(scene.events('journey_enrolled').length, 0);
  t.match(await scene.stats(id), { converted: 0 });
  await engage(scene, tokenOf(second, 'https://a.test/1'));
  await scene.run();
  t.equal(scene.events('journey_enrolled').length, 1);
  t.match(await scene.stats(id), { converted: 1 });
});

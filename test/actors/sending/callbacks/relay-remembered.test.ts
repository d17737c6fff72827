// What a mail remembers of its relay: late facts count for the one that sent it, and stories call
// it as it was called then.

import t from 'tap';
import { markOfDevice } from '../../../../actors/channels/email/return-path.ts';
import type { Attempt } from '../../../../actors/channels/port/attempt.ts';
import type { DeliveryReport } from '../../../../actors/channels/port/delivery-report.ts';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { storyOfSend } from '../../../../actors/insight/timeline/send-story.ts';
import { sentenceOf } from '../../../../actors/insight/timeline/sentences.ts';
import { Scene } from '../../programs/campaigns/scene.ts';
import { JourneyScene, send } from '../../programs/journeys/support/journey-scene.ts';
import { eventOf, tellRelay } from './relay.ts';

const down: Outcome = { outcome: 'config', reason: 'relay_refused' };

async function addRelay(scene: Scene, name: string, more: object = {}): Promise<string> {
  const { id } = await scene.one.value(scene.app, 'relay.create', {
    channel: 'email',
    relayKind: 'smtp',
    input: { name, config: { host: 'mail.example.com' }, ...more },
  });
  return id;
}

/** What a returned mail says, which no relay tells. */
function tellReturned(scene: Scene, { sendId, deviceId, email }: Attempt, news: DeliveryReport) {
  const mark = markOfDevice(deviceId) ?? 0;
  const body = { sendId, person: email?.person ?? 0, deviceMark: mark, news };
  return scene.one.value(scene.app, 'callback.email', body);
}

async function countsOf(scene: Scene, fact: 'complained' | 'bouncedHard' | 'openedByMachines') {
  const { relays } = await scene.one.value(scene.app, 'mailboxes.read', { days: 1 });
  const sums = relays.map(({ relay, counts }) => [relay, counts[fact].reduce((a, b) => a + b, 0)]);
  return Object.fromEntries(sums.filter(([, sum]) => sum !== 0));
}

const accepted: Outcome = { outcome: 'accepted' };
const noMailbox = { kind: 'failed', reason: 'mailbox_not_found', effect: 'dead' } as const;

t.test('late facts of a campaign count for the relay of each mail', async (t) => {
  const scene = await Scene.open({ available: ['email'], mailbox: true });
  const first = await addRelay(scene, 'SES Frankfurt', { order: 1 });
  const second = await addRelay(scene, 'Postmark', { order: 2 });
  await scene.people(40, ['email']);
  const by = new Map<string, Attempt[]>([
    [first, []],
    [second, []],
  ]);
  scene.answers = (attempt, relay = '') => {
    const mails = by.get(relay) ?? [];
    if (relay === first && mails.length === 15) return down;
    mails.push(attempt);
    return accepted;
  };
  const { id } = await scene.sentCampaign({ channels: ['email'] });
  t.match(await scene.stats(id), { delivered: 40 });
  t.equal(by.get(first)?.length, 15);
  t.equal(by.get(second)?.length, 25, 'the second took what the first refused');
  await scene.crash();
  t.ok(scene.isMemoryOfLog(), 'also after the log was read again');
  for (const mail of by.get(first) ?? []) await tellReturned(scene, mail, { kind: 'complained' });
  for (const mail of by.get(second)?.slice(0, 4) ?? []) await tellReturned(scene, mail, noMailbox);
  t.same(await countsOf(scene, 'complained'), { [first]: 15 }, 'though the second sent later');
  t.same(await countsOf(scene, 'bouncedHard'), { [second]: 4 });
  t.ok(scene.isMemoryOfLog());
});

t.test('a late bounce of a journey names the journey, and counts for its relay', async (t) => {
  const one = await JourneyScene.open({ available: ['email'], mailbox: true });
  const { scene } = one;
  const first = await addRelay(scene, 'SES Frankfurt', { order: 2 });
  await scene.people(2, ['email']);
  const hello = send('hello', 'hello', { channels: ['email'] });
  const { id } = await one.journey({ triggerEvent: 'signup', steps: [hello] });
  await one.track({ name: 'signup', user: 'user-0' });
  await scene.run();
  const second = await addRelay(scene, 'Postmark', { order: 1 });
  await one.track({ name: 'signup', user: 'user-1' });
  await scene.run();
  await tellReturned(scene, scene.sent[0] as Attempt, noMailbox);
  t.match(one.stored('bounced'), [{ journeyId: id, meta: { journeyId: id } }]);
  t.same(await countsOf(scene, 'bouncedHard'), { [first]: 1 });
  await tellReturned(scene, scene.sent[1] as Attempt, { kind: 'complained' });
  t.same(await countsOf(scene, 'complained'), { [second]: 1 });
  t.ok(scene.isMemoryOfLog());
});

t.test('a step of a journey chooses the stream of its email, and not who may get it', async (t) => {
  const one = await JourneyScene.open({ available: ['email'], mailbox: true });
  const { scene } = one;
  const receipts = await addRelay(scene, 'Receipts', { streams: ['transactional'] });
  const newsletters = await addRelay(scene, 'Newsletters', { streams: ['marketing'] });
  await scene.people(2, ['email']);
  await scene.optOut('email', 'user-1@example.com');
  const steps = [
    send('code', 'code', { channels: ['email'], stream: 'transactional' }),
    send('tips', 'tips', { channels: ['email'] }),
  ];
  await one.journey({ triggerEvent: 'signup', steps });
  const by: string[] = [];
  scene.answers = ({ stream }, relay = '') => {
    by.push(`${stream} ${relay}`);
    return accepted;
  };
  await one.track({ name: 'signup', user: 'user-0' }, { name: 'signup', user: 'user-1' });
  t.same(by.sort(), [`transactional ${receipts}`, `undefined ${newsletters}`].sort());
  await tellReturned(scene, scene.sent.find(({ stream }) => stream) as Attempt, noMailbox);
  t.same(await countsOf(scene, 'bouncedHard'), { [receipts]: 1 });
  t.ok(scene.isMemoryOfLog());
});

t.test('a mail of a campaign that is gone still counts as marketing', async (t) => {
  const scene = await Scene.open({ available: ['email'], mailbox: true });
  const marketing = await addRelay(scene, 'Newsletters', { streams: ['marketing'] });
  await addRelay(scene, 'Receipts', { streams: ['transactional'] });
  await scene.people(1, ['email']);
  const { id } = await scene.sentCampaign({ channels: ['email'] });
  await notify(scene);
  await scene.one.value(scene.app, 'campaign.delete', { id });
  await tellReturned(scene, scene.sent[0] as Attempt, { kind: 'complained' });
  t.same(await countsOf(scene, 'complained'), { [marketing]: 1 });
});

async function notify(scene: Scene): Promise<string> {
  const { id } = await scene.one.value(scene.app, 'transactional.accept', {
    request: { to: { externalUserId: 'user-0' }, channels: ['email'], title: 'Hi', body: 'Hi' },
    claim: null,
  } as never);
  await scene.run();
  return id;
}

async function storyOf(scene: Scene, id: string): Promise<readonly string[]> {
  const question = { id, withStory: true, withContent: false };
  const { told, readMs } = await scene.one.value(scene.app, 'send.explain', question);
  return storyOfSend(told, id, readMs).map((entry) => sentenceOf(entry));
}

t.test('a story calls a relay as it was called then', async (t) => {
  const scene = await Scene.open({ available: ['email'] });
  const relayId = await addRelay(scene, 'SES Frankfurt');
  await scene.one.value(scene.app, 'relay.reported', { relayId });
  await scene.people(1, ['email']);
  let tries = 0;
  scene.answers = () =>
    tries++ === 0
      ? { outcome: 'retry', reason: 'unavailable' }
      : { outcome: 'accepted', reports: true };
  const id = await notify(scene);
  await scene.advance(10 * 60_000);
  await scene.run();
  const told = [
    'Engage accepted the message for Email.',
    'Call 1 to SES Frankfurt failed. The provider was temporarily unavailable or too busy.',
    'SES Frankfurt accepted the message on call 2, and will report the result.',
  ];
  t.same(await storyOf(scene, id), told);
  const rename = (name: string) =>
    scene.one.value(scene.app, 'relay.update', { relayId, input: { name } });
  await rename('SES Ireland');
  const sent = scene.sent[0] as Attempt;
  const reply = { code: 451, text: 'later' };
  await tellRelay(scene, [eventOf(scene, sent, { kind: 'deferred', reply })], relayId);
  await tellRelay(scene, [eventOf(scene, sent, { kind: 'delivered' })], relayId);
  await scene.one.value(scene.app, 'relay.delete', { relayId });
  t.same(
    (await storyOf(scene, id)).toSorted(),
    [
      ...told,
      "SES Ireland reported that the recipient's server asked to wait. It keeps trying.",
      'SES Ireland reported that the message was delivered.',
    ].toSorted(),
  );
  const meta = (name: string) => scene.events(name)[0]?.meta;
  t.match(meta('sent'), { relay: relayId, relayName: 'SES Frankfurt' });
  t.match(meta('delivered'), { relay: relayId, relayName: 'SES Ireland' });
});

t.test('who unsubscribes at a relay gets no more marketing', async (t) => {
  const scene = await Scene.open({ available: ['email'] });
  const relayId = await addRelay(scene, 'SendGrid');
  await scene.people(1, ['email']);
  scene.answers = () => ({ outcome: 'accepted', reports: true });
  const { id } = await scene.sentCampaign({ channels: ['email'] });
  const left = eventOf(scene, scene.sent[0] as Attempt, { kind: 'unsubscribed' });
  t.match(await tellRelay(scene, [left], relayId), { taken: 1 });
  t.match(await tellRelay(scene, [left, left], relayId), { repeated: 2 });
  const { items } = await scene.one.value(scene.app, 'suppression.list', { limit: 10 });
  t.match(items, [{ source: 'unsubscribe', reason: 'unsubscribed_at_relay', scope: 'marketing' }]);
  t.equal(items.length, 1);
  const events = scene.events('unsubscribed');
  t.equal(events.length, 1);
  t.match(events, [{ campaignId: id, meta: { source: 'unsubscribe', relayName: 'SendGrid' } }]);
  t.match(await scene.stats(id), { delivered: 1, unsubscribed: 1 }, 'it has arrived, too');
  await notify(scene);
  t.equal(scene.sent.length, 2, 'receipts still reach it');
  const again = await scene.sentCampaign({ channels: ['email'] });
  t.match(await scene.stats(again.id), { sent: 0, suppressed: 1 });
  t.ok(scene.isMemoryOfLog());
});

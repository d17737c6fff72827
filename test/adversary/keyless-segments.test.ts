// Events that anyone can send choose who is in a segment, and who has reached a goal: a stranger
// starts journeys with them, converts runs, and feeds campaigns.

import { createHmac } from 'node:crypto';
import t from 'tap';
import { afterKill } from '../support/after-kill.ts';
import { until } from '../support/server.ts';
import { eventsOf, stranger, victim } from './stranger.ts';

const all = await victim(t);
const { api, app, base } = all;
const { secret } = await api.must(`POST ${base}/identity-secret`);
await api.must(`PATCH ${base}/settings`, {
  identityVerification: 'first-use',
  keylessEvents: { startJourneys: false },
});
const vera = await api.must(`POST ${base}/subscribers`, { externalUserId: 'vera' });

const forge = (name: string, more: object = {}) =>
  stranger(all).must('POST /e', eventsOf(all, [{ name, subscriberId: vera.id, ...more }]));
const byVera = async (name: string) => {
  const identityHash = createHmac('sha256', secret).update('vera').digest('hex');
  const login = { appId: app, externalUserId: 'vera', identityHash };
  const { clientToken } = await stranger(all).must('POST /v1/sdk/subscriber', login);
  const body = eventsOf(all, [{ name, externalUserId: 'vera' }]);
  await stranger(all).call('POST /e', body, { authorization: `Bearer ${clientToken}` });
};
const byKey = (name: string) =>
  api.must('POST /e', eventsOf(all, [{ name, externalUserId: 'vera' }]));
const enrolledIn = async (id: string) =>
  (await api.must(`GET ${base}/journeys/${id}/stats`)).enrolled as number;

/** A live journey of those who enter a segment. */
async function ofSegment(name: string, filter: object) {
  const { id: segmentId } = await api.must(`POST ${base}/segments`, { name, filter });
  const { id } = await api.must(`POST ${base}/journeys`, {
    name,
    triggerSegmentId: segmentId,
    reentry: 'always',
    steps: [{ id: 's', type: 'send', message: { title: 'An offer', body: 'For you' } }],
  });
  await api.must(`PATCH ${base}/journeys/${id}`, { active: true });
  return { id: id as string, segmentId: segmentId as string };
}

t.test('with startJourneys off, nor do they through a segment', async (t) => {
  const offered = { event: 'offered', withinDays: 30 };
  const once = await ofSegment('Saw the offer', offered);
  const twice = await ofSegment('Saw it twice', { ...offered, atLeast: 2 });
  const vip = await ofSegment('VIP', { tag: 'vip', eq: true });
  for (let i = 0; i < 3; i++) await forge('offered');
  const thief = await stranger(all).must('POST /v1/sdk/subscriber', { appId: app });
  const { clientToken } = thief;
  const asVip = { appId: app, clientToken, tags: { vip: true } };
  await stranger(all).must('POST /v1/sdk/tags', asVip);
  const enrolled = () => Promise.all([once, twice, vip].map(({ id }) => enrolledIn(id)));
  const counts = () =>
    Promise.all(
      [once, twice, vip].map(
        async ({ segmentId }) =>
          (await api.must(`GET ${base}/segments/${segmentId}/count`)).count as number,
      ),
    );
  t.same(await counts(), [1, 1, 1], 'a segment holds whoever it describes');
  t.same(await enrolled(), [0, 0, 0]);
  afterKill(all.server, 'what strangers send starts no journey, what is proven does', async (t) => {
    for (let i = 0; i < 3; i++) await forge('offered', { id: `again-${i}` });
    t.same(
      [await counts(), await enrolled()],
      [
        [1, 1, 1],
        [0, 0, 0],
      ],
    );
    await byVera('offered');
    await api.must(`PATCH ${base}/subscribers/${thief.subscriberId}`, { tags: { seen: 1 } });
    await until(
      async () => (await enrolled()).every((count) => count === 1),
      () => 'what is proven does not start them', // the second counts again after the start
    );
    await byKey('offered');
    t.same(await enrolled(), [1, 1, 1]);
  });
});

t.test('with countEngagement off, forged goals convert nobody', async (t) => {
  await api.must(`PATCH ${base}/settings`, { keylessEvents: { countEngagement: false } });
  const { id } = await api.must(`POST ${base}/journeys`, {
    name: 'Buy',
    triggerEvent: 'came',
    steps: [{ id: 'g', type: 'goal', event: 'bought', timeoutHours: 48 }],
  });
  await api.must(`PATCH ${base}/journeys/${id}`, { active: true });
  const stats = () => api.must(`GET ${base}/journeys/${id}/stats`);
  await byKey('came');
  await forge('bought');
  t.match(await stats(), { enrolled: 1, inFlow: 1, converted: 0 });
  await byVera('bought');
  t.match(await stats(), { enrolled: 1, inFlow: 0, converted: 1 });
});

t.test('a dry run says that strangers can choose the audience', async (t) => {
  const message = await api.must(`POST ${base}/messages`, { title: 'Offer', body: 'Hi' });
  const dryRun = async (filter: object) => {
    const body = { name: 'Offer', messageId: message.id, filter };
    const { id } = await api.must(`POST ${base}/campaigns`, body);
    return api.must(`POST ${base}/campaigns/${id}/dry-run`);
  };
  const invented = [{ name: 'hyped', externalUserId: 'invented-1' }];
  await stranger(all).must('POST /e', eventsOf(all, invented));
  await forge('hyped');
  const ofEvent = await dryRun({ all: [{ event: 'hyped', withinDays: 7 }] });
  t.match(ofEvent, { audience: 2, unvouched: 1, warnings: [{ code: 'keyless_events' }] });
  t.match(ofEvent.warnings[0].message, /hyped/);
  t.match(await dryRun({ activeWithinDays: 7 }), { warnings: [{ code: 'keyless_events' }] });
  t.same((await dryRun({ tag: 'vip', eq: true })).warnings, []);
  t.same((await dryRun({ event: 'delivered', withinDays: 7 })).warnings, []);
  await api.must(`PATCH ${base}/settings`, { identityVerification: 'required' });
  t.same((await dryRun({ event: 'hyped', withinDays: 7 })).warnings, []);
  await api.must(`PATCH ${base}/settings`, { identityVerification: 'first-use' });
});

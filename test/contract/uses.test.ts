// `GET …/segments/:id/uses` and `GET …/messages/:id/uses`: what breaks if it goes.

import t from 'tap';
import { chapter } from './chapter.ts';

const { api, base, refuses } = await chapter(t);
const { id: seg } = await api.must(`POST ${base}/segments`, {
  name: 'Pro',
  filter: { tag: 'plan', eq: 'pro' },
});
const { id: msg } = await api.must(`POST ${base}/messages`, {
  name: 'Hi',
  title: 'Hi',
  body: 'Hi',
});
const { id: other } = await api.must(`POST ${base}/messages`, { title: 'Other', body: 'Other' });
const segmentUses = () => api.must(`GET ${base}/segments/${seg}/uses`);
const messageUses = () => api.must(`GET ${base}/messages/${msg}/uses`);

t.test('nothing uses what is new', async (t) => {
  t.same(await segmentUses(), { items: [], total: 0 });
  t.same(await messageUses(), { items: [], total: 0 });
});

t.test('campaigns, journeys and in-app messages are told with their states', async (t) => {
  const campaign = await api.must(`POST ${base}/campaigns`, {
    name: 'Spring',
    messageId: msg,
    segmentId: seg,
    schedule: { type: 'at', at: '2099-01-01T00:00:00Z' },
  });
  const variants = await api.must(`POST ${base}/campaigns`, {
    name: 'Test',
    messageId: other,
    variants: [
      { id: 'a', messageId: other, weight: 1 },
      { id: 'b', messageId: msg, weight: 1 },
    ],
    schedule: { type: 'at', at: '2099-01-01T00:00:00Z' },
  });
  const journey = await api.must(`POST ${base}/journeys`, {
    name: 'Welcome',
    triggerSegmentId: seg,
    steps: [{ id: 'one', type: 'send', messageId: msg }],
  });
  const inApp = (body: object) =>
    api.must(`POST ${base}/in-app-messages`, { messageId: msg, ...body });
  const shown = await inApp({});
  const later = await inApp({ startAt: '2099-01-01T00:00:00Z' });
  const over = await inApp({ startAt: '2020-01-01T00:00:00Z', endAt: '2020-02-01T00:00:00Z' });
  await api.must(`POST ${base}/in-app-messages`, { messageId: other });
  const used = (kind: string, { id }: { id: string }, name: string | null, state: string) => ({
    kind,
    id,
    name,
    state,
  });
  const ofBoth = [
    used('campaign', campaign, 'Spring', 'draft'),
    used('journey', journey, 'Welcome', 'inactive'),
  ];
  t.same(await segmentUses(), { items: ofBoth, total: 2 });
  t.same(await messageUses(), {
    items: [
      ofBoth[0],
      used('campaign', variants, 'Test', 'draft'),
      ofBoth[1],
      used('in_app_message', shown, null, 'showing'),
      used('in_app_message', later, null, 'scheduled'),
      used('in_app_message', over, null, 'ended'),
    ],
    total: 6,
  });
  await api.must(`PATCH ${base}/journeys/${journey.id}`, { active: true });
  t.match((await segmentUses()).items, [{}, { kind: 'journey', state: 'active' }]);
  await api.must(`DELETE ${base}/campaigns/${campaign.id}`);
  t.match(await segmentUses(), { total: 1, items: [{ kind: 'journey' }] });
});

t.test('what does not exist has no uses', async (t) => {
  for (const line of [
    `GET ${base}/segments/seg_${'0'.repeat(26)}/uses`,
    `GET ${base}/messages/msg_${'0'.repeat(26)}/uses`,
  ])
    await refuses(t, line, undefined, { status: 404 });
});

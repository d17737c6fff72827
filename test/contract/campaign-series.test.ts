// A campaign over time, over HTTP: what the stats count at once, by bucket.

import t from 'tap';
import { eventually } from '../support/server.ts';
import { chapter } from './chapter.ts';

const { api, app, base, refuses, takes } = await chapter(t);
const campaigns = `${base}/campaigns`;

t.test('a series begins with the campaign and sums up to its stats', async (t) => {
  for (const name of ['ada', 'ben'])
    await api.must(`POST ${base}/subscribers`, {
      externalUserId: name,
      devices: [{ channel: 'fcm', endpoint: `token-of-${name}` }],
    });
  const { id: messageId } = await api.must(`POST ${base}/messages`, { title: 'Hi', body: 'Hi' });
  const { id } = await api.must(`POST ${campaigns}`, { messageId, channels: ['fcm'] });
  const series = `GET ${campaigns}/${id}/series`;
  t.same(await api.must(series), { interval: 'hour', items: [] }, 'nothing before it starts');
  await api.must(`POST ${campaigns}/${id}/send`);
  await eventually(async () => {
    const stats = await api.must(`GET ${campaigns}/${id}/stats`);
    return stats.delivered === 2 || undefined;
  }, 'the campaign does not deliver');
  await api.must('POST /e', {
    appId: app,
    events: ['ada', 'ada', 'ben', 'stranger'].map((externalUserId) => ({
      name: 'opened',
      externalUserId,
      campaignId: id,
    })),
  });
  for (const interval of ['minute', 'hour', 'day']) {
    const { json } = await takes(t, `${series}?interval=${interval}`, undefined, 200);
    const sum = (name: string) =>
      json.items.reduce((sum: number, one: Record<string, number>) => sum + (one[name] ?? 0), 0);
    t.equal(json.interval, interval);
    t.equal(sum('delivered'), 2);
    t.equal(sum('opened'), 3, 'a stranger who names the campaign opened nothing');
    t.equal(sum('peopleOpened'), 2);
    t.equal(sum('clicked'), 0);
  }
  const later = '2099-01-01T00:00:00Z';
  t.same((await api.must(`${series}?from=${later}`)).items, []);
  await refuses(t, `${series}?from=${later}&to=2098-01-01T00:00:00Z`, undefined, {
    status: 400,
    field: 'to',
  });
  await refuses(t, `${series}?interval=week`, undefined, { status: 400, field: 'interval' });
});

t.test('an unknown campaign has no series', async (t) => {
  await refuses(t, `GET ${campaigns}/cmp_${'0'.repeat(26)}/series`, undefined, {
    status: 404,
    error: 'campaign not found',
  });
});

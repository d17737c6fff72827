// Contract, section 11: insights over HTTP. They count what was acknowledged, whole and at once, and say what is wrong with
// a question by the name of its member.

import t from 'tap';
import { client } from '../support/server.ts';
import { chapter } from './chapter.ts';

const { api, app, base, server, takes, refuses } = await chapter(t);
const dayMs = 86_400_000;

const track = (
  externalUserId: string,
  ...events: { name: string; daysAgo?: number; props?: object }[]
) =>
  api.must('POST /e', {
    appId: app,
    events: events.map(({ daysAgo = 0, ...event }) => ({
      ...event,
      externalUserId,
      at: new Date(Date.now() - daysAgo * dayMs).toISOString(),
    })),
  });
const insight = (path: string) => api.must(`GET /v1/insights/${path}`);
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

const { apiKey: _key, ...other } = await api.must('POST /v1/apps', { name: 'Other' });
const { key: ofOneApp } = await api.must('POST /v1/keys', {
  name: 'One app',
  scopes: ['read'],
  appId: app,
});

await track('ada', { name: 'visit', daysAgo: 3 }, { name: 'visit' }, { name: 'order' });
await track('ben', { name: 'visit', daysAgo: 3 }, { name: 'visit', daysAgo: 40 });
await track('eve', { name: 'order', daysAgo: 20 });

t.test(
  'trends have every bucket of the span, and count what was acknowledged before',
  async (t) => {
    const { interval, buckets } = await insight(
      `event-trends?appId=${app}&events=visit,nothing&days=7`,
    );
    t.equal(interval, 'day');
    t.equal(buckets.length, 7);
    for (const { at, counts } of buckets) {
      t.match(at, /T00:00:00.000Z$/);
      t.same(Object.keys(counts), ['visit', 'nothing']);
    }
    const of = (name: string) =>
      sum(buckets.map(({ counts }: { counts: Record<string, number> }) => counts[name] ?? 0));
    t.equal(of('visit'), 3);
    t.equal(of('nothing'), 0);
    const all = await insight(`event-trends?appId=${app}`);
    t.equal(all.buckets.length, 30);
    t.same(Object.keys(all.buckets[0].counts), ['visit', 'order']);
    const weeks = await insight(`event-trends?appId=${app}&interval=week&days=90&events=visit`);
    t.ok(weeks.buckets.length >= 13 && weeks.buckets.length <= 14);
    t.equal(sum(weeks.buckets.map(({ counts }: { counts: { visit: number } }) => counts.visit)), 4);
    const hours = await insight(`event-trends?appId=${app}&interval=hour&days=1`);
    t.ok(hours.buckets.length >= 1 && hours.buckets.length <= 24);
  },
);

t.test('what is wrong with a question is said by the name of its member', async (t) => {
  const trends = 'GET /v1/insights/event-trends';
  await refuses(t, trends, undefined, { status: 400, field: 'appId' });
  await refuses(t, `${trends}?appId=app_x`, undefined, { status: 404, field: 'appId' });
  await refuses(t, `${trends}?appId=${app}&days=0`, undefined, { status: 400, field: 'days' });
  await refuses(t, `${trends}?appId=${app}&days=x`, undefined, { status: 400, field: 'days' });
  await refuses(t, `${trends}?appId=${app}&days=1.5`, undefined, { status: 400, field: 'days' });
  await refuses(t, `${trends}?appId=${app}&days=91`, undefined, {
    status: 400,
    field: 'days',
    error: /keeps events for 90 days; expected 1 to 90/,
  });
  await refuses(t, `${trends}?appId=${app}&interval=month`, undefined, {
    status: 400,
    field: 'interval',
    error: /expected one of hour, day, week/,
  });
  const names = Array.from({ length: 21 }, (_, n) => `n${n}`).join(',');
  await refuses(t, `${trends}?appId=${app}&events=${names}`, undefined, {
    status: 400,
    field: 'events',
    error: /at most 20 names/,
  });
  await refuses(t, `${trends}?appId=${app}&events=`, undefined, { status: 400 });
  await refuses(t, `${trends}?appId=${app}&day=1`, undefined, { status: 400, field: 'day' });
});

t.test('a key of one app means its own app, and sees no other', async (t) => {
  const one = client(server.url, ofOneApp);
  const { buckets } = await one.must('GET /v1/insights/event-trends?days=1');
  t.equal(buckets.length, 1);
  t.equal((await one.call(`GET /v1/insights/event-trends?appId=${other.id}`)).status, 404);
  t.equal((await one.call(`GET /v1/insights/event-trends?appId=${app}`)).status, 200);
});

t.test('an app that keeps events for a week is asked about a week', async (t) => {
  const line = `GET /v1/insights/event-trends?appId=${other.id}`;
  await takes(t, `PATCH /v1/apps/${other.id}/settings`, { eventsRetentionDays: 7 }, 200);
  t.equal((await takes(t, line, undefined, 200)).json.buckets.length, 7);
  await refuses(t, `${line}&days=8`, undefined, { status: 400, field: 'days', error: /1 to 7/ });
});

t.test('who is erased is in no insight, and a restart changes nothing', async (t) => {
  await track('gone', { name: 'visit' }, { name: 'only-theirs' });
  await takes(t, `DELETE ${base}/subscribers/external:gone`, undefined, 204);
  const line = `event-trends?appId=${app}&days=10`;
  const before = await insight(line);
  t.notOk('only-theirs' in before.buckets[0].counts);
  await server.stop();
  await server.start();
  t.same(await insight(line), before);
});

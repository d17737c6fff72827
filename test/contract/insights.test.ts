// Contract, section 11: insights over HTTP. They count what was acknowledged, whole and at once,
// and say what is wrong with a question by the name of its member.

import t from 'tap';
import { client, eventually } from '../support/server.ts';
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

t.test('a page with eight charts gets them all', async (t) => {
  const days = [1, 2, 3, 4, 5, 6, 7, 8];
  const charts = await Promise.all(
    days.map((n) => api.call(`GET /v1/insights/event-trends?appId=${app}&events=visit&days=${n}`)),
  );
  t.same(
    charts.map(({ status }) => status),
    days.map(() => 200),
  );
});

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
    t.same((await insight(`event-trends?appId=${app}&origin=engage`)).buckets[0].counts, {});
    const own = await insight(`event-trends?appId=${app}&origin=app`);
    t.same(own.buckets, all.buckets);
    const weeks = await insight(`event-trends?appId=${app}&interval=week&days=90&events=visit`);
    t.ok(weeks.buckets.length >= 13 && weeks.buckets.length <= 14);
    t.equal(sum(weeks.buckets.map(({ counts }: { counts: { visit: number } }) => counts.visit)), 4);
    const hours = await insight(`event-trends?appId=${app}&interval=hour&days=1`);
    t.ok(hours.buckets.length >= 1 && hours.buckets.length <= 24);
  },
);

t.test('growth counts who was created, and a funnel who went on', async (t) => {
  const { buckets } = await insight(`subscriber-growth?appId=${app}&days=3&interval=day`);
  t.equal(buckets.length, 3);
  t.equal(sum(buckets.map((one: { new: number }) => one.new)), 3);
  t.equal(buckets.at(-1).total, 3);
  const years = await insight(`subscriber-growth?appId=${app}&days=3660&interval=week`);
  t.ok(years.buckets.length >= 523);
  const steps = [{ event: 'visit' }, { event: 'order' }];
  const body = { appId: app, steps, days: 30 };
  const funnel = (await takes(t, 'POST /v1/insights/funnel', body, 200)).json;
  t.match(funnel.steps, [
    { event: 'visit', count: 2, conversionFromPrevious: null, conversionFromFirst: 1 },
    { event: 'order', count: 1, conversionFromPrevious: 0.5, conversionFromFirst: 0.5 },
  ]);
  t.equal(funnel.steps[0].medianSecondsFromPrevious, null);
  const filtered = async (filter: object) =>
    (await api.must('POST /v1/insights/funnel', { ...body, filter })).steps[0];
  await api.must(`POST ${base}/subscribers`, { externalUserId: 'ben', tags: { plan: 'pro' } });
  t.match(await filtered({ tag: 'plan', eq: 'pro' }), { count: 1 });
  t.match(
    await filtered({ event: 'visit', withinDays: 30, atLeast: 2 }),
    { count: 1 },
    'what a filter counts and no column has is read first',
  );
  t.match(await filtered({ tag: 'plan', eq: 'none' }), { count: 0, conversionFromFirst: null });
});

t.test('retention and recency are told of everybody who was active', async (t) => {
  const { interval, cohorts } = await insight(`retention?appId=${app}&interval=day&periods=3`);
  t.equal(interval, 'day');
  const followed = cohorts.map((one: { periods: object[] }) => one.periods.length);
  t.same(followed, [3, 2, 1]);
  t.equal(sum(cohorts.map((one: { people: number }) => one.people)), 3);
  // Only Ada was active since she came; what the others did was long before.
  const active = cohorts.flatMap((one: { periods: object[] }) => one.periods);
  t.equal(sum(active.map((one: { active: number }) => one.active)), 1);
  t.match(cohorts[0], { people: 0, periods: [{ at: cohorts[0].at, active: 0, share: null }] });
  await track(
    'ada',
    { name: 'buy', props: { total: 0.1 } },
    { name: 'buy', props: { total: 0.2 } },
  );
  await track('eve', { name: 'buy', daysAgo: 2, props: { total: 'free' } });
  const table = await insight(`rfm?appId=${app}&event=buy&valueProp=total`);
  t.equal(table.people, 2);
  t.equal(table.cells.length, 25);
  t.same(table.edges.frequency, [1, 1, 2, 2]);
  const some = table.cells.filter(({ people }: { people: number }) => people > 0);
  t.same(some, [
    { recency: 1, frequency: 1, people: 1, value: 0 },
    { recency: 3, frequency: 3, people: 1, value: 0.3 },
  ]);
  const nobody = await insight(`rfm?appId=${app}&event=never`);
  t.same(nobody.edges, { recency: [], frequency: [] });
});

t.test('receipts are told by channel and by the hour of the week', async (t) => {
  await api.must(`POST ${base}/subscribers`, {
    externalUserId: 'reached',
    timezone: 'Asia/Kathmandu',
    devices: [{ channel: 'email', endpoint: 'reached@example.com' }],
  });
  t.same(await insight(`channel-health?appId=${app}`), { channels: {} });
  const { id } = await api.must(`POST ${base}/notifications`, {
    externalUserId: 'reached',
    title: 'x',
    body: 'x',
  });
  const { outcomes } = await eventually(async () => {
    const view = await api.must(`GET ${base}/notifications/${id}`);
    return view.status === 'delivered' ? view : undefined;
  }, 'it is not delivered');
  t.same(await insight(`channel-health?appId=${app}&days=2`), {
    channels: { email: { delivered: 1, bounced: 0, suppressed: 0, failed: 0, bounceRate: 0 } },
  });
  await track('reached', { name: 'opened' }, { name: 'opened' }, { name: 'clicked' });
  const { cells } = await insight(`engagement-heatmap?appId=${app}&days=2`);
  t.equal(cells.length, 168);
  t.match(cells[0], { weekday: 0, hour: 0 });
  const total = (name: string) => sum(cells.map((cell: Record<string, number>) => cell[name]));
  t.same([total('delivered'), total('opened'), total('clicked')], [1, 2, 1]);
  const there = new Date(Date.parse(outcomes[0].at) + 5.75 * 3_600_000);
  const cell = cells.find((one: { delivered: number }) => one.delivered === 1);
  const [quiet] = cells.filter((one: { opened: number }) => one.opened === 0);
  t.match(quiet, { delivered: 0, opened: 0, clicked: 0 });
  t.match(cell, { weekday: (there.getUTCDay() + 6) % 7, hour: there.getUTCHours() });
  t.same(await insight(`delivery-failures?appId=${app}`), { items: [] });
});

t.test(
  'the app of a body may as well be named by the query, and not by both in two ways',
  async (t) => {
    const steps = [{ event: 'visit' }, { event: 'order' }];
    const rows = [{ externalUserId: 'ada' }];
    for (const [line, body] of [
      ['POST /v1/insights/funnel', { steps }],
      ['POST /v1/import/subscribers', { rows }],
    ] as const) {
      const named = await takes(t, line, { ...body, appId: app }, 200);
      for (const inBody of [{}, { appId: app }]) {
        const { json } = await takes(t, `${line}?appId=${app}`, { ...body, ...inBody }, 200);
        t.same(json, named.json);
      }
      const two = { ...body, appId: other.id };
      await refuses(t, `${line}?appId=${app}`, two, { status: 400, field: 'appId' });
      await refuses(t, `${line}?appId=app_x`, body, { status: 404, field: 'appId' });
      await refuses(t, line, body, { status: 400, field: 'appId' });
    }
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
  await refuses(t, `${trends}?appId=${app}&origin=app&events=visit`, undefined, {
    status: 400,
    field: 'origin',
  });
  await refuses(t, `${trends}?appId=${app}&origin=us`, undefined, { status: 400, field: 'origin' });
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
  const funnel = 'POST /v1/insights/funnel';
  const steps = [{ event: 'a' }, { event: 'b' }];
  for (const [field, body] of [
    ['appId', { appId: undefined }],
    ['steps', { steps: steps.slice(1) }],
    ['steps', { steps: Array(11).fill({ event: 'a' }) }],
    ['steps[1].event', { steps: [{ event: 'a' }, { event: '' }] }],
    ['days', { days: 0 }],
    ['days', { days: 91 }],
    ['withinHours', { withinHours: 0.5 }],
    ['withinHours', { withinHours: 2_161 }],
    ['filter', { filter: {} }],
    ['filter.withinDays', { filter: { event: 'a', withinDays: 91 } }],
  ] as const)
    await refuses(t, funnel, { appId: app, steps, ...body }, { status: 400, field });
  for (const [field, line] of [
    ['periods', 'retention?interval=week&periods=13'],
    ['periods', 'retention?periods=0'],
    ['interval', 'retention?interval=hour'],
    ['days', 'rfm?days=91'],
    ['valueProp', 'rfm?valueProp='],
    ['days', 'subscriber-growth?days=3661'],
    ['interval', 'subscriber-growth?days=91&interval=hour'],
  ] as const)
    await refuses(t, `GET /v1/insights/${line}&appId=${app}`, undefined, { status: 400, field });
  for (const path of ['channel-health', 'delivery-failures', 'engagement-heatmap']) {
    const line = `GET /v1/insights/${path}`;
    await refuses(t, line, undefined, { status: 400, field: 'appId' });
    await refuses(t, `${line}?appId=app_x`, undefined, { status: 404, field: 'appId' });
    for (const days of ['0', '91', '1.5', 'x'])
      await refuses(t, `${line}?appId=${app}&days=${days}`, undefined, {
        status: 400,
        field: 'days',
      });
    for (const days of [1, 90]) await takes(t, `${line}?appId=${app}&days=${days}`, undefined, 200);
  }
  const failures = `GET /v1/insights/delivery-failures?appId=${app}`;
  for (const limit of [0, 201])
    await refuses(t, `${failures}&limit=${limit}`, undefined, { status: 400, field: 'limit' });
  for (const limit of [1, 200]) await takes(t, `${failures}&limit=${limit}`, undefined, 200);
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

t.test('who is erased is in no insight, from their deletion on', async (t) => {
  const names = async () => {
    const { buckets } = await insight(`event-trends?appId=${app}&days=1`);
    return Object.keys(buckets[0].counts);
  };
  await track('gone', { name: 'only-theirs' });
  t.ok((await names()).includes('only-theirs'));
  await takes(t, `DELETE ${base}/subscribers/external:gone`, undefined, 204);
  t.notOk((await names()).includes('only-theirs'));
});

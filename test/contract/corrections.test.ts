// What marketers correct, over HTTP: scheduled campaigns, texts that are in use, copies of what
// there is, what is put away.

import t from 'tap';
import { eventually } from '../support/server.ts';
import { chapter } from './chapter.ts';

const { api, base, takes, refuses } = await chapter(t);
const campaigns = `${base}/campaigns`;
const make = async (path: string, body: object): Promise<string> =>
  (await api.must(`POST ${base}/${path}`, body)).id;
const messageId = await make('messages', { name: 'Novelties', title: 'New', body: 'Hi' });
const later = { type: 'at', at: '2099-01-01T00:00:00.000Z' };
const daily = { type: 'recurring', every: 'day', at: '09:00', timezone: 'UTC' };

t.test('a scheduled campaign is unscheduled, by both paths', async (t) => {
  const id = await make('campaigns', { messageId, schedule: later });
  for (const path of [`/v1/campaigns/${id}`, `${campaigns}/${id}`]) {
    await refuses(t, `POST ${path}/unschedule`, undefined, { status: 409, error: /is a draft/ });
    await takes(t, `POST ${path}/send`, undefined, 200);
    const { json } = await takes(t, `POST ${path}/unschedule`, undefined, 200);
    t.match(json, { state: 'draft', nextAt: null });
    await takes(t, `PATCH ${campaigns}/${id}`, { name: 'Other' }, 200);
  }
});

t.test('a send waits for the seconds it names, and is taken back within them', async (t) => {
  for (const at of ['/v1/campaigns', campaigns]) {
    const id = await make('campaigns', { messageId });
    const line = `POST ${at}/${id}/send`;
    for (const delaySeconds of [-1, 0.5, 61, '10', null])
      await refuses(t, line, { delaySeconds }, { status: 400, field: 'delaySeconds' });
    const { json } = await takes(t, line, { delaySeconds: 60 }, 200);
    t.match(json, { state: 'scheduled', undoUntil: json.nextAt });
    const aheadMs = Date.parse(json.undoUntil) - Date.parse(json.updatedAt);
    t.ok(aheadMs >= 59_000 && aheadMs <= 60_000, `${aheadMs} ms ahead`);
    t.same(await api.must(`GET ${campaigns}/${id}`), json);
    const [listed] = (await api.must(`GET ${campaigns}?state=scheduled&order=newest`)).items;
    t.same(listed, json);
    await refuses(t, line, {}, { status: 409, error: /is scheduled; it cannot be sent/ });
    const back = await takes(t, `POST ${at}/${id}/unschedule`, undefined, 200);
    t.match(back.json, { state: 'draft', nextAt: null, undoUntil: null });
    await refuses(t, `POST ${at}/${id}/unschedule`, undefined, {
      status: 409,
      error: /is a draft/,
    });
  }
  for (const body of [{}, { delaySeconds: 0 }]) {
    const id = await make('campaigns', { messageId });
    const { json } = await takes(t, `POST ${campaigns}/${id}/send`, body, 200);
    t.match([json.undoUntil, json.state === 'scheduled'], [null, false], 'it does not wait');
  }
  const id = await make('campaigns', { messageId, schedule: later });
  const { json } = await takes(t, `POST ${campaigns}/${id}/send`, { delaySeconds: 10 }, 200);
  t.match(
    json,
    { state: 'scheduled', nextAt: later.at, undoUntil: null },
    'it begins later anyway',
  );
});

t.test('a send that waits begins by itself', async (t) => {
  const id = await make('campaigns', { messageId });
  await takes(t, `POST ${campaigns}/${id}/send`, { delaySeconds: 1 }, 200);
  const begun = await eventually(async () => {
    const now = await api.must(`GET ${campaigns}/${id}`);
    return now.state === 'scheduled' ? undefined : now;
  }, 'it does not begin');
  t.match(begun, { undoUntil: null, startedAt: /Z$/ });
});

t.test('a change of a message says what sends it, and whether it has a copy', async (t) => {
  const id = await make('messages', { title: 'New', body: 'Hi' });
  const path = `PATCH ${base}/messages/${id}`;
  await make('campaigns', { messageId: id });
  t.match(await api.must(path, { body: 'a' }), { inUse: [], inUseTotal: 0 }, 'a draft is no use');
  const scheduled = await make('campaigns', { messageId: id, name: 'Spring', schedule: later });
  await api.must(`POST ${campaigns}/${scheduled}/send`);
  const journey = await make('journeys', {
    name: 'Welcome',
    triggerEvent: 'signup',
    steps: [{ id: 's', type: 'send', messageId: id }],
  });
  await api.must(`PATCH ${base}/journeys/${journey}`, { active: true });
  const { json } = await takes(t, path, { body: 'b' }, 200);
  t.same(json.inUse, [
    { type: 'campaign', id: scheduled, name: 'Spring', state: 'scheduled', copied: false },
    { type: 'journey', id: journey, name: 'Welcome', state: 'active', copied: true },
  ]);
  t.equal(json.inUseTotal, 2);
  const step = `PATCH ${base}/journeys/${journey}/steps`;
  t.match((await takes(t, `${step}/s`, { messageId: id }, 200)).json, {
    id: journey,
    active: true,
  });
  const own = { message: { title: 'T', body: 'B' } };
  t.match((await takes(t, `${step}/s`, own, 200)).json.steps, [{ id: 's', ...own }]);
  await refuses(t, `${step}/z`, own, { status: 404, error: 'step not found' });
  await refuses(t, `${step}/s`, {}, { status: 400, error: /^messageId: is missing/ });
  const { items } = await api.must('GET /v1/org/audit-log?action=journey.corrected');
  t.match(items, [{ target: journey, after: { step: 's' } }, { target: journey }]);
  const name = 'Welcome';
  t.same(items[0].before, { name, messageId: id });
  t.same(items[0].after, { step: 's', title: 'T', body: 'B' });
  const long = { message: { title: 'Neu', body: `a${'\u{1f600}'.repeat(1000)}` } };
  await takes(t, `${step}/s`, long, 200);
  const [newest] = (await api.must('GET /v1/org/audit-log?action=journey.corrected')).items;
  t.same(newest.before, { name, title: 'T', body: 'B' });
  const cut = `a${'\u{1f600}'.repeat(499)}…`;
  t.same(newest.after, { step: 's', title: 'Neu', body: cut }, 'a long body is cut');
});

t.test('the answer names at most twenty users of a message, and how many there are', async (t) => {
  const id = await make('messages', { title: 'New', body: 'Hi' });
  for (let i = 0; i < 21; i++) {
    const one = await make('campaigns', { messageId: id, schedule: later });
    await api.must(`POST ${campaigns}/${one}/send`);
  }
  const { inUse, inUseTotal } = await api.must(`PATCH ${base}/messages/${id}`, { body: 'b' });
  t.same([inUse.length, inUseTotal], [20, 21]);
});

t.test('campaigns, journeys, messages and segments are duplicated', async (t) => {
  const filter = { tag: 'plan', eq: 'pro' };
  const segmentId = await make('segments', { name: 'Pros', filter });
  const steps = [{ id: 's', type: 'send', messageId }];
  const bodies = {
    segments: { name: 'Pros', filter },
    messages: { name: 'Hello', title: 'New', body: 'Hi', buttons: [{ label: 'Go' }] },
    campaigns: { name: 'Spring', messageId, segmentId, schedule: daily, holdoutShare: 0.1 },
    journeys: { name: 'Welcome', triggerEvent: 'a', reentry: 'always', steps },
  };
  for (const [kind, body] of Object.entries(bodies)) {
    const id = await make(kind, body);
    if (kind === 'campaigns') await api.must(`POST ${campaigns}/${id}/send`);
    if (kind === 'journeys') await api.must(`PATCH ${base}/journeys/${id}`, { active: true });
    const path = `POST ${base}/${kind}/${id}/duplicate`;
    const { json } = await takes(t, path, undefined, 201);
    t.match(json, { ...body, name: `Copy of ${body.name}` }, kind);
    t.not(json.id, id);
    t.same(await api.must(`GET ${base}/${kind}/${json.id}`), json);
    if (kind === 'campaigns') t.match(json, { state: 'draft', nextAt: null, startedAt: null });
    if (kind === 'journeys') t.match(json, { active: false });
    t.equal((await takes(t, path, { name: 'Second' }, 201)).json.name, 'Second');
    await refuses(t, path, { name: '' }, { status: 400, error: /^name: / });
    await refuses(t, `POST ${base}/${kind}/${id.slice(0, -4)}0000/duplicate`, {}, { status: 404 });
  }
  const long = await make('segments', { name: 'x'.repeat(256), filter });
  const { name } = await api.must(`POST ${base}/segments/${long}/duplicate`);
  t.equal(name, `Copy of ${'x'.repeat(248)}`);
});

t.test('what is archived is in lists that ask for it, with its stats', async (t) => {
  const id = await make('campaigns', { messageId, name: 'Old' });
  await api.must(`POST ${campaigns}/${id}/cancel`);
  const { json } = await takes(t, `POST ${campaigns}/${id}/archive`, undefined, 200);
  t.match(json, { state: 'canceled', archivedAt: /Z$/ });
  const has = async (query: string) =>
    (await api.must(`GET ${campaigns}?limit=200${query}`)).items.some(
      (one: { id: string }) => one.id === id,
    );
  t.same(
    [
      await has(''),
      await has('&archived=false'),
      await has('&archived=true'),
      await has('&archived=all'),
    ],
    [false, false, true, true],
  );
  await refuses(t, `GET ${campaigns}?archived=yes`, undefined, {
    status: 400,
    error: /^archived: /,
  });
  t.match(await api.must(`GET ${campaigns}/${id}/stats`), { campaignId: id });
  await takes(t, `POST /v1/campaigns/${id}/unarchive`, undefined, 200);
  t.equal(await has(''), true);
  const planned = await make('campaigns', { messageId, schedule: later });
  await api.must(`POST ${campaigns}/${planned}/send`);
  const why = { status: 409, error: /is scheduled; it cannot be archived/ };
  await refuses(t, `POST ${campaigns}/${planned}/archive`, undefined, why);
  const draft = await make('campaigns', { messageId });
  await api.must(`POST ${campaigns}/${draft}/archive`);
  await refuses(t, `POST ${campaigns}/${draft}/send`, undefined, {
    status: 409,
    error: /unarchive/,
  });
  const actions = ['campaign.archived', 'campaign.unarchived', 'campaign.unscheduled'];
  for (const action of actions)
    t.not((await api.must(`GET /v1/org/audit-log?action=${action}`)).items.length, 0, action);
});

t.test('weekdays are names; a number is refused with the names', async (t) => {
  const weekly = (weekdays: unknown) => ({
    messageId,
    schedule: { ...daily, every: 'week', weekdays },
  });
  const { json } = await takes(t, `POST ${campaigns}`, weekly(['fri', 'mon', 'fri']), 201);
  t.same(json.schedule.weekdays, ['mon', 'fri']);
  await refuses(t, `POST ${campaigns}`, weekly(['mon', 1]), {
    status: 400,
    error: 'schedule.weekdays[1]: expected one of mon, tue, wed, thu, fri, sat, sun',
  });
});

t.test('a journey that is not saved is simulated, and refused as when it is created', async (t) => {
  const steps = [
    { id: 's', type: 'send', messageId },
    { id: 'w', type: 'wait', days: 1 },
    { id: 'g', type: 'goal', event: 'order', timeoutHours: 48 },
  ];
  const journeys = `${base}/journeys`;
  const before = (await api.must(`GET ${journeys}`)).items.length;
  const walk = {
    events: [{ name: 'order', afterMinutes: 1_500 }],
    fromTime: '2026-12-01T10:00:00Z',
  };
  const { json } = await takes(t, `POST ${journeys}/simulate`, { steps, ...walk }, 200);
  const id = await make('journeys', { name: 'Same', triggerEvent: 'a', steps });
  t.same(await api.must(`POST ${journeys}/${id}/simulate`, walk), json, 'as of the saved one');
  t.equal(json.outcome, 'converted');
  t.equal((await api.must(`GET ${journeys}`)).items.length, before + 1, 'nothing was saved');
  await api.must(`POST ${base}/subscribers`, { externalUserId: 'ada', tags: { plan: 'pro' } });
  const counting = {
    id: 'c',
    type: 'condition',
    filter: { event: 'order', withinDays: 5, atLeast: 2 },
    then: [],
    else: [{ id: 'x', type: 'wait', hours: 1 }],
  };
  const asAda = { subscriberId: 'external:ada', steps: [counting] };
  t.equal((await takes(t, `POST ${journeys}/simulate`, asAda, 200)).json.outcome, 'completed');
  for (const wrong of [
    { steps: [] },
    {},
    { steps: [{ id: 'w', type: 'wait', days: 31 }] },
    { steps: [{ id: 's', type: 'send', messageId: `msg_${'0'.repeat(26)}` }] },
    { steps, triggerEvent: 'journey_x' },
    { steps, triggerEvent: 'a', triggerSegmentId: 'b' },
  ]) {
    const whole = { name: 'x', triggerEvent: 'a', ...wrong };
    const { status, json } = await api.call(`POST ${journeys}`, whole);
    await refuses(t, `POST ${journeys}/simulate`, wrong, { status, error: json.error });
  }
  const nobody = { steps, subscriberId: 'external:nobody' };
  await refuses(t, `POST ${journeys}/simulate`, nobody, { status: 404, field: 'subscriberId' });
});

t.test('an inbox message need not pop up', async (t) => {
  const line = `${base}/in-app-messages`;
  const made = (body: object) => api.must(`POST ${line}`, { messageId, ...body });
  t.match(await made({}), { show: 'popup', inbox: false });
  t.match(await made({ inbox: true }), { show: 'both', inbox: true });
  t.match(await made({ show: 'both' }), { show: 'both', inbox: true });
  const { id, ...quiet } = await made({ show: 'inbox' });
  t.match(quiet, { show: 'inbox', inbox: true });
  const changed = (change: object) => api.must(`PATCH ${line}/${id}`, change);
  t.match(await changed({ priority: 3 }), { show: 'inbox' });
  t.match(await changed({ inbox: true }), { show: 'inbox' }, 'it is in the inbox already');
  t.match(await changed({ inbox: false }), { show: 'popup', inbox: false });
  t.match(await changed({ show: 'inbox' }), { show: 'inbox', inbox: true });
  const both = { inbox: true, show: 'inbox' };
  await refuses(t, `PATCH ${line}/${id}`, both, { status: 400, field: 'inbox' });
  await refuses(t, `PATCH ${line}/${id}`, { show: 'none' }, { status: 400, field: 'show' });
});

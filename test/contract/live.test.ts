// Live streams over HTTP: what each topic sends and when, how many there may be, and what ends
// them.

import t, { type Test } from 'tap';
import { type EventStream, openEvents, type SentEvent } from '../support/event-stream.ts';
import { client, eventually, makeOrg, type TestOrg } from '../support/server.ts';
import { chapter } from './chapter.ts';

const { server } = await chapter(t);

async function scene(name: string) {
  const org = await makeOrg(server, name);
  const { id: app } = await org.client.must('POST /v1/apps', { name });
  return { org, api: org.client, app, base: `/v1/apps/${app}` };
}

async function follow(
  t: Test,
  { org, app }: { org: TestOrg; app: string },
  topics: string,
  more: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  const headers = { authorization: `Bearer ${org.key}`, ...more };
  const url = `${server.url}/v1/apps/${app}/live?topics=${topics}`;
  const stream = await openEvents(url, headers);
  t.teardown(() => stream.close());
  return stream;
}

const named = (event: string) => (one: SentEvent) => one.event === event;

t.test('a campaign is sent as its routes answer, and again after each change alone', async (t) => {
  const one = await scene('Campaign');
  const { api, base } = one;
  const { id: messageId } = await api.must(`POST ${base}/messages`, { name: 'Hi', body: 'Hi' });
  const body = { name: 'Spring', messageId, audience: { all: true } };
  const { id } = await api.must(`POST ${base}/campaigns`, body);
  const stream = await follow(t, one, `campaign:${id},campaigns`);
  t.equal(stream.status, 200);
  t.match(stream.headers['content-type'], 'text/event-stream');
  t.equal(stream.headers['cache-control'], 'no-store');
  const first = [await stream.next(), await stream.next()].sort((a) =>
    a.event === 'campaign' ? -1 : 1,
  );
  t.same(first[0]?.data, {
    topic: `campaign:${id}`,
    campaign: await api.must(`GET ${base}/campaigns/${id}`),
    stats: await api.must(`GET ${base}/campaigns/${id}/stats`),
  });
  t.same(first[1]?.data, { topic: 'campaigns', ...(await api.must(`GET ${base}/campaigns`)) });
  await api.must(`PATCH ${base}/campaigns/${id}`, { name: 'Summer' });
  const changed = await stream.next(named('campaign'));
  t.equal(changed.data.campaign.name, 'Summer');
  await api.must(`DELETE ${base}/campaigns/${id}`);
  t.match((await stream.next(named('gone'))).data, { topic: `campaign:${id}`, code: 'not_found' });
});

t.test('events and receipts come as a tail that goes on where the reader was', async (t) => {
  const one = await scene('Tail');
  const { api, app, base } = one;
  const track = (name: string, count = 1) =>
    api.must('POST /e', {
      appId: app,
      events: Array.from({ length: count }, (_, nth) => ({
        name,
        externalUserId: 'ada',
        props: { nth },
      })),
    });
  await track('before');
  const stream = await follow(t, one, 'events:page,events,activity');
  t.match((await stream.next(named('events'))).data, {
    topic: 'events',
    items: [{ name: 'before', externalUserId: 'ada' }],
    leftOut: 0,
  });
  await track('page');
  const [all, page] = [await stream.next(), await stream.next()].sort((a, b) =>
    a.data.topic < b.data.topic ? -1 : 1,
  );
  t.match(all, { data: { topic: 'events', items: [{ name: 'page', props: { nth: 0 } }] } });
  t.match(page, { data: { topic: 'events:page', items: [{ name: 'page' }] } });
  t.same(page?.data.items[0], (await api.must(`GET ${base}/events?name=page`)).items[0]);
  await track('many', 300);
  let shown = 0;
  let left = 0;
  let last: SentEvent | undefined;
  while (shown + left < 300) {
    last = await stream.next((event) => event.data.topic === 'events');
    t.ok(last.data.items.length <= 50);
    shown += last.data.items.length;
    left += last.data.leftOut;
  }
  t.equal(shown + left, 300);
  t.equal(last?.data.items.at(-1).props.nth, 299, 'the newest are shown');
  stream.close();
  await track('missed', 2);
  const again = await follow(t, one, 'events', { 'last-event-id': String(last?.id) });
  const missed = await again.next();
  t.match(missed, { event: 'events', data: { items: [{ name: 'missed' }, { name: 'missed' }] } });
  t.equal(missed.data.items.length, 2);
  const gap = await follow(t, one, 'events', { 'last-event-id': '1' });
  t.match(await gap.next(), { event: 'reset', data: { topic: 'events' } });
  t.equal((await gap.next()).data.items.length, 50);
  const { id } = await api.must(`POST ${base}/subscribers`, {
    externalUserId: 'ada',
    devices: [{ channel: 'email', endpoint: 'ada@live.test' }],
  });
  const activity = await follow(t, one, 'activity');
  t.same((await activity.next()).data.items, []);
  const sent = await api.must(`POST ${base}/notifications`, {
    subscriberId: id,
    title: 'Hi',
    body: 'Hi',
  });
  t.match(await activity.next(), {
    event: 'activity',
    data: { topic: 'activity', items: [{ id: sent.id }] },
  });
});

t.test('a send is told to its end, and only when its story moves', async (t) => {
  const one = await scene('Send');
  const { api, base } = one;
  const { id: subscriberId } = await api.must(`POST ${base}/subscribers`, {
    externalUserId: 'ada',
    devices: [{ channel: 'email', endpoint: 'grace@live.test' }],
  });
  const message = { subscriberId, title: 'Hi', body: 'Hi' };
  const { id } = await api.must(`POST ${base}/notifications`, message);
  const stream = await follow(t, one, `send:${id}&seconds=20`);
  const told = await stream.next((event) => event.data.send.status !== 'pending');
  t.equal(told.event, 'send');
  t.same(told.data, {
    topic: `send:${id}`,
    send: await api.must(`GET ${base}/notifications/${id}?story=true&content=false`),
  });
  stream.close();
  const unknown = await follow(t, one, `send:ntf_${'0'.repeat(26)}&seconds=3`);
  const all = await unknown.rest();
  t.equal(all.length, 1, 'the time of a read is no news');
  t.match(all[0]?.data.send, { status: 'pending', story: [{ code: 'unknown_send' }] });
});

t.test('a person is told as the timeline, moved by events, devices and names', async (t) => {
  const one = await scene('Person');
  const { api, app, base } = one;
  const journey = await api.must(`POST ${base}/journeys`, {
    name: 'Winter',
    triggerEvent: 'came',
    steps: [{ id: 'w', type: 'wait', days: 1 }],
  });
  await api.must(`PATCH ${base}/journeys/${journey.id}`, { active: true });
  const { id } = await api.must(`POST ${base}/subscribers`, { externalUserId: 'ada' });
  const track = (name: string, externalUserId = 'ada') =>
    api.must('POST /e', { appId: app, events: [{ name, externalUserId }] });
  const stream = await follow(t, one, `person:${id}`);
  const first = await stream.next();
  t.equal(first.event, 'person');
  t.match(first.data, { topic: `person:${id}`, items: [], now: [{ code: 'no_device' }] });
  await track('came');
  const has = (code: string) => (event: SentEvent) =>
    [...event.data.items, ...event.data.now].some((entry) => entry.code === code);
  const enrolled = await stream.next(
    (event) => has('journey_enrolled')(event) && has('journey_waits')(event),
  );
  const { topic: _topic, ...page } = enrolled.data;
  t.same(page, await api.must(`GET ${base}/subscribers/${id}/timeline`));
  await api.must(`PATCH ${base}/journeys/${journey.id}`, { name: 'Autumn' });
  t.match(await stream.next(), { data: { now: [{}, { journeyName: 'Autumn' }] } });
  const devices = [{ channel: 'email', endpoint: 'ada@live.test' }];
  await api.must(`POST ${base}/subscribers`, { externalUserId: 'ada', devices });
  await stream.next((event) => !has('no_device')(event));
  await track('other', 'eve');
  const { id: eve } = await api.must(`POST ${base}/subscribers`, { externalUserId: 'eve' });
  await track('last');
  const last = await stream.next();
  t.equal(last.data.items[0].name, 'last', 'what others do is no news');
  await api.must(`DELETE ${base}/subscribers/${id}`);
  t.match((await stream.next(named('gone'))).data, { topic: `person:${id}`, code: 'not_found' });
  t.equal((await follow(t, one, `person:${id}`)).status, 404);
  const quiet = await follow(t, one, `person:${eve}&seconds=4`);
  t.equal((await quiet.rest()).length, 1, 'the time of a read is no news');
});

t.test('a merged person can still be followed by the old id, with both stories', async (t) => {
  const one = await scene('Merged');
  const { api, app, base } = one;
  const web = client(server.url);
  await api.must(`PATCH ${base}/settings`, { identityVerification: 'open' });
  const happens = (name: string, who: object) =>
    api.must('POST /e', { appId: app, events: [{ name, ...who }] });
  await happens('ordered', { externalUserId: 'ada' });
  const { subscriberId, clientToken } = await web.must('POST /v1/sdk/subscriber', { appId: app });
  await happens('browsed', { subscriberId });
  const has = (name: string) => (event: SentEvent) =>
    event.data.items.some((entry: { name?: string }) => entry.name === name);
  const stream = await follow(t, one, `person:${subscriberId}`);
  const before = await stream.next(has('browsed'));
  t.notOk(has('ordered')(before), 'nothing of the other yet');
  await web.must('POST /v1/sdk/subscriber', { appId: app, clientToken, externalUserId: 'ada' });
  const merged = await stream.next(has('ordered'));
  t.ok(has('browsed')(merged));
  await happens('paid', { externalUserId: 'ada' });
  const { topic: _topic, ...page } = (await stream.next(has('paid'))).data;
  t.same(page, await api.must(`GET ${base}/subscribers/external:ada/timeline`));
});

t.test('webhooks, their deliveries and Live Activities come as their lists', async (t) => {
  const one = await scene('Lists');
  const { api, base } = one;
  const url = 'http://127.0.0.1:9/hook';
  const body = { url, events: ['campaign.*'] };
  const channels = await follow(t, one, 'channels,newest-event');
  const both = [await channels.next(), await channels.next()];
  t.match(both.find(({ event }) => event === 'newest-event')?.data, { seq: 0 });
  t.same(both.find(({ event }) => event === 'channels')?.data, {
    topic: 'channels',
    ...(await api.must(`GET ${base}/channels`)),
  });
  await api.must('POST /e', { appId: one.app, events: [{ name: 'x', externalUserId: 'ada' }] });
  t.match(await channels.next(), { event: 'newest-event', data: { seq: 1 } });
  const stream = await follow(t, one, 'integrations,webhook-deliveries,live-activities');
  const of = (topic: string) => stream.next((event) => event.data.topic === topic);
  t.same((await of('live-activities')).data, {
    topic: 'live-activities',
    ...(await api.must(`GET ${base}/live-activities`)),
  });
  await api.must(`PUT ${base}/integrations/webhook`, body);
  await stream.next((event) => event.event === 'integrations' && event.data.items.length === 1);
  const { id } = await api.must(`POST ${base}/integrations/webhook/test`);
  const told = await stream.next(
    (event) => event.event === 'webhook-deliveries' && event.data.items.length === 1,
  );
  t.equal(told.data.items[0].id, id);
  const delivery = await follow(t, one, `webhook-delivery:${id}`);
  const failed = await delivery.next(({ data }) => data.delivery.tries.length > 0);
  t.same(failed.data.delivery, await api.must(`GET ${base}/webhook-deliveries/${id}`));
});

t.test('limits are sent when they change, and not when a second passes', async (t) => {
  const org = await makeOrg(server, 'Limits', {});
  const { id: app } = await org.client.must('POST /v1/apps', { name: 'Limits' });
  const stream = await follow(t, { org, app }, 'limits');
  const remaining = async () => (await stream.next()).data.limits.lanes.standard.remaining;
  const before = await remaining();
  await org.client.must('GET /v1/org');
  t.equal(await remaining(), before - 1);
  const brief = await follow(t, await scene('Quiet'), 'limits&seconds=2');
  t.equal((await brief.rest()).length, 1, 'a countdown is no news');
});

t.test('what is not there or not theirs is a 404, a wrong word a 400', async (t) => {
  const one = await scene('Refused');
  const other = await scene('Other');
  const line = (app: string, topics: string) =>
    one.api.call(`GET /v1/apps/${app}/live?seconds=1&topics=${topics}`);
  const { id } = await other.api.must(`POST ${other.base}/journeys`, {
    name: 'Theirs',
    triggerEvent: 'x',
    steps: [{ id: 'w', type: 'wait', hours: 1 }],
  });
  t.match(await line(one.app, `journey:${id}`), { status: 404, json: { code: 'not_found' } });
  t.match(await line(other.app, `journey:${id}`), { status: 404 });
  t.match(await line(other.app, 'limits'), { status: 404 });
  t.match(await line(one.app, `campaign:cmp_${'0'.repeat(26)}`), { status: 404 });
  for (const topics of [
    'nonsense',
    'campaign:x',
    'campaigns:x',
    'person',
    'person:x',
    'send:x',
    `send:cmp_${'0'.repeat(26)}`,
    'webhook-delivery:x',
    'webhook-deliveries:x',
    'events:',
    '%2C',
    Array.from({ length: 17 }, (_, n) => `events:${n}`).join(),
  ])
    t.match(await line(one.app, topics), { status: 400, json: { field: 'topics' } }, topics);
  t.match(await one.api.call(`GET /v1/apps/${one.app}/live`), {
    status: 400,
    json: { field: 'topics' },
  });
  const { id: person } = await other.api.must(`POST ${other.base}/subscribers`, {
    externalUserId: 'theirs',
  });
  t.match(await line(one.app, `person:${person}`), { status: 404, json: { code: 'not_found' } });
  t.match(await line(other.app, `person:${person}`), { status: 404 });
  t.match(await line(other.app, `send:ntf_${'0'.repeat(26)}`), { status: 404 });
  t.match(await line(one.app, `webhook-delivery:whd_${'0'.repeat(26)}`), { status: 404 });
  const reader = await one.api.must('POST /v1/keys', { name: 'R', scopes: ['read'] });
  const asReader = client(server.url, reader.key);
  const reads = (topics: string) =>
    asReader.call(`HEAD /v1/apps/${one.app}/live?seconds=1&topics=${topics}`);
  t.equal((await reads('integrations')).status, 403, 'as their list');
  t.equal((await reads('webhook-deliveries,live-activities')).status, 200);
  const head = await one.api.call(`HEAD /v1/apps/${one.app}/live?topics=limits`);
  t.equal(head.status, 200);
  const { key } = await one.api.must('POST /v1/keys', { name: 'W', scopes: ['write'] });
  t.equal(
    (await client(server.url, key).call(`GET /v1/apps/${one.app}/live?topics=limits`)).status,
    403,
  );
});

t.test('a stream has room for ten campaigns and what a screen follows beside them', async (t) => {
  const one = await scene('Sixteen');
  const { api, base } = one;
  const { id: messageId } = await api.must(`POST ${base}/messages`, { name: 'Hi', body: 'Hi' });
  const made = await Promise.all(
    Array.from({ length: 10 }, (_, nth) =>
      api.must(`POST ${base}/campaigns`, { name: `C${nth}`, messageId }),
    ),
  );
  const topics = [
    ...made.map(({ id }) => `campaign:${id}`),
    ...['campaigns', 'limits', 'activity', 'channels', 'newest-event', 'events'],
  ];
  const stream = await follow(t, one, topics.join());
  const told = new Set<string>();
  while (told.size < 15) told.add((await stream.next()).data.topic);
  t.same([...told].sort(), topics.filter((topic) => topic !== 'events').sort());
});

t.test('a key has eight streams, and a place is free as soon as a reader goes', async (t) => {
  const one = await scene('Eight');
  const streams: EventStream[] = [];
  for (let nth = 0; nth < 8; nth++) streams.push(await follow(t, one, 'limits'));
  const ninth = await follow(t, one, 'limits');
  t.equal(ninth.status, 429);
  t.equal(
    (await one.api.call(`GET ${one.base}/subscribers/export`)).status,
    200,
    'exports have slots of their own',
  );
  streams[0]?.close();
  await eventually(async () => {
    const next = await follow(t, one, 'limits');
    return next.status === 200 ? next : undefined;
  }, 'no place is free');
});

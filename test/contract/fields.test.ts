// `GET …/fields`: the names, types and values that a filter or a template may use, with exact
// counts of people.

import t from 'tap';
import { channelIds } from '../../actors/channels/channel-ids.ts';
import { chapter } from './chapter.ts';

const { api, base, app, refuses } = await chapter(t);

async function person(externalUserId: string, tags: object, devices: object[] = []) {
  return api.must(`POST ${base}/subscribers`, { externalUserId, tags, devices });
}
const track = (name: string, externalUserId: string, props: object = {}) =>
  api.must('POST /e', { appId: app, events: [{ name, externalUserId, props }] });
const fields = () => api.must(`GET ${base}/fields`);

t.test('an app of nobody has no tags, no events and thirteen channels', async (t) => {
  const found = await fields();
  t.same([found.tags, found.events], [[], []]);
  t.equal(found.channels.length, channelIds.length);
  for (const { reachable } of found.channels) t.equal(reachable, 0);
});

t.test('tags come with types, people and their commonest values', async (t) => {
  const ada = await person('ada', { plan: 'pro', visits: 3, interests: ['tea', 'go'] }, [
    { channel: 'email', endpoint: 'ada@example.com' },
    { channel: 'sms', endpoint: '+14155550123' },
  ]);
  await person('ben', { plan: 'free', visits: '3', interests: ['tea'] }, [
    { channel: 'email', endpoint: 'ben@example.com' },
  ]);
  await person('eve', { plan: 'pro', vip: true, interests: 'tea' });
  const { tags, channels } = await fields();
  t.same(tags, [
    {
      key: 'interests',
      types: ['string', 'list'],
      people: 3,
      top: [
        { value: 'tea', people: 3 },
        { value: 'go', people: 1 },
      ],
    },
    {
      key: 'plan',
      types: ['string'],
      people: 3,
      top: [
        { value: 'pro', people: 2 },
        { value: 'free', people: 1 },
      ],
    },
    {
      key: 'visits',
      types: ['string', 'number'],
      people: 2,
      top: [
        { value: 3, people: 1 },
        { value: '3', people: 1 },
      ],
    },
    { key: 'vip', types: ['boolean'], people: 1, top: [{ value: true, people: 1 }] },
  ]);
  const reachable = Object.fromEntries(
    channels.map((one: { channel: string; reachable: number }) => [one.channel, one.reachable]),
  );
  t.match(reachable, { email: 2, sms: 1, voice: 0, fcm: 0 });
  await api.must(`DELETE ${base}/subscribers/${ada.id}`);
  const after = await fields();
  t.same(after.tags[0], {
    key: 'interests',
    types: ['string', 'list'],
    people: 2,
    top: [{ value: 'tea', people: 2 }],
  });
  t.match(after.tags[1], { key: 'plan', people: 2 });
});

t.test('events come with people, the newest time and the properties seen lately', async (t) => {
  await track('order', 'ben', { total: 12.5, currency: 'EUR' });
  await track('order', 'ben', { total: null, items: ['a'] });
  await track('order', 'eve', { total: '12', gift: true, place: { city: 'Hue' } });
  await track('page', 'eve');
  const { events } = await fields();
  t.match(events, [
    {
      name: 'order',
      people: 2,
      lastAt: /Z$/,
      props: [
        { key: 'total', types: ['string', 'number'] },
        { key: 'currency', types: ['string'] },
        { key: 'gift', types: ['boolean'] },
        { key: 'items', types: ['list'] },
        { key: 'place', types: ['object'] },
      ],
    },
    { name: 'page', people: 1, props: [] },
  ]);
  t.equal(events.length, 2);
});

t.test("the app's own events come first, whatever more people did with messages", async (t) => {
  for (const who of ['ada', 'ben', 'eve']) await track('opened', who);
  await track('session', 'ada');
  const { events } = await fields();
  t.same(
    events.map(({ name, origin, people }: { name: string; origin: string; people: number }) => [
      name,
      origin,
      people,
    ]),
    [
      ['order', 'app', 2],
      ['page', 'app', 1],
      ['session', 'app', 1],
      ['opened', 'engage', 3],
    ],
  );
  const names = await api.must(`GET ${base}/event-names`);
  t.match(names.items, [
    { name: 'opened', origin: 'engage' },
    { name: 'order', origin: 'app' },
    { name: 'page', origin: 'app' },
    { name: 'session', origin: 'app' },
  ]);
});

t.test('at most two hundred names are shown, those that most people have', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 210 }, (_, nth) => [`t${nth}`, nth]));
  await person('many', many);
  await person('more', { ...many, last: true });
  await person('most', { last: true });
  const { tags } = await fields();
  t.equal(tags.length, 200);
  t.ok(tags.some(({ key }: { key: string }) => key === 'plan'));
  t.ok(tags.some(({ key }: { key: string }) => key === 'last'));
});

t.test('an unknown app is not there', async (t) => {
  await refuses(t, 'GET /v1/apps/app_00000000000000000000000000/fields', undefined, {
    status: 404,
  });
});

// One word in two normal forms of Unicode is one word: in tags, filters, events and templates. File
// names of a Mac, and so columns of its CSV files, have another form than most keyboards write.

import t from 'tap';
import { eventually } from '../support/server.ts';
import { chapter } from './chapter.ts';

const all = await chapter(t);
const { api, app, base, takes, refuses } = all;
const apart = (text: string) => text.normalize('NFD');

const city = { tag: 'thành_phố', eq: 'Hà Nội' };
const count = async (filter: object) =>
  (await api.must(`POST ${base}/segments/preview`, { filter })).count;

t.test('people are found by tags, whoever wrote them', async (t) => {
  const made = await takes(
    t,
    `POST ${base}/subscribers`,
    { externalUserId: 'nfd', tags: { [apart('thành_phố')]: apart('Hà Nội') } },
    201,
  );
  t.same(made.json.tags, { thành_phố: 'Hà Nội' });
  await api.must(`POST ${base}/subscribers`, {
    externalUserId: 'nfc',
    tags: { thành_phố: 'Hà Nội' },
  });
  const rows = [{ externalUserId: 'row', tags: { [apart('thành_phố')]: apart('Hà Nội') } }];
  await api.must('POST /v1/import/subscribers', { appId: app, rows });
  t.equal(await count(city), 3);
  t.equal(await count({ tag: apart('thành_phố'), eq: apart('Hà Nội') }), 3);
  t.equal(await count({ tag: apart('thành_phố'), ne: apart('Hà Nội') }), 0);
  t.equal(await count({ tag: 'thành_phố', in: [apart('Hà Nội'), 'x'] }), 3);
  const saved = { name: 'Here', filter: { tag: apart('thành_phố'), eq: apart('Hà Nội') } };
  const segment = await takes(t, `POST ${base}/segments`, saved, 201);
  t.same(segment.json.filter, city);
  const found = await api.must(`POST ${base}/subscribers/search`, { tags: [apart('thành_phố')] });
  t.ok(found.items.every(({ tags }: { tags: object }) => 'thành_phố' in tags));
  const body = { tags: { họ: 'a', [apart('họ')]: 'b' } };
  await refuses(t, `POST ${base}/subscribers`, body, { status: 400, error: /appears twice/ });
});

t.test('a tag is removed and changed in bulk by either form of its name', async (t) => {
  await takes(
    t,
    `PATCH ${base}/subscribers/external:row`,
    { tags: { [apart('thành_phố')]: null } },
    200,
  );
  t.equal(await count(city), 2);
  const bulk = { ids: ['external:row'], tags: { [apart('thành_phố')]: apart('Hà Nội') } };
  await api.must(`POST ${base}/subscribers/bulk`, bulk);
  t.equal(await count(city), 3);
});

t.test('a name is made of tags in either form, and found by either', async (t) => {
  const setting = { displayName: [apart('họ_tên')] };
  const set = await takes(t, `PATCH ${base}/settings`, setting, 200);
  t.same(set.json.displayName, ['họ_tên']);
  const someone = { externalUserId: 'named', tags: { [apart('họ_tên')]: apart('Nguyễn Văn An') } };
  const made = await takes(t, `POST ${base}/subscribers`, someone, 201);
  t.equal(made.json.displayName, 'Nguyễn Văn An');
  for (const q of ['Nguyễn', apart('Nguyễn')]) {
    const found = await api.must(`POST ${base}/subscribers/search`, { q });
    t.equal(found.items.length, 1, q);
  }
});

t.test('an external user id is exact, as its description says', async (t) => {
  await takes(t, `POST ${base}/subscribers`, { externalUserId: 'người-1' }, 201);
  await takes(t, `POST ${base}/subscribers`, { externalUserId: apart('người-1') }, 201);
});

t.test('an event has one name', async (t) => {
  const events = [
    { name: 'mua_hàng', externalUserId: 'nfc' },
    { name: apart('mua_hàng'), externalUserId: 'nfd' },
  ];
  const taken = await api.call('POST /e', { appId: app, events });
  t.equal(taken.json.accepted, 2);
  t.equal(await count({ event: apart('mua_hàng'), withinDays: 1 }), 2);
  for (const name of ['mua_hàng', apart('mua_hàng')]) {
    const listed = await eventually(async () => {
      const { items } = await api.must(`GET ${base}/events?name=${encodeURIComponent(name)}`);
      return items.length === 2 ? items : undefined;
    }, 'the events are not readable');
    t.ok(listed.every((one: { name: string }) => one.name === 'mua_hàng'));
    const funnel = { appId: app, steps: [{ event: name }, { event: name }] };
    const { steps } = await api.must('POST /v1/insights/funnel', funnel);
    t.equal(steps[0].entered ?? steps[0].count ?? steps[0].people, 2);
  }
  const names = await api.must(`GET ${base}/event-names`);
  t.equal(names.items.filter(({ name }: { name: string }) => name.startsWith('mua')).length, 1);
});

t.test('a journey and a campaign wait for an event in either form', async (t) => {
  const steps = [{ id: 'goal', type: 'goal', event: apart('mua_hàng'), timeoutHours: 1 }];
  const journey = { name: 'J', triggerEvent: apart('mua_hàng'), steps };
  const made = await takes(t, `POST ${base}/journeys`, journey, 201);
  t.equal(made.json.triggerEvent, 'mua_hàng');
  t.equal(made.json.steps[0].event, 'mua_hàng');
  const message = await api.must(`POST ${base}/messages`, { title: 'a', body: 'b' });
  const goal = { event: apart('mua_hàng'), withinHours: 1 };
  const campaign = { name: 'C', messageId: message.id, goal };
  t.equal((await takes(t, `POST ${base}/campaigns`, campaign, 201)).json.goal.event, 'mua_hàng');
});

t.test('a template and its variables need not agree in their form', async (t) => {
  const body = { title: 'a', body: `Chào {{ ${apart('họ_tên')} }} ở {{ thành_phố }}` };
  const shown = await takes(
    t,
    `POST ${base}/messages/preview`,
    { message: body, channel: 'fcm', externalUserId: 'nfd', variables: { họ_tên: 'An' } },
    200,
  );
  t.equal(shown.json.items[0].content.body, 'Chào An ở Hà Nội');
  t.same(shown.json.usesVariables, ['họ_tên', 'thành_phố']);
  const send = { ...body, externalUserId: 'nfc', channels: ['fcm'] };
  await takes(t, `POST ${base}/notifications`, { ...send, variables: { họ_tên: 'An' } }, 202);
  await takes(
    t,
    `POST ${base}/notifications`,
    { ...send, variables: { [apart('họ_tên')]: 'An' } },
    202,
  );
  await refuses(t, `POST ${base}/notifications`, send, {
    status: 400,
    error: /undefined variable: họ_tên/u,
  });
  const batch = {
    ...body,
    variables: { [apart('họ_tên')]: 'An' },
    recipients: [
      { externalUserId: 'nfc' },
      { externalUserId: 'nfd', variables: { họ_tên: 'Bình' } },
    ],
  };
  t.equal((await takes(t, `POST ${base}/notifications/batch`, batch, 202)).json.queued, 2);
  const date = { ...body, body: '{{ d | date: "%F" }}', externalUserId: 'nfc', channels: ['fcm'] };
  await refuses(
    t,
    `POST ${base}/notifications`,
    { ...date, variables: { d: 'soon' } },
    { status: 400, field: 'body', error: /^body: date: "soon" is not a date/ },
  );
  await takes(
    t,
    `POST ${base}/notifications`,
    { ...date, variables: { d: '2025-06-10 03:00:00+07' } },
    202,
  );
});

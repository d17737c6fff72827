// Contract, section 6: campaigns as their authors see them, over HTTP. Who is sent what, and what
// the stats then say, has tests of its own.

import t from 'tap';
import { afterKill } from '../support/after-kill.ts';
import { chapter, withKey } from './chapter.ts';

const surroundings = await chapter(t);
const { api, base, app, org, takes, refuses, server } = surroundings;
const campaigns = `${base}/campaigns`;
const unknown = (prefix: string) => `${prefix}_${'0'.repeat(26)}`;
const future = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

const make = async (path: string, body: object): Promise<string> =>
  (await api.must(`POST ${base}/${path}`, body)).id;
const messageId = await make('messages', { name: 'Novelties', title: 'New', body: 'Hi' });
const untitled = await make('messages', { body: 'Hi' });
const template = { templateName: 'a', languageCode: 'en' };
const whatsapp = await make('messages', { body: 'Hi', payload: { whatsapp: template } });
const segmentId = await make('segments', { name: 'Pros', filter: { tag: 'plan', eq: 'pro' } });
const recurring = { type: 'recurring', every: 'day', at: '09:00', timezone: 'Asia/Bangkok' };
const later = { type: 'at', at: '2099-01-01T00:00:00.000Z' };
const draft = (change: object = {}): Promise<string> => make('campaigns', { messageId, ...change });
const stateOf = async (id: string): Promise<string> =>
  (await api.must(`GET ${campaigns}/${id}`)).state;

t.test('a campaign is kept as it was sent, also after a kill', async (t) => {
  const { id: app } = await api.must('POST /v1/apps', { name: 'Killed' });
  const { id: messageId } = await api.must(`POST /v1/apps/${app}/messages`, {
    title: 'New',
    body: 'Hi',
  });
  const campaigns = `/v1/apps/${app}/campaigns`;

  const body = {
    name: 'Spring',
    messageId,
    filter: { all: [{ tag: 'plan', eq: 'pro' }, { activeWithinDays: 7 }] },
    channels: ['fcm', 'webpush'],
    fallbackChannels: ['email', 'sms'],
    fallbackAfterMinutes: 120,
    schedule: {
      ...recurring,
      every: 'week',
      interval: 2,
      weekdays: ['mon', 'thu'],
      startAt: '2098-01-01T00:00:00.000Z',
      endAt: '2099-01-01T00:00:00.000Z',
    },
    throttle: { perMinute: 5000 },
    variants: [
      { id: 'a', weight: 1, messageId },
      { id: 'b', weight: 2, messageId },
    ],
    experiment: { sampleShare: 0.2, winnerMetric: 'converted', decideAfterMinutes: 60 },
    holdoutShare: 0.05,
    goal: { event: 'order', withinHours: 48 },
    ifLate: 'skip',
  };
  const { json } = await takes(t, `POST ${campaigns}`, body, 201);
  t.match(json, { id: /^cmp_/, ...body, state: 'draft', createdAt: /Z$/, updatedAt: /Z$/ });
  const absent = { segmentId: null, timezoneDelivery: null, optimalTime: false, nextAt: null };
  t.match(json, { ...absent, stateReason: null, startedAt: null, endedAt: null });
  t.same(await api.must(`GET ${campaigns}/${json.id}`), json);
  const { json: second } = await takes(t, `POST ${campaigns}`, { messageId }, 201);
  afterKill(server, 'campaigns are as they were sent, until they are deleted', async (t) => {
    t.same(await api.must(`GET ${campaigns}/${json.id}`), json);
    t.same(await api.must(`GET /v1/campaigns/${json.id}`), json, 'by its id alone');
    t.same(await api.must(`GET /v1/campaigns/${second.id}`), second);
    for (const id of [json.id, second.id]) {
      await takes(t, `DELETE ${campaigns}/${id}`, undefined, 204);
      for (const line of [`GET ${campaigns}/${id}`, `GET /v1/campaigns/${id}`])
        await refuses(t, line, undefined, { status: 404, error: 'campaign not found' });
    }
  });
});

t.test('a variant is named by id or key, and answers with both', async (t) => {
  const rest = { weight: 1, messageId };
  const line = `POST ${campaigns}`;
  const variants = [
    { key: 'a', ...rest },
    { id: 'b', ...rest },
    { id: 'c', key: 'c', ...rest },
  ];
  const { json } = await takes(t, line, { messageId, variants }, 201);
  const both = ['a', 'b', 'c'].map((name) => ({ id: name, key: name, ...rest }));
  t.same(json.variants, both);
  t.notOk(json.warnings, 'key is no unknown member');
  t.same((await api.must(`GET ${campaigns}/${json.id}`)).variants, both);
  const [, ...left] = json.variants;
  const changed = await api.must(`PATCH ${campaigns}/${json.id}`, { variants: left });
  t.same(changed.variants, both.slice(1), 'what was answered may be sent');
  const wrong: [members: object, refusal: { field: string; error: string | RegExp }][] = [
    [
      { id: 'b', key: 'x' },
      {
        field: 'variants[1].key',
        error: 'variants[1].key: is the same as id, which says b; give one of them',
      },
    ],
    [{}, { field: 'variants[1].id', error: /is required; `key` is accepted as well/ }],
    [{ key: 'a' }, { field: 'variants[1].key', error: 'variants[1].key: appears twice' }],
    [{ key: 'no blanks' }, { field: 'variants[1].key', error: /letters, digits/ }],
  ];
  for (const [members, refusal] of wrong) {
    const two = [
      { id: 'a', ...rest },
      { ...members, ...rest },
    ];
    await refuses(t, line, { messageId, variants: two }, { status: 400, ...refusal });
  }
});

t.test('what is left out has a value that says so', async (t) => {
  const { json } = await takes(t, `POST ${campaigns}`, { messageId }, 201);
  t.match(json, {
    name: 'Novelties',
    schedule: { type: 'now' },
    ifLate: 'hold',
    channels: null,
    filter: null,
    holdoutShare: 0,
    variants: null,
  });
  const unnamed = await api.must(`POST ${campaigns}`, { messageId: untitled, name: null });
  t.equal(unnamed.name, 'Untitled campaign');
  const sorted = await api.must(`POST ${campaigns}`, {
    messageId,
    channels: ['sms', 'fcm', 'sms'],
    schedule: {
      ...recurring,
      every: 'week',
      weekdays: ['sun', 'mon', 'sun'],
      timezone: 'asia/bangkok',
    },
  });
  t.same(sorted.channels, ['fcm', 'sms'], 'each once, in the order of the catalog');
  t.match(sorted.schedule, { weekdays: ['mon', 'sun'], timezone: 'Asia/Bangkok' });
  const offset = await api.must(`POST ${campaigns}`, {
    messageId,
    schedule: { type: 'at', at: '2099-01-01T07:00:00+07:00' },
  });
  t.same(offset.schedule, later, 'any offset, and UTC out');
});

t.test('every bound holds at, below and above it, by the name of the member', async (t) => {
  const a = { id: 'a', weight: 1, messageId };
  const b = { ...a, id: 'b' };
  const many = (count: number) => Array.from({ length: count }, (_, i) => ({ ...a, id: `v${i}` }));
  const trial = { sampleShare: 0.2, winnerMetric: 'opened', decideAfterMinutes: 60 };
  const variants = [a, b];
  const wait = (fallbackAfterMinutes: unknown, schedule: object = { type: 'now' }) => ({
    channels: ['fcm'],
    fallbackChannels: ['sms'],
    fallbackAfterMinutes,
    schedule,
  });
  const goal = { event: 'order', withinHours: 1 };
  const experiment = (change: object) => ({ variants, experiment: { ...trial, ...change } });
  const every = (every: string, change: object = {}) => ({
    schedule: { ...recurring, every, ...change },
  });
  const at = (at: unknown) => ({ schedule: { type: 'at', at } });
  for (const [member, takenBodies, refusedBodies] of [
    [
      'name',
      [{ name: 'x' }, { name: 'x'.repeat(256) }],
      [{ name: '' }, { name: 'x'.repeat(257) }, { name: 'a\nb' }, { name: 1 }],
    ],
    [
      'messageId',
      [{ messageId }],
      [{ messageId: '' }, { messageId: 1 }, { messageId: null }, { messageId: 'x'.repeat(65) }],
    ],
    ['segmentId', [{ segmentId }, { segmentId: null }], [{ segmentId: '' }, { segmentId: 1 }]],
    [
      'filter',
      [{ filter: null }, { filter: { activeWithinDays: 90 } }],
      [{ filter: 'all' }, { segmentId, filter: { activeWithinDays: 1 } }],
    ],
    [
      'filter.activeWithinDays',
      [{ filter: { activeWithinDays: 1 } }],
      [{ filter: { activeWithinDays: 0 } }, { filter: { activeWithinDays: 91 } }],
    ],
    [
      'filter.any[0]',
      [],
      [{ filter: { any: [{ tag: 'a' }] } }, { filter: { any: [{ tag: 'a', eq: 1, event: 'b' }] } }],
    ],
    [
      'channels',
      [{ channels: ['fcm'] }, { channels: null }],
      [{ channels: [] }, { channels: 'fcm' }],
    ],
    ['channels[0]', [], [{ channels: ['pigeon'] }]],
    [
      'fallbackChannels',
      [],
      [
        { ...wait(60), fallbackChannels: [] },
        { ...wait(60), fallbackChannels: ['sms', 'fcm'] },
        { channels: ['fcm'], fallbackAfterMinutes: 60 },
        { ...wait(60), optimalTime: true },
        { ...wait(60), timezoneDelivery: { at: '09:00' } },
      ],
    ],
    ['channels', [], [{ ...wait(60), channels: null }]],
    [
      'fallbackAfterMinutes',
      [wait(5), wait(10_080)],
      [
        wait(4),
        wait(10_081),
        wait(5.5),
        wait('60'),
        { channels: ['fcm'], fallbackChannels: ['sms'] },
      ],
    ],
    [
      'fallbackAfterMinutes',
      [
        wait(30, every('hour').schedule),
        wait(720, recurring),
        wait(5040, every('week').schedule),
        wait(720, every('week', { weekdays: ['wed', 'thu'] }).schedule),
      ],
      [
        wait(31, every('hour').schedule),
        wait(721, recurring),
        wait(5041, every('week').schedule),
        wait(721, every('week', { weekdays: ['wed', 'thu'] }).schedule),
      ],
    ],
    [
      'schedule',
      [{ schedule: { type: 'now' } }, { schedule: null }],
      [{ schedule: 'now' }, { schedule: [] }],
    ],
    ['schedule.type', [], [{ schedule: {} }, { schedule: { type: 'daily' } }]],
    [
      'schedule.at',
      [at(future(3600)), at(future(-30))],
      [
        at(future(-120)),
        at('2020-01-01T00:00:00Z'),
        at('tomorrow'),
        at(1),
        { schedule: { type: 'at' } },
      ],
    ],
    [
      'schedule.at',
      [every('day', { at: '00:00' }), every('day', { at: '23:59' })],
      [every('day', { at: '24:00' }), every('day', { at: '9:00' }), every('day', { at: '12:60' })],
    ],
    ['schedule.every', [every('hour'), every('month')], [every('year')]],
    [
      'schedule.interval',
      [every('day', { interval: 1 }), every('day', { interval: 365 })],
      [
        every('day', { interval: 0 }),
        every('day', { interval: 1.5 }),
        every('day', { interval: 366 }),
        every('day', { interval: 2 ** 53 }),
      ],
    ],
    [
      'schedule.weekdays',
      [every('week', { weekdays: ['mon'] })],
      [every('week', { weekdays: [] }), every('day', { weekdays: ['mon'] })],
    ],
    [
      'schedule.weekdays[1]',
      [every('week', { weekdays: ['mon', 'sun'] })],
      [every('week', { weekdays: ['mon', 6] }), every('week', { weekdays: ['mon', 'Tuesday'] })],
    ],
    [
      'schedule.dayOfMonth',
      [every('month', { dayOfMonth: 1 }), every('month', { dayOfMonth: 31 })],
      [
        every('month', { dayOfMonth: 0 }),
        every('month', { dayOfMonth: 32 }),
        every('week', { dayOfMonth: 1 }),
      ],
    ],
    [
      'schedule.timezone',
      [every('day', { timezone: 'UTC' })],
      [
        every('day', { timezone: 'Mars/Olympus' }),
        every('day', { timezone: '+07:00' }),
        every('day', { timezone: undefined }),
      ],
    ],
    [
      'schedule.endAt',
      [every('day', { endAt: future(60) })],
      [
        every('day', { endAt: future(-60) }),
        every('day', { startAt: future(60), endAt: future(30) }),
      ],
    ],
    [
      'timezoneDelivery.at',
      [{ timezoneDelivery: { at: '09:00' } }],
      [{ timezoneDelivery: { at: '25:00' } }, { timezoneDelivery: {} }],
    ],
    [
      'timezoneDelivery',
      [{ timezoneDelivery: { at: '09:00' }, ...every('day') }],
      [{ timezoneDelivery: '09:00' }, { timezoneDelivery: { at: '09:00' }, ...every('hour') }],
    ],
    [
      'optimalTime',
      [{ optimalTime: true }, { optimalTime: false }],
      [{ optimalTime: 'yes' }, { optimalTime: true, timezoneDelivery: { at: '09:00' } }],
    ],
    [
      'throttle.perMinute',
      [{ throttle: { perMinute: 1 } }, { throttle: { perMinute: 10_000_000 } }],
      [
        { throttle: {} },
        { throttle: { perMinute: 0 } },
        { throttle: { perMinute: 10_000_001 } },
        { throttle: { perMinute: 1.5 } },
      ],
    ],
    [
      'variants',
      [{ variants: many(2) }, { variants: many(10) }],
      [{ variants: [a] }, { variants: many(11) }, { experiment: trial }],
    ],
    [
      'variants[1].id',
      [{ variants: [a, { ...b, id: 'x'.repeat(64) }] }, { variants: [a, { ...b, id: 'A_.-9' }] }],
      [
        { variants: [a, a] },
        { variants: [a, { ...b, id: '' }] },
        { variants: [a, { ...b, id: 'x'.repeat(65) }] },
        { variants: [a, { ...b, id: 'b c' }] },
      ],
    ],
    [
      'variants[1].weight',
      [{ variants: [a, { ...b, weight: 1_000_000 }] }],
      [
        { variants: [a, { ...b, weight: 0 }] },
        { variants: [a, { ...b, weight: 1_000_001 }] },
        { variants: [a, { ...b, weight: 0.5 }] },
      ],
    ],
    [
      'experiment.sampleShare',
      [experiment({ sampleShare: 0.001 }), experiment({ sampleShare: 0.999 })],
      [experiment({ sampleShare: 0 }), experiment({ sampleShare: 1 })],
    ],
    [
      'experiment.decideAfterMinutes',
      [
        experiment({ decideAfterMinutes: 1 }),
        experiment({ decideAfterMinutes: 43_200 }),
        { ...experiment({}), ...every('day') },
      ],
      [
        experiment({ decideAfterMinutes: 0 }),
        experiment({ decideAfterMinutes: 43_201 }),
        { ...experiment({}), ...every('hour') },
      ],
    ],
    [
      'experiment.winnerMetric',
      [experiment({ winnerMetric: 'clicked' })],
      [experiment({ winnerMetric: 'delivered' })],
    ],
    [
      'goal',
      [{ ...experiment({ winnerMetric: 'converted' }), goal }],
      [experiment({ winnerMetric: 'converted' })],
    ],
    [
      'experiment',
      [],
      [
        { ...experiment({}), optimalTime: true },
        { ...experiment({}), timezoneDelivery: { at: '09:00' } },
      ],
    ],
    [
      'holdoutShare',
      [{ holdoutShare: 0 }, { holdoutShare: 0.999 }],
      [{ holdoutShare: -0.001 }, { holdoutShare: 1 }],
    ],
    [
      'goal.event',
      [
        { goal },
        { goal: { ...goal, event: 'clicked' } },
        { goal: { ...goal, event: 'x'.repeat(128) } },
      ],
      [
        { goal: { ...goal, event: '' } },
        { goal: { ...goal, event: 'x'.repeat(129) } },
        { goal: { ...goal, event: 'delivered' } },
        { goal: { ...goal, event: 'journey_completed' } },
      ],
    ],
    [
      'goal.withinHours',
      [{ goal: { ...goal, withinHours: 720 } }],
      [{ goal: { ...goal, withinHours: 0 } }, { goal: { ...goal, withinHours: 721 } }],
    ],
    ['ifLate', [{ ifLate: 'send' }, { ifLate: 'skip' }], [{ ifLate: 'never' }]],
    [
      'messageId',
      [
        { messageId: untitled, channels: ['sms'] },
        { messageId: whatsapp, channels: ['whatsapp'] },
      ],
      [
        { messageId: untitled, channels: ['email'] },
        { channels: ['whatsapp'] },
        { ...wait(60), fallbackChannels: ['whatsapp'] },
      ],
    ],
    [
      'variants[1].messageId',
      [],
      [
        {
          messageId: whatsapp,
          channels: ['whatsapp'],
          variants: [{ ...a, messageId: whatsapp }, b],
        },
      ],
    ],
  ] as [string, object[], object[]][]) {
    for (const body of takenBodies) {
      const { json } = await takes(t, `POST ${campaigns}`, { messageId, ...body }, 201);
      await takes(t, `DELETE ${campaigns}/${json?.id}`, undefined, 204, JSON.stringify(body));
    }
    for (const body of refusedBodies)
      await refuses(
        t,
        `POST ${campaigns}`,
        { messageId, ...body },
        { status: 400, code: 'invalid', field: member },
        JSON.stringify(body),
      );
  }
});

t.test('what a campaign names has to be there, in this app', async (t) => {
  const elsewhere = `/v1/apps/${(await api.must('POST /v1/apps', { name: 'Elsewhere' })).id}`;
  const foreign = (await api.must(`POST ${elsewhere}/messages`, { body: 'x' })).id;
  const foreignSegment = (
    await api.must(`POST ${elsewhere}/segments`, { name: 's', filter: { tag: 'a', eq: 1 } })
  ).id;
  const a = { id: 'a', weight: 1, messageId };
  for (const [body, field] of [
    [{ messageId: unknown('msg') }, 'messageId'],
    [{ messageId: foreign }, 'messageId'],
    [{ messageId: segmentId }, 'messageId'],
    [{ segmentId: unknown('seg') }, 'segmentId'],
    [{ segmentId: foreignSegment }, 'segmentId'],
    [{ variants: [a, { ...a, id: 'b', messageId: foreign }] }, 'variants[1].messageId'],
  ] as const)
    await refuses(t, `POST ${campaigns}`, { messageId, ...body }, { status: 404, field });
  const whole = await draft();
  const theirs = (await api.must(`POST ${elsewhere}/campaigns`, { messageId: foreign })).id;
  for (const line of [`GET ${elsewhere}/campaigns/${whole}`, `GET ${campaigns}/${theirs}`])
    await refuses(t, line, undefined, { status: 404, error: 'campaign not found' });
});

t.test('a draft is changed member by member, and judged as a whole', async (t) => {
  const id = await draft({
    segmentId,
    channels: ['fcm'],
    fallbackChannels: ['sms'],
    fallbackAfterMinutes: 30,
  });
  const line = `PATCH ${campaigns}/${id}`;
  await refuses(t, line, { channels: null }, { status: 400, field: 'channels' });
  await refuses(t, line, { channels: ['sms'] }, { status: 400, field: 'fallbackChannels' });
  await refuses(t, line, { filter: { tag: 'a', eq: 1 } }, { status: 400, field: 'filter' });
  await refuses(t, line, { messageId: untitled }, { status: 400, field: 'messageId' });
  await refuses(t, line, { messageId: null }, { status: 400, field: 'messageId' });
  const { json } = await takes(
    t,
    line,
    {
      name: 'Renamed',
      segmentId: null,
      filter: { tag: 'a', eq: 1 },
      schedule: later,
      fallbackChannels: null,
      fallbackAfterMinutes: null,
    },
    200,
  );
  t.match(json, {
    name: 'Renamed',
    segmentId: null,
    filter: { tag: 'a', eq: 1 },
    channels: ['fcm'],
    fallbackChannels: null,
    schedule: later,
  });
  const first = await takes(t, line, { name: null, schedule: null, ifLate: null }, 200);
  t.match(first.json, { name: 'Novelties', schedule: { type: 'now' }, ifLate: 'hold' });
  const own = await takes(t, line, { optimalTime: true, holdoutShare: 0.5 }, 200);
  t.match(own.json, { optimalTime: true, holdoutShare: 0.5 });
  const off = await takes(t, line, { optimalTime: false, holdoutShare: 0 }, 200);
  t.match(off.json, { optimalTime: false, holdoutShare: 0 });
  t.same((await takes(t, line, {}, 200)).json.filter, { tag: 'a', eq: 1 }, 'nothing is nothing');
});

t.test('a campaign goes through its states, and a refusal says what is allowed', async (t) => {
  for (const path of ['/v1/campaigns', campaigns]) {
    const id = await draft({ schedule: later });
    const post = (verb: string, state: string) =>
      takes(t, `POST ${path}/${id}/${verb}`, {}, 200, state);
    const not = (verb: string, error: RegExp) =>
      refuses(t, `POST ${path}/${id}/${verb}`, {}, { status: 409, code: 'wrong_state', error });
    await not(
      'pause',
      /is a draft; it cannot be paused\. .*: send, cancel, change, archive, delete$/,
    );
    t.match((await post('send', 'ahead')).json, { id, state: 'scheduled', nextAt: later.at });
    await not('send', /is scheduled; it cannot be sent\. .*: unschedule, pause, cancel$/);
    await refuses(
      t,
      `PATCH ${campaigns}/${id}`,
      { name: 'x' },
      { status: 409, error: /scheduled/ },
    );
    await refuses(t, `DELETE ${campaigns}/${id}`, undefined, { status: 409, error: /scheduled/ });
    t.match((await post('pause', '')).json, { state: 'paused', pausedFrom: 'scheduled' });
    await not('pause', /is paused; .*: unschedule, resume, cancel$/);
    t.match((await post('resume', '')).json, { state: 'scheduled', pausedFrom: null });
    t.match((await post('cancel', '')).json, { state: 'canceled', nextAt: null, endedAt: /Z$/ });
    const again = await post('cancel', 'again');
    t.same(again.json, await api.must(`GET ${campaigns}/${id}`), 'canceled twice is canceled');
    await not('resume', /is canceled; .*: cancel, archive, delete$/);
    await takes(t, `DELETE ${campaigns}/${id}`, undefined, 204);
  }
  const often = await draft({ schedule: recurring });
  const sent = await takes(t, `POST /v1/campaigns/${often}/send`, undefined, 200, 'without a body');
  t.equal(sent.json.state, 'scheduled', 'until its first occurrence');
  const body = { tolerance: 1 };
  const id = await draft();
  await refuses(t, `POST /v1/campaigns/${id}/send`, body, { status: 400, field: 'dryRunId' });
  const none = { dryRunId: 'unknown', tolerance: 0 };
  await refuses(t, `POST /v1/campaigns/${id}/send`, none, { status: 404, field: 'dryRunId' });
  for (const tolerance of [-1, 0.5, 2 ** 32])
    await refuses(
      t,
      `POST /v1/campaigns/${id}/send`,
      { ...none, tolerance },
      { status: 400, field: 'tolerance' },
    );
  t.equal(await stateOf(id), 'draft', 'a refused send leaves it a draft');
});

t.test('campaigns are listed newest first, by state and by pages that hold still', async (t) => {
  const { id: own } = await api.must('POST /v1/apps', { name: 'Lists' });
  const path = `/v1/apps/${own}`;
  const { id: message } = await api.must(`POST ${path}/messages`, { body: 'x' });
  const ids: string[] = [];
  for (let i = 0; i < 7; i++)
    ids.push((await api.must(`POST ${path}/campaigns`, { messageId: message, name: `${i}` })).id);
  const all: string[] = [];
  let cursor = '';
  do {
    const page = await api.must(`GET ${path}/campaigns?limit=2${cursor}`);
    all.push(...page.items.map(({ id }: { id: string }) => id));
    // What was shown last goes, and what was shown changes: the next page begins where it would
    // have.
    if (all.length === 2) await takes(t, `DELETE ${path}/campaigns/${all[1]}`, undefined, 204);
    if (all.length === 4) await api.must(`PATCH ${path}/campaigns/${all[0]}`, { name: 'changed' });
    cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
  } while (cursor !== '');
  t.same(all, ids.toReversed(), 'each once, in order');
  await api.must(`POST /v1/campaigns/${ids[3]}/cancel`);
  t.match((await api.must(`GET ${path}/campaigns?state=canceled`)).items, [{ id: ids[3] }]);
  t.equal((await api.must(`GET ${path}/campaigns?state=draft`)).items.length, 5);
  await refuses(t, `GET ${path}/campaigns?state=done`, undefined, { status: 400, field: 'state' });
  for (const cursor of ['x', 'p1-1', ids[0]])
    await refuses(t, `GET ${path}/campaigns?cursor=${cursor}`, undefined, {
      status: 400,
      field: 'cursor',
    });
});

t.test('what a campaign uses stays until it is over, and the refusal says by what', async (t) => {
  const message = await make('messages', { title: 'T', body: 'x' });
  const other = await make('messages', { title: 'T', body: 'y' });
  const segment = await make('segments', { name: 's', filter: { tag: 'a', eq: 1 } });
  const variants = [
    { id: 'a', weight: 1, messageId: message },
    { id: 'b', weight: 1, messageId: other },
  ];
  const body = { name: 'User', messageId: message, segmentId: segment, channels: ['email'] };
  const id = await draft({ ...body, variants, schedule: later });
  const keeps = async (path: string) =>
    refuses(t, `DELETE ${base}/${path}`, undefined, {
      status: 409,
      code: 'in_use',
      error: new RegExp(`^the campaign "User" \\(${id}\\) uses this`),
    });
  await takes(t, `PATCH ${base}/messages/${other}`, { title: null }, 200, 'of a draft');
  await refuses(t, `POST /v1/campaigns/${id}/send`, undefined, {
    status: 409,
    error: /cannot be sent: variants\[1\]\.messageId: .* title, which email/,
  });
  await takes(t, `PATCH ${base}/messages/${other}`, { title: 'T' }, 200);
  for (const verb of ['send', 'pause']) {
    await Promise.all(
      [`messages/${message}`, `messages/${other}`, `segments/${segment}`].map(keeps),
    );
    await takes(t, `POST /v1/campaigns/${id}/${verb}`, undefined, 200);
  }
  await refuses(
    t,
    `PATCH ${base}/messages/${other}`,
    { title: null },
    {
      status: 409,
      error: /"User" .* by email, which needs title; the change would remove it/,
    },
  );
  await takes(t, `POST /v1/campaigns/${id}/cancel`, undefined, 200);
  await takes(t, `DELETE ${base}/messages/${message}`, undefined, 204);
  await takes(t, `DELETE ${base}/messages/${other}`, undefined, 204);
  await takes(t, `DELETE ${base}/segments/${segment}`, undefined, 204);
});

t.test('events are kept as long as an unfinished campaign looks back', async (t) => {
  const id = await draft({ filter: { event: 'order', notWithinDays: 60 } });
  const body = { eventsRetentionDays: 30 };
  await refuses(t, `PATCH ${base}/settings`, body, {
    status: 400,
    field: 'eventsRetentionDays',
    error: new RegExp(`the campaign "Novelties" \\(${id}\\) looks back 60 days`),
  });
  await api.must(`POST /v1/campaigns/${id}/cancel`);
  await takes(t, `PATCH ${base}/settings`, body, 200);
  const filter = { event: 'order', withinDays: 31 };
  await refuses(
    t,
    `POST ${campaigns}`,
    { messageId, filter },
    { status: 400, field: 'filter.withinDays' },
  );
  await takes(t, `PATCH ${base}/settings`, { eventsRetentionDays: null }, 200);
});

t.test('stats are read for one, and compared for up to ten, in the order asked', async (t) => {
  const ids = await Promise.all(Array.from({ length: 11 }, (_, i) => draft({ name: `${i}` })));
  const stats = await api.must(`GET ${campaigns}/${ids[0]}/stats`);
  t.match(stats, { campaignId: ids[0], state: 'draft', audience: 0, sent: 0, byChannel: {} });
  const asked = ids.slice(1).reverse();
  const compare = (ids: readonly string[]) => `GET /v1/campaigns/stats?ids=${ids.join(',')}`;
  const { items } = await api.must(compare(asked));
  t.same(
    items.map(({ campaignId }: { campaignId: string }) => campaignId),
    asked,
  );
  t.equal(items[0].rates, null, 'nothing is a share of nobody');
  const { best } = await api.must(compare(asked));
  t.same(new Set(Object.values(best)), new Set([null]), 'none of drafts is best');
  const twice = await api.must(compare([...asked, asked[0] as string]));
  t.same(twice.items, items, 'one that is named twice counts once');
  await refuses(t, compare(ids), undefined, { status: 400, field: 'ids' });
  await refuses(t, compare([]), undefined, { status: 400, field: 'ids' });
  await refuses(t, 'GET /v1/campaigns/stats', undefined, { status: 400, field: 'ids' });
  const nobody = { status: 404, error: 'campaign not found' };
  for (const id of [unknown('cmp'), messageId, app, 'x'])
    await refuses(t, compare([ids[0] as string, id]), undefined, {
      status: 404,
      field: 'ids',
      error: `ids: campaign not found: ${id}`,
    });
  await refuses(t, `GET ${campaigns}/${unknown('cmp')}/stats`, undefined, nobody);
  const sibling = (await api.must('POST /v1/apps', { name: 'Sibling' })).id;
  const message = (await api.must(`POST /v1/apps/${sibling}/messages`, { body: 'x' })).id;
  const other = (await api.must(`POST /v1/apps/${sibling}/campaigns`, { messageId: message })).id;
  const both = [other, ids[0] as string];
  t.match((await api.must(compare(both))).items, [{ campaignId: other }, { campaignId: ids[0] }]);
  const { key } = await api.must('POST /v1/keys', { name: 'k', scopes: ['read'], appId: app });
  const scoped = withKey(surroundings, key);
  const refused = await scoped.call(compare(both));
  t.match(
    refused,
    { status: 404, json: { error: `ids: campaign not found: ${other}` } },
    'a key of one app',
  );
  t.equal((await scoped.call(compare([ids[0] as string]))).status, 200);
});

t.test('each call needs its scope, and no other', async (t) => {
  const id = await draft({ schedule: later });
  const { dryRunId } = await api.must(`POST /v1/campaigns/${id}/dry-run`);
  const calls = [
    ['read', `GET ${campaigns}`],
    ['read', `GET /v1/campaigns/${id}`],
    ['read', `GET ${campaigns}/${id}/stats`],
    ['read', `GET /v1/campaigns/stats?ids=${id}`],
    ['read', `GET /v1/campaigns/export?appId=${app}`],
    ['read', `POST /v1/campaigns/${id}/dry-run`],
    ['read', `GET ${campaigns}/${id}/dry-run/${dryRunId}`],
    ['write', `POST ${campaigns}`, { messageId }],
    ['write', `PATCH ${campaigns}/${id}`, { name: 'x' }],
    ['send', `POST /v1/campaigns/${id}/send`, {}],
    ['send', `POST ${campaigns}/${id}/pause`],
    ['send', `POST /v1/campaigns/${id}/resume`],
    ['send', `POST ${campaigns}/${id}/cancel`],
    ['write', `DELETE ${campaigns}/${id}`],
  ] as const;
  const scopes = ['read', 'write', 'send', 'admin'];
  for (const [needed, line, body] of calls) {
    const others = scopes.filter((scope) => scope !== needed);
    const without = await org.client.must('POST /v1/keys', { name: 'k', scopes: others });
    const withIt = await org.client.must('POST /v1/keys', { name: 'k', scopes: [needed] });
    t.equal((await withKey(surroundings, without.key).call(line, body)).status, 403, line);
    const { status, text } = await withKey(surroundings, withIt.key).call(line, body);
    t.ok(status < 300, `${line}: ${text}`);
  }
});

// Contract, section 8: journeys as their authors see them, over HTTP. Who is moved when has tests
// of its own.

import t from 'tap';
import { afterKill } from '../support/after-kill.ts';
import { until } from '../support/server.ts';
import { chapter, withKey } from './chapter.ts';

const surroundings = await chapter(t);
const { api, base, app, takes, refuses, server } = surroundings;
const journeys = `${base}/journeys`;
const unknown = (prefix: string) => `${prefix}_${'0'.repeat(26)}`;

const make = async (path: string, body: object): Promise<string> =>
  (await api.must(`POST ${base}/${path}`, body)).id;
const messageId = await make('messages', { title: 'New {{ first_name }}', body: 'Hi' });
const untitled = await make('messages', { body: 'Hi' });
const segmentId = await make('segments', { name: 'Pros', filter: { tag: 'plan', eq: 'pro' } });
const send = { id: 's', type: 'send', messageId };
const wait = (more: object) => ({ id: 'w', type: 'wait', ...more });
const whole = { name: 'Welcome', triggerEvent: 'signup', steps: [send] };
const create = (change: object = {}): Promise<string> => make('journeys', { ...whole, ...change });
const person = (externalUserId: string, more: object = {}) =>
  api.must(`POST ${base}/subscribers`, {
    externalUserId,
    tags: { first_name: externalUserId },
    devices: [{ channel: 'fcm', endpoint: `token-${externalUserId}` }],
    ...more,
  });
const track = (...events: object[]) => api.must('POST /e', { appId: app, events });
const condition = (filter: unknown) => ({ id: 'c', type: 'condition', filter, then: [] });
const nested = (levels: number): object =>
  levels === 0
    ? { id: 'end', type: 'wait', minutes: 1 }
    : { id: `c${levels}`, type: 'branch', filter: { tag: 'a', eq: 1 }, then: [nested(levels - 1)] };

t.test('a journey is kept as it was sent, also after a kill', async (t) => {
  // In an app of its own: a live one would start for the people of later tests.
  const { id: app } = await api.must('POST /v1/apps', { name: 'Killed' });
  const content = { title: 'New', body: 'Hi' };
  const { id: messageId } = await api.must(`POST /v1/apps/${app}/messages`, content);
  const journeys = `/v1/apps/${app}/journeys`;
  const steps = [
    { id: 'hello', type: 'send', messageId, channels: ['email', 'fcm'] },
    wait({ hours: 2 }),
    {
      id: 'pro?',
      type: 'condition',
      filter: {
        all: [
          { tag: 'plan', eq: 'pro' },
          { event: 'order', withinDays: 7, atLeast: 2 },
        ],
      },
      then: [{ id: 'own', type: 'send', message: { title: 'T', body: 'x', ttlSeconds: 60 } }],
      else: [{ id: 'buy', type: 'goal', event: 'order', timeoutHours: 48 }],
    },
  ];
  const { json } = await takes(t, `POST ${journeys}`, { ...whole, steps }, 201);
  t.match(json, {
    id: /^jrn_/,
    name: 'Welcome',
    triggerEvent: 'signup',
    triggerSegmentId: null,
    reentry: 'once',
    active: false,
    createdAt: /Z$/,
    updatedAt: /Z$/,
  });
  t.same(json.steps, [{ ...steps[0], channels: ['fcm', 'email'] }, ...steps.slice(1)]);
  t.same(await api.must(`GET ${journeys}/${json.id}`), json);
  const { json: other } = await takes(t, `POST ${journeys}`, { ...whole, steps }, 201);
  const { json: live } = await takes(t, `PATCH ${journeys}/${json.id}`, { active: true }, 200);
  afterKill(server, 'a live journey is live, until it is deleted', async (t) => {
    t.same(await api.must(`GET ${journeys}/${other.id}`), other);
    t.same(await api.must(`GET ${journeys}/${json.id}`), live);
    await refuses(t, `DELETE ${journeys}/${json.id}`, undefined, { status: 409, error: /is live/ });
    await takes(t, `PATCH ${journeys}/${json.id}`, { active: false }, 200);
    await takes(t, `DELETE ${journeys}/${json.id}`, undefined, 204);
    for (const line of [`GET ${journeys}/${json.id}`, `GET ${journeys}/${json.id}/stats`])
      await refuses(t, line, undefined, { status: 404, error: 'journey not found' });
  });
});

t.test('every refusal names the member, and of a step its place and its id', async (t) => {
  const steps = (...some: unknown[]) => ({ steps: some });
  const cases: readonly (readonly [object, string, RegExp, number?])[] = [
    [{ name: undefined }, 'name', /name/],
    [{ name: '' }, 'name', /name/],
    [{ name: 'a\nb' }, 'name', /control/],
    [{ triggerEvent: undefined }, 'triggerEvent', /expected triggerEvent or triggerSegmentId/],
    [{ triggerEvent: '' }, 'triggerEvent', /1 to 128/],
    [{ triggerEvent: 'x'.repeat(129) }, 'triggerEvent', /1 to 128/],
    [{ triggerEvent: 'journey_completed' }, 'triggerEvent', /cannot trigger a journey/],
    [{ triggerEvent: 5 }, 'triggerEvent', /string/],
    [{ triggerSegmentId: segmentId }, 'triggerSegmentId', /one trigger/],
    [
      { triggerEvent: null, triggerSegmentId: unknown('seg') },
      'triggerSegmentId',
      /segment not found: seg_/,
      404,
    ],
    [{ reentry: 'twice' }, 'reentry', /once/],
    [{ active: true }, 'active', /PATCH/],
    [{ steps: undefined }, 'steps', /steps/],
    [{ steps: 'x' }, 'steps', /array/],
    [steps(), 'steps', /at least one/],
    [steps('x'), 'steps[0]', /object|record/],
    [steps({ type: 'wait', minutes: 1 }), 'steps[0].id', /1 to 128/],
    [
      steps({ id: 'w', type: 'pause' }),
      'steps[0].type',
      /\("w"\)\.type: expected one of wait, send/,
    ],
    [steps(wait({})), 'steps[0]', /\("w"\): expected one of minutes, hours, days/],
    [steps(wait({ minutes: 1, days: 1 })), 'steps[0]', /both minutes and days/],
    [steps(wait({ days: 31 })), 'steps[0].days', /1 to 30/],
    [steps(wait({ minutes: 0 })), 'steps[0].minutes', /1 to 43200/],
    [steps(wait({ hours: 1.5 })), 'steps[0].hours', /1 to 720/],
    [steps(send, send), 'steps[1].id', /duplicates the id of steps\[0\]/],
    [steps({ id: 's', type: 'send' }), 'steps[0]', /messageId, message/],
    [steps({ ...send, message: { body: 'x' } }), 'steps[0]', /both messageId and message/],
    [
      steps({ ...send, messageId: unknown('msg') }),
      'steps[0].messageId',
      /\("s"\).*message not found: msg_/,
      404,
    ],
    [steps({ ...send, channels: [] }), 'steps[0].channels', /omit it/],
    [steps({ ...send, channels: ['pigeon'] }), 'steps[0].channels[0]', /expected one of/],
    [steps({ ...send, channels: ['whatsapp'] }), 'steps[0].messageId', /payload\.whatsapp/],
    [steps({ ...send, messageId: untitled, channels: ['email'] }), 'steps[0].messageId', /title/],
    [
      steps({ id: 's', type: 'send', message: { body: '{{ a' } }),
      'steps[0].message.body',
      /\("s"\)\.message\.body/,
    ],
    [
      steps({ id: 's', type: 'send', message: { body: 'x' }, channels: ['whatsapp'] }),
      'steps[0].message.payload.whatsapp',
      /approved template/,
    ],
    [steps(condition({ tag: 'a' })), 'steps[0].filter', /filter/],
    [steps(condition({ event: 'a', withinDays: 91 })), 'steps[0].filter.withinDays', /90/],
    [steps(condition({ event: 'a', withinDays: 0 })), 'steps[0].filter.withinDays', /1/],
    [steps(condition({ event: 'a', withinDays: 1, tag: 'b' })), 'steps[0].filter', /filter/],
    [steps({ ...condition({ tag: 'a', eq: 1 }), then: 'x' }), 'steps[0].then', /list of steps/],
    [steps({ id: 'g', type: 'goal', timeoutHours: 1 }), 'steps[0].event', /1 to 128/],
    [
      steps({ id: 'g', type: 'goal', event: 'a', timeoutHours: 0 }),
      'steps[0].timeoutHours',
      /2160/,
    ],
    [steps(nested(11)), 'steps[0]', /nest to at most 10 levels/],
    [
      { steps: Array.from({ length: 201 }, (_, i) => ({ ...wait({ minutes: 1 }), id: `${i}` })) },
      'steps[200]',
      /at most 200 steps/,
    ],
  ];
  for (const [change, field, words, status = 400] of cases) {
    const { status: got, json } = await api.call(`POST ${journeys}`, { ...whole, ...change });
    const what = JSON.stringify(change).slice(0, 160);
    t.equal(got, status, `${what}: ${JSON.stringify(json)}`);
    t.match(json, { error: words, code: status === 404 ? 'not_found' : 'invalid' }, what);
    t.ok(String(json.field).startsWith(field), `${json.field} of ${what}`);
  }
  await takes(t, `POST ${journeys}`, { ...whole, steps: [nested(10)] }, 201);
  await takes(t, `POST ${journeys}`, { ...whole, active: false, reentry: null }, 201);
  t.same((await api.must(`GET ${journeys}`)).items.length, 2, 'a refused one is not made');
});

t.test('exactly one trigger, also after a change', async (t) => {
  const id = await create();
  const line = `PATCH ${journeys}/${id}`;
  await refuses(
    t,
    line,
    { triggerSegmentId: segmentId },
    { status: 400, field: 'triggerSegmentId' },
  );
  await refuses(t, line, { triggerEvent: null }, { status: 400, field: 'triggerEvent' });
  const body = {
    triggerEvent: null,
    triggerSegmentId: segmentId,
    reentry: 'always',
    name: 'Other',
  };
  t.match((await takes(t, line, body, 200)).json, { ...body, steps: whole.steps });
  t.match((await takes(t, line, { reentry: null }, 200)).json, { reentry: 'once' });
  await refuses(t, line, { enrollExisting: true }, { status: 400, field: 'enrollExisting' });
  const event = await create();
  await refuses(
    t,
    `PATCH ${journeys}/${event}`,
    { active: true, enrollExisting: true },
    { status: 400, field: 'enrollExisting' },
  );
});

t.test('while a journey is live its steps and its trigger are frozen', async (t) => {
  const id = await create({ triggerEvent: 'frozen' });
  const line = `PATCH ${journeys}/${id}`;
  t.match((await takes(t, line, { active: true }, 200)).json, { active: true });
  t.match((await takes(t, line, { active: true }, 200)).json, { active: true }, 'twice is once');
  const frozen = { status: 409, code: 'wrong_state' };
  await refuses(
    t,
    line,
    { steps: [wait({ days: 1 })] },
    { ...frozen, field: 'steps', error: /frozen/ },
  );
  await refuses(t, line, { triggerEvent: 'other' }, { ...frozen, field: 'triggerEvent' });
  await refuses(
    t,
    line,
    { triggerEvent: null, triggerSegmentId: segmentId },
    { ...frozen, field: 'triggerEvent' },
  );
  await refuses(
    t,
    line,
    { active: false, steps: [wait({ days: 1 })] },
    { ...frozen, field: 'steps' },
  );
  t.match(
    (await takes(t, line, { ...whole, triggerEvent: 'frozen', name: 'Renamed' }, 200)).json,
    { name: 'Renamed', active: true },
    'what is as it was is no change',
  );
  await takes(t, line, { active: false }, 200);
  t.match((await takes(t, line, { steps: [wait({ days: 1 })] }, 200)).json, { active: false });
});

t.test('what a journey uses stays, and the refusal says by what', async (t) => {
  const message = await make('messages', { title: 'T', body: 'x' });
  const segment = await make('segments', { name: 's', filter: { tag: 'a', eq: 1 } });
  const id = await create({
    name: 'User',
    triggerEvent: null,
    triggerSegmentId: segment,
    steps: [{ ...send, messageId: message, channels: ['email'] }],
  });
  const keeps = (path: string) =>
    refuses(t, `DELETE ${base}/${path}`, undefined, {
      status: 409,
      code: 'in_use',
      error: new RegExp(`^the journey "User" \\(${id}\\) `),
    });
  for (const active of [false, true, false]) {
    await takes(t, `PATCH ${journeys}/${id}`, { active }, 200);
    await keeps(`messages/${message}`);
    await keeps(`segments/${segment}`);
  }
  await takes(t, `PATCH ${base}/messages/${message}`, { title: null }, 200, 'of one not live');
  await refuses(
    t,
    `PATCH ${journeys}/${id}`,
    { active: true },
    {
      status: 409,
      error: /cannot go live: steps\[0\] \("s"\)\.messageId: .*title/,
    },
  );
  await takes(t, `DELETE ${journeys}/${id}`, undefined, 204);
  await takes(t, `DELETE ${base}/messages/${message}`, undefined, 204);
  await takes(t, `DELETE ${base}/segments/${segment}`, undefined, 204);
});

t.test('events are kept as long as a journey looks back', async (t) => {
  const id = await create({ steps: [condition({ event: 'order', notWithinDays: 60 })] });
  await refuses(
    t,
    `PATCH ${base}/settings`,
    { eventsRetentionDays: 30 },
    {
      status: 400,
      field: 'eventsRetentionDays',
      error: new RegExp(`the journey "Welcome" \\(${id}\\) looks back 60 days`),
    },
  );
  await takes(t, `DELETE ${journeys}/${id}`, undefined, 204);
  await takes(t, `PATCH ${base}/settings`, { eventsRetentionDays: 30 }, 200);
  const beyond = { ...whole, steps: [condition({ event: 'order', withinDays: 31 })] };
  const refused = await api.call(`POST ${journeys}`, beyond);
  t.match(refused, { status: 400, json: { field: 'steps[0].filter.withinDays', error: /30/ } });
  await takes(t, `PATCH ${base}/settings`, { eventsRetentionDays: null }, 200);
});

t.test('each call needs its scope, and a call that does both needs both', async (t) => {
  const id = await create({ triggerEvent: 'scoped' });
  const of = async (...scopes: string[]) => {
    const { key } = await api.must('POST /v1/keys', { name: 'k', scopes });
    return withKey(surroundings, key);
  };
  const [reader, writer, sender, both] = await Promise.all([
    of('read'),
    of('write'),
    of('send'),
    of('write', 'send'),
  ]);
  const patch = `PATCH ${journeys}/${id}`;
  for (const [who, line, body, status] of [
    [reader, `GET ${journeys}`, undefined, 200],
    [reader, `GET ${journeys}/${id}/stats`, undefined, 200],
    [reader, `POST ${journeys}/${id}/simulate`, {}, 200],
    [reader, `POST ${journeys}/${id}/forecast`, { days: 1 }, 200],
    [reader, patch, { name: 'x' }, 403],
    [writer, `GET ${journeys}`, undefined, 403],
    [writer, `POST ${journeys}`, whole, 201],
    [writer, patch, { name: 'x' }, 200],
    [writer, patch, { active: true }, 403],
    [writer, patch, { name: 'x', active: true }, 403],
    [sender, patch, { name: 'x' }, 403],
    [sender, patch, {}, 403],
    [sender, patch, { name: 'x', active: true }, 403],
    [sender, patch, { active: true }, 200],
    [sender, patch, { active: false }, 200],
    [sender, `DELETE ${journeys}/${id}`, undefined, 403],
    [both, patch, { name: 'y', active: true }, 200],
    [both, patch, { active: false }, 200],
  ] as const) {
    const got = await who.call(line, body);
    t.equal(got.status, status, `${line} ${JSON.stringify(body)}: ${got.text.slice(0, 120)}`);
    if (status === 403) t.match(got.json, { code: 'forbidden', error: /lacks the scope/ });
  }
});

t.test('a journey is put away and taken back, and rests meanwhile', async (t) => {
  const id = await create({ triggerEvent: 'put_away' });
  const line = `PATCH ${journeys}/${id}`;
  await takes(t, line, { active: true }, 200);
  await refuses(t, `POST ${journeys}/${id}/archive`, undefined, {
    status: 409,
    code: 'wrong_state',
    error: /is live and cannot be archived\. Pause it first/,
  });
  await takes(t, line, { active: false }, 200);
  const { json } = await takes(t, `POST ${journeys}/${id}/archive`, undefined, 200);
  t.match(json, { active: false, archivedAt: /Z$/ });
  t.same((await takes(t, `POST ${journeys}/${id}/archive`, undefined, 200)).json, json);
  t.same(await api.must(`GET ${journeys}/${id}`), json);
  const has = async (query: string) =>
    (await api.must(`GET ${journeys}?limit=200${query}`)).items.some(
      (one: { id: string }) => one.id === id,
    );
  const queries = ['', '&archived=false', '&archived=true', '&archived=all', '&active=false'];
  const lists: boolean[] = [];
  for (const query of queries) lists.push(await has(query));
  t.same(lists, [false, false, true, true, false]);
  await refuses(t, `GET ${journeys}?archived=yes`, undefined, {
    status: 400,
    error: /^archived: /,
  });
  for (const [call, body, verb] of [
    [line, { active: true }, 'activate'],
    [line, { name: 'Other' }, 'change'],
    [`${line}/steps/s`, { message: { body: 'x' } }, 'correct'],
  ] as const)
    await refuses(t, call, body, {
      status: 409,
      code: 'wrong_state',
      error: `this journey is archived; unarchive it before you ${verb} it`,
    });
  t.match(await api.must(`GET ${journeys}/${id}/stats`), { enrolled: 0 });
  const copy = await takes(t, `POST ${journeys}/${id}/duplicate`, undefined, 201);
  t.equal(copy.json.archivedAt, null);
  const back = await takes(t, `POST ${journeys}/${id}/unarchive`, undefined, 200);
  t.match(back.json, { active: false, archivedAt: null });
  t.equal(await has(''), true);
  await takes(t, line, { name: 'Other', active: true }, 200);
  await takes(t, line, { active: false }, 200);
  for (const action of ['journey.archived', 'journey.unarchived'])
    t.match(await api.must(`GET /v1/org/audit-log?action=${action}`), {
      items: [{ target: id, before: { name: 'Welcome' } }],
    });
});

t.test('one call activates a journey and pauses the one whose place it takes', async (t) => {
  const start = { triggerEvent: 'successor', steps: [wait({ days: 1 })] };
  const old = await create(start);
  const id = await create({ ...start, name: 'Second' });
  const off = await create(start);
  const line = `PATCH ${journeys}/${id}`;
  await takes(t, `PATCH ${journeys}/${old}`, { active: true }, 200);
  for (const [body, status, error] of [
    [{ replaces: old }, 400, /^replaces: can only be used with active: true/],
    [{ active: true, replaces: id }, 400, /^replaces: a journey cannot replace itself/],
    [{ active: true, replaces: unknown('jrn') }, 404, /^replaces: journey not found: jrn_/],
    [{ active: true, replaces: off }, 409, /^replaces: this journey is not live/],
    [{ active: true, replaces: 5 }, 400, /^replaces: /],
  ] as const)
    await refuses(t, line, body, { status, field: 'replaces', error });
  t.equal((await api.must(`GET ${journeys}/${old}`)).active, true);
  const { json } = await takes(t, line, { active: true, replaces: old }, 200);
  t.match(json, { active: true, replacedBy: null });
  const was = await api.must(`GET ${journeys}/${old}`);
  t.match(was, { active: false, replacedBy: id, updatedAt: json.updatedAt });
  await takes(t, line, { active: true, replaces: old }, 200);
  t.match(await api.must(`GET ${journeys}/${old}`), was, 'a call again changes nothing of it');
  await track({ name: 'successor', externalUserId: 'heir' });
  await until(
    async () => (await api.must(`GET ${journeys}/${id}/stats`)).enrolled === 1,
    'the new one did not start',
  );
  t.equal((await api.must(`GET ${journeys}/${old}/stats`)).enrolled, 0);
  const log = `GET /v1/org/audit-log?target=`;
  t.match(await api.must(`${log}${id}`), {
    items: [{ action: 'journey.activated', after: { active: true, replaces: old } }],
  });
  t.match((await api.must(`${log}${old}`)).items[0], {
    action: 'journey.paused',
    after: { active: false, replacedBy: id },
  });
});

t.test('a kill -9 amid calls that replace a journey leaves one of the two live', async () => {
  const start = { triggerEvent: 'killed_successor', steps: [wait({ days: 1 })] };
  const pair = [await create(start), await create(start)] as const;
  await api.must(`PATCH ${journeys}/${pair[0]}`, { active: true });
  let switched = 0;
  afterKill(
    server,
    'one of two journeys that replace each other is live',
    async (t) => {
      const both = await Promise.all(pair.map((id) => api.must(`GET ${journeys}/${id}`)));
      t.equal(both.filter(({ active }) => active).length, 1, `after ${switched} switches`);
      t.not(switched, 0);
      const [live, off] = both.toSorted((one, other) => other.active - one.active);
      t.equal(off.replacedBy, live.id);
      t.equal(live.replacedBy, null);
    },
    async () => {
      const replace = async () => {
        const id = pair[(switched + 1) % 2];
        await api.must(`PATCH ${journeys}/${id}`, { active: true, replaces: pair[switched % 2] });
        switched++;
      };
      for (let i = 0; i < 3; i++) await replace();
      const goOn = async () => {
        for (;;) await replace();
      };
      // The kill ends it.
      goOn().catch(() => undefined);
    },
  );
});

t.test('journeys are listed newest first, by pages, live ones by themselves', async (t) => {
  const { id: own } = await api.must('POST /v1/apps', { name: 'Lists' });
  const path = `/v1/apps/${own}/journeys`;
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    const steps = [wait({ days: 1 })];
    ids.push((await api.must(`POST ${path}`, { ...whole, name: `${i}`, steps })).id);
  }
  const all: string[] = [];
  let cursor = '';
  do {
    const page = await api.must(`GET ${path}?limit=2${cursor}`);
    all.push(...page.items.map(({ id }: { id: string }) => id));
    cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
  } while (cursor !== '');
  t.same(all, ids.toReversed());
  await takes(t, `PATCH ${path}/${ids[3]}`, { active: true }, 200);
  t.match((await api.must(`GET ${path}?active=true`)).items, [{ id: ids[3] }]);
  t.equal((await api.must(`GET ${path}?active=false`)).items.length, 4);
  for (const query of ['cursor=x', 'active=yes', 'limit=0'])
    await refuses(t, `GET ${path}?${query}`, undefined, { status: 400 });
});

t.test(
  'simulated first, then live: a person gets what was shown, and the stats say so',
  async (t) => {
    const steps = [
      { id: 'hello', type: 'send', messageId, channels: ['fcm'] },
      {
        id: 'pro?',
        type: 'condition',
        filter: { tag: 'plan', eq: 'pro' },
        then: [{ id: 'buy', type: 'goal', event: 'purchase', timeoutHours: 1 }],
        else: [],
      },
      wait({ days: 2 }),
    ];
    const id = await create({ triggerEvent: 'go_live', steps });
    const ada = await person('ada', { tags: { first_name: 'Ada', plan: 'pro' } });
    const simulate = (body: object) => api.must(`POST ${journeys}/${id}/simulate`, body);
    const told = (walk: { steps: { what: string; step?: string; branch?: string }[] }) =>
      walk.steps.map(({ what, step, branch }) => [what, step, branch].filter(Boolean).join(' '));
    const way = ['enrolled', 'entered hello', 'sent hello', 'entered pro?', 'branched pro? then'];
    const shown = await simulate({
      subscriberId: 'external:ada',
      events: [{ name: 'purchase', afterMinutes: 30 }],
      fromTime: '2026-12-01T10:00:00+07:00',
    });
    const goal = ['entered buy', 'waits buy', 'event', 'converted'];
    t.same(told(shown), [...way, ...goal]);
    t.match(shown, { outcome: 'converted', steps: [{ at: '2026-12-01T03:00:00.000Z' }] });
    t.equal(shown.steps.at(-1).at, '2026-12-01T03:30:00.000Z');
    t.match(told(await simulate({ subscriberId: ada.id })).slice(-4), [
      'timed_out buy',
      'entered w',
      'waits w',
      'completed',
    ]);
    t.ok(told(await simulate({})).includes('branched pro? else'), 'somebody new');
    t.same((await api.must(`GET ${journeys}/${id}/stats`)).enrolled, 0, 'nothing is recorded');
    for (const [body, field, status] of [
      [{ subscriberId: unknown('sub') }, 'subscriberId', 404],
      [{ events: 'x' }, 'events', 400],
      [{ events: [{ name: '', afterMinutes: 1 }] }, 'events[0].name', 400],
      [{ events: [{ name: 'a', afterMinutes: -1 }] }, 'events[0].afterMinutes', 400],
      [{ events: Array(1001).fill({ name: 'a', afterMinutes: 1 }) }, 'events', 400],
      [{ fromTime: 'tomorrow' }, 'fromTime', 400],
      [{ fromTime: '1990-01-01T00:00:00Z' }, 'fromTime', 400],
    ] as const)
      await refuses(t, `POST ${journeys}/${id}/simulate`, body, { status, field });

    await takes(t, `PATCH ${journeys}/${id}`, { active: true }, 200);
    await track({ name: 'go_live', externalUserId: 'ada' });
    await track({ name: 'purchase', externalUserId: 'ada' });
    await until(async () => {
      const { items } = await api.must(`GET ${base}/events?subscriberId=${ada.id}&name=delivered`);
      return items.length === 1 && items[0].journeyId === id && items[0].meta.journeyId === id;
    }, 'no receipt');
    const none = {
      ...{ entered: 0, waiting: 0, sent: 0, delivered: 0, opened: 0, clicked: 0, converted: 0 },
      ...{ bounced: 0, failed: 0, suppressed: 0, suppressedBy: {} },
    };
    t.same(await api.must(`GET ${journeys}/${id}/stats`), {
      enrolled: 1,
      inFlow: 0,
      completed: 0,
      converted: 1,
      exited: 0,
      bySteps: {
        hello: { ...none, entered: 1, sent: 1, delivered: 1, converted: 1 },
        'pro?': { ...none, entered: 1 },
        buy: { ...none, entered: 1, converted: 1 },
        w: none,
      },
    });
    const ofJourney = await api.must(`GET ${base}/events?journeyId=${id}&limit=200`);
    t.ok(ofJourney.items.length >= 3);
    t.ok(ofJourney.items.every((event: { journeyId: string }) => event.journeyId === id));
    t.same(await api.must(`GET ${journeys}/${id}/people`), { items: [], nextCursor: null });
    const file = await takes(t, `GET ${journeys}/${id}/people?format=csv`, undefined, 200);
    t.equal(file.text, 'subscriberId,externalUserId,state,step,enrolledAt,until\r\n');
    await refuses(t, `GET ${journeys}/${id}/people?state=lost`, undefined, {
      ...{ status: 400, field: 'state' },
    });
    const { items } = await api.must(`GET ${base}/events?subscriberId=${ada.id}`);
    for (const name of ['journey_enrolled', 'journey_converted'])
      t.match(
        items.find((event: { name: string }) => event.name === name),
        { journeyId: id, subscriberId: ada.id },
        name,
      );
    const forecast = await api.must(`POST ${journeys}/${id}/forecast`, { days: 7 });
    t.match(forecast, { days: 7, enrolled: 1, converted: 1, completed: 0, exited: 0, inFlow: 0 });
    t.equal(forecast.sends.total, 1);
    t.match(forecast.note, /Tags.*current/);
    for (const days of [0, 91, 1.5, '7', undefined])
      await refuses(t, `POST ${journeys}/${id}/forecast`, { days }, { status: 400, field: 'days' });
    await refuses(t, `POST ${journeys}/${unknown('jrn')}/forecast`, { days: 1 }, { status: 404 });
  },
);

t.test('a segment of counted events is followed, and takes in those who are there', async (t) => {
  const own = await make('segments', {
    name: 'Frequent',
    filter: { event: 'visit', withinDays: 30, atLeast: 2 },
  });
  await person('bo');
  await person('cy');
  const visits = (user: string) =>
    track({ name: 'visit', externalUserId: user }, { name: 'visit', externalUserId: user });
  await visits('bo');
  const id = await create({ triggerEvent: null, triggerSegmentId: own });
  await takes(t, `PATCH ${journeys}/${id}`, { active: true, enrollExisting: true }, 200);
  const enrolled = async (count: number) =>
    until(
      async () => (await api.must(`GET ${journeys}/${id}/stats`)).enrolled === count,
      `not ${count} enrolled`,
    );
  await enrolled(1);
  await visits('cy');
  await enrolled(2);
});

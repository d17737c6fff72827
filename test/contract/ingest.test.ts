// `POST /e` and reading events back: one verdict an event, exactly once an id, and the bounds of
// names, properties and time (contract, section 10).

import t from 'tap';
import { client, until } from '../support/server.ts';
import { chapter, withKey } from './chapter.ts';

const all = await chapter(t);
const { api, app, base, takes, refuses, server } = all;
const stranger = client(server.url);
const minute = 60_000;
const day = 86_400_000;

/** The verdict on one event, sent among two good ones. */
async function judged(event: unknown, who = api): Promise<string | undefined> {
  const good = { name: 'neighbor', externalUserId: 'neighbor' };
  const { status, json } = await who.call('POST /e', { appId: app, events: [good, event, good] });
  if (status !== 202) return `${status}`;
  if (json.rejected === 0 && json.accepted === 3) return undefined;
  t.match(json, { accepted: 2, rejected: 1, errors: [{ index: 1 }] }, 'neighbors are not harmed');
  return json.errors[0].error;
}

const farNumber = '{"name":"x","externalUserId":"e","props":{"n":1e400}}';
const fine = '{"name":"x","externalUserId":"e","props":{"n":1e14}}';
const event = (more: object = {}) => ({ name: 'tried', externalUserId: 'someone', ...more });

t.test('a batch has 1 to 1,000 events', async (t) => {
  const batch = (count: number) => ({
    appId: app,
    events: Array.from({ length: count }, () => event()),
  });
  t.same((await takes(t, 'POST /e', batch(1), 202)).json, { accepted: 1, rejected: 0, errors: [] });
  t.equal((await takes(t, 'POST /e', batch(1_000), 202)).json.accepted, 1_000);
  for (const count of [0, 1_001])
    await refuses(t, 'POST /e', batch(count), { status: 400, field: 'events', error: /1000/ });
  for (const events of [undefined, null, {}, 'x']) {
    await refuses(t, 'POST /e', { appId: app, events }, { status: 400, field: 'events' });
  }
});

t.test('a body is an object, and says what it is instead', async (t) => {
  const { key } = await api.must('POST /v1/keys', { name: 'app', scopes: ['write'], appId: app });
  for (const who of [api, withKey(all, key), stranger]) {
    for (const [body, what] of [
      ['[]', 'an array'],
      ['null', 'null'],
      ['5', 'a number'],
      ['"x"', 'a string'],
      ['true', 'a boolean'],
    ] as const) {
      const { status, json } = await who.call('POST /e', body);
      t.equal(status, 400, body);
      t.match(json, { field: 'body', error: `body: expected an object, not ${what}` }, body);
    }
  }
  t.match((await withKey(all, key).call('POST /e', `{"events":[${farNumber},${fine}]}`)).json, {
    accepted: 1,
    rejected: 1,
    errors: [{ index: 0, error: 'props.n: a number is out of range' }],
  });
  t.match((await api.call('POST /e', `{"appId":"${app}","events":[${farNumber},${fine}]}`)).json, {
    accepted: 1,
    rejected: 1,
    errors: [{ index: 0, error: 'props.n: a number is out of range' }],
  });
});

t.test('requests at one time are answered each by itself', async (t) => {
  const call = (events: unknown, more: object = {}) =>
    api.call('POST /e', { appId: app, events, ...more });
  const crowd = (from: number) =>
    Array.from({ length: 20 }, (_, i) =>
      call([event({ name: 'crowd', id: `crowd-${from + i}` }), event({ name: 'crowd' })]),
    );
  // Alone, with others that are not plain, and all of them once more.
  const rounds = [
    crowd(0),
    [...crowd(100), call([]), call([event(), {}]), call([event()], { odd: 1 }), ...crowd(200)],
    [...crowd(0), ...crowd(300)],
  ];
  const answers: { status: number; json: { accepted?: number; rejected?: number } }[] = [];
  for (const round of rounds) answers.push(...(await Promise.all(round)));
  const counted = answers.map(({ status, json }) => `${status} ${json.accepted} ${json.rejected}`);
  const usual = '202 2 0';
  t.same(
    counted.filter((one) => one !== usual),
    ['400 undefined undefined', '202 1 1', '202 1 0'],
  );
  const { items } = await api.must(`GET ${base}/events?name=crowd&limit=200`);
  t.equal(items.length, 4 * 20 * 2 + 20, 'a repeated id is stored once');
});

t.test('a malformed event does not reject its batch', async (t) => {
  for (const bad of [null, 1, 'x', [], {}, { name: 'x' }]) {
    t.type(await judged(bad), 'string', JSON.stringify(bad));
  }
  const { json } = await takes(t, 'POST /e', { appId: app, events: [null, event(), {}] }, 202);
  t.match(json, { accepted: 1, rejected: 2, errors: [{ index: 0 }, { index: 2 }] });
});

t.test('a name has 1 to 128 characters and is not one of the service’s own', async (t) => {
  for (const name of [
    'x',
    'n'.repeat(128),
    'Delivered',
    'opened',
    'clicked',
    'dismissed',
    'session',
    'inapp_viewed',
    'inbox_read',
    '购买',
  ]) {
    t.equal(await judged(event({ name })), undefined, name.slice(0, 20));
  }
  for (const name of [
    '',
    'n'.repeat(129),
    'a\nb',
    7,
    null,
    'sent',
    'delivered',
    'bounced',
    'failed',
    'suppressed',
    'deferred',
    'unsubscribed',
    'journey_enrolled',
    'journey_x',
  ]) {
    t.match(await judged(event({ name })), /^name/, String(name).slice(0, 20));
  }
});

t.test('a person is one id or the other, known or made', async (t) => {
  const { id } = await api.must(`POST ${base}/subscribers`, { externalUserId: 'known' });
  t.equal(await judged({ name: 'x', subscriberId: id }), undefined);
  t.equal(await judged({ name: 'x', externalUserId: 'never heard of' }), undefined);
  t.equal(
    (await api.must(`GET ${base}/subscribers?externalUserId=never%20heard%20of`)).items.length,
    1,
  );
  t.match(
    await judged({ name: 'x', subscriberId: 'sub_00000000000000000000000000' }),
    /^subscriberId/,
  );
  t.match(await judged({ name: 'x', subscriberId: `${id.slice(0, -2)}zz` }), /^subscriberId/);
  t.match(
    await judged({ name: 'x', subscriberId: id, externalUserId: 'known' }),
    /^(subscriberId|externalUserId)/,
  );
  t.equal(await judged(event({ externalUserId: 'e'.repeat(256) })), undefined);
  t.match(await judged(event({ externalUserId: 'e'.repeat(257) })), /^externalUserId/);
});

t.test('properties are an object of at most 8 KiB', async (t) => {
  const props = (bytes: number) => ({ text: 'x'.repeat(bytes - 11) });
  t.equal(Buffer.byteLength(JSON.stringify(props(8_192))), 8_192);
  t.equal(await judged(event({ props: props(8_192) })), undefined);
  t.match(await judged(event({ props: props(8_193) })), /^props/);
  for (const bad of ['x', 1, [], true])
    t.match(await judged(event({ props: bad })), /^props/, JSON.stringify(bad));
  t.equal(await judged(event({ props: { deep: { list: [1, null, 'x'] } } })), undefined);
});

t.test('an event may lie 10 minutes ahead and as far back as the app keeps events', async (t) => {
  const at = (ms: number) => event({ at: new Date(Date.now() + ms).toISOString() });
  const slack = 20_000; // clocks of a busy machine
  for (const ms of [0, 10 * minute - slack, -90 * day + slack])
    t.equal(await judged(at(ms)), undefined, `${ms}`);
  for (const ms of [10 * minute + slack, -90 * day - slack])
    t.match(await judged(at(ms)), /^at/, `${ms}`);
  for (const bad of ['yesterday', '2026-13-01T00:00:00Z', {}])
    t.match(await judged(event({ at: bad })), /^at/, String(bad));
  await api.must(`PATCH ${base}/settings`, { eventsRetentionDays: 7 });
  t.match(await judged(at(-7 * day - slack)), /^at/);
  t.equal(await judged(at(-7 * day + slack)), undefined);
  await api.must(`PATCH ${base}/settings`, { eventsRetentionDays: null });
});

t.test(
  'an id is stored once, in one batch or in many, and counts as accepted each time',
  async (t) => {
    const twice = {
      appId: app,
      events: [event({ id: 'order-1', name: 'once' }), event({ id: 'order-1', name: 'once' })],
    };
    for (let i = 0; i < 3; i++) {
      t.same((await takes(t, 'POST /e', twice, 202)).json, {
        accepted: 2,
        rejected: 0,
        errors: [],
      });
    }
    await Promise.all(
      Array.from({ length: 10 }, () =>
        api.must('POST /e', { appId: app, events: [event({ id: 'order-2', name: 'once' })] }),
      ),
    );
    const { items } = await api.must(`GET ${base}/events?name=once`);
    t.same(items.map(({ id }: { id: string }) => id).sort(), ['order-1', 'order-2']);
  },
);

t.test('the app is in the body, or is the key’s own', async (t) => {
  const { key } = await api.must('POST /v1/keys', { name: 'app', scopes: ['write'], appId: app });
  const scoped = withKey(all, key);
  t.equal((await scoped.call('POST /e', { events: [event()] })).status, 202);
  await refuses(t, 'POST /e', { events: [event()] }, { status: 400, field: 'appId' });
  await refuses(t, 'POST /e', { appId: 7, events: [event()] }, { status: 400, field: 'appId' });
  for (const appId of ['app_00000000000000000000000000', 'nonsense', '']) {
    await refuses(
      t,
      'POST /e',
      { appId, events: [event()] },
      { status: 404, code: 'not_found', field: 'appId' },
      appId,
    );
  }
  const { key: reader } = await api.must('POST /v1/keys', { name: 'reader', scopes: ['read'] });
  t.equal(
    (await withKey(all, reader).call('POST /e', { appId: app, events: [event()] })).status,
    403,
  );
  t.equal(
    (await withKey(all, 'nonsense').call('POST /e', { appId: app, events: [event()] })).status,
    401,
  );
});

t.test('no key is needed, and any page may send', async (t) => {
  const sent = await stranger.call('POST /e', { appId: app, events: [event({ name: 'keyless' })] });
  t.equal(sent.status, 202);
  t.equal(sent.headers['access-control-allow-origin'], '*');
  const preflight = await stranger.call('OPTIONS /e');
  t.equal(preflight.status, 204);
  t.match(preflight.headers, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST',
    'x-request-id': /^req_/,
  });
  const large = await stranger.call('POST /e', 'x'.repeat(1_048_577), { 'x-request-id': 'mine-1' });
  t.equal(large.status, 413);
  t.match(large.headers, {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': /x-request-id/,
    'x-request-id': 'mine-1',
    'x-engage-mode': 'sandbox',
  });
  for (const method of ['GET', 'PUT', 'DELETE', 'HEAD']) {
    const { status, headers } = await stranger.call(`${method} /e`);
    t.same([status, headers['allow']], [405, 'POST'], method);
    t.equal(headers['access-control-allow-origin'], '*');
  }
  t.equal((await stranger.call('GET /e/x')).status, 404);
});

t.test(
  'where identity must be proven, a stranger’s event for a named person is refused',
  async (t) => {
    await api.must(`PATCH ${base}/settings`, { identityVerification: 'required' });
    const { json } = await stranger.call('POST /e', { appId: app, events: [event()] });
    t.match(json, {
      accepted: 0,
      rejected: 1,
      errors: [{ index: 0, error: /^externalUserId: .*identity/ }],
    });
    t.equal(await judged(event()), undefined, 'a key is proof');
    await api.must(`PATCH ${base}/settings`, { identityVerification: 'first-use' });
  },
);

t.test(
  'strangers make at most 600 people a minute in an app; a key makes as many as it likes',
  async (t) => {
    const { id } = await api.must('POST /v1/apps', { name: 'Crowd' });
    const crowd = (from: number, count: number) => ({
      appId: id,
      events: Array.from({ length: count }, (_, i) => ({
        name: 'x',
        externalUserId: `c${from + i}`,
      })),
    });
    const { json } = await stranger.call('POST /e', crowd(0, 1_000));
    // Across the turn of a minute there is room for more.
    if (json.accepted !== 1_000) {
      t.equal(json.accepted, 600);
      t.match(json.errors[0].error, /^externalUserId: at most 600/);
    }
    t.equal((await api.call('POST /e', crowd(2_000, 1_000))).json.accepted, 1_000);
  },
);

t.test(
  'events read back whole, newest first, by person, name and time, page by page',
  async (t) => {
    const { id: fresh } = await api.must('POST /v1/apps', { name: 'Read' });
    const at = new Date(Date.now() - 5 * minute).toISOString();
    const events = Array.from({ length: 450 }, (_, i) => ({
      name: i % 2 === 0 ? 'even' : 'odd',
      externalUserId: `p${i % 3}`,
      id: `e${i}`,
      at,
      props: { i },
    }));
    await api.must('POST /e', { appId: fresh, events });
    const path = `GET /v1/apps/${fresh}/events`;
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null && seen.length < 1_000) {
      const page: { items: { id: string }[]; nextCursor: string | null } = await api.must(
        `${path}?limit=200${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    t.same(seen, events.map(({ id }) => id).reverse());
    const [first] = (await api.must(`${path}?limit=1`)).items;
    t.match(first, {
      id: 'e449',
      seq: Number,
      name: 'odd',
      externalUserId: 'p2',
      at,
      props: { i: 449 },
      meta: {},
      campaignId: null,
    });
    t.equal(
      (await api.must(`${path}?name=even&subscriberId=external:p0&limit=200`)).items.length,
      75,
    );
    t.equal((await api.must(`${path}?from=${at}&limit=1`)).items.length, 1);
    t.equal((await api.must(`${path}?to=${at}&limit=1`)).items.length, 0);
    for (const query of [
      'from=yesterday',
      'to=1',
      'cursor=nonsense!',
      'limit=0',
      'limit=201',
      `name=${'n'.repeat(129)}`,
    ]) {
      await refuses(
        t,
        `${path}?${query}`,
        undefined,
        { status: 400, field: query.slice(0, query.indexOf('=')) },
        query,
      );
    }
    for (const nobody of ['external:nobody', 'sub_00000000000000000000000000']) {
      await refuses(t, `${path}?subscriberId=${nobody}`, undefined, {
        status: 404,
        code: 'not_found',
        field: 'subscriberId',
      });
    }
    await refuses(t, `${path}?externalUserId=nobody`, undefined, {
      status: 400,
      field: 'externalUserId',
      error: /subscriberId, name, campaignId, journeyId/,
    });
  },
);

t.test('a person who is erased takes their events with them', async (t) => {
  await api.must('POST /e', {
    appId: app,
    events: [event({ name: 'erased', externalUserId: 'forget-me' })],
  });
  await takes(t, `DELETE ${base}/subscribers/external:forget-me`, undefined, 204);
  await until(
    async () => (await api.must(`GET ${base}/events?name=erased`)).items.length === 0,
    'the event stays',
  );
});

t.test('all of an app’s id has to be right, not only what leads to it', async (t) => {
  const forged = `${base.slice(0, -1)}${base.endsWith('0') ? '1' : '0'}`;
  for (const path of ['/events', '/subscribers', '/subscribers/export'])
    t.equal((await api.call(`GET ${forged}${path}`)).status, 404, path);
});

t.test('without a key an app gets a bounded number of event names', async (t) => {
  const { id: appId } = await api.must('POST /v1/apps', { name: 'Names' });
  const post = async (from: number, caller: typeof api) =>
    caller.must('POST /e', {
      appId,
      events: Array.from({ length: 600 }, (_, i) => ({
        name: `name-${from + i}`,
        externalUserId: 'ada',
      })),
    });
  const count = async () => {
    let names = 0;
    for (let cursor = ''; ; ) {
      const page = await api.must(`GET /v1/apps/${appId}/event-names?limit=200${cursor}`);
      names += page.items.length;
      if (page.nextCursor === null) return names;
      cursor = `&cursor=${page.nextCursor}`;
    }
  };
  for (let from = 0; from < 6_000; from += 600)
    t.match(await post(from, stranger), { accepted: 600, rejected: 0 }, 'addresses have no limit');
  t.ok((await count()) <= 1_600, 'the bound, and what the last request brought');
  t.match(await post(10_000, api), { accepted: 600, rejected: 0 });
  t.match(await post(20_000, stranger), { accepted: 600 });
  t.match(await post(30_000, stranger), { accepted: 600 });
  t.ok((await count()) > 1_400, 'those of a key stay');
});

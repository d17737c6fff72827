// What comes in, judged once for every route: query parameters, texts that are no Unicode, members
// that belong elsewhere.

import t from 'tap';
import { z } from 'zod';
import { fault, unknownId } from '../../../../actors/faults.ts';
import { defaultSettings } from '../../../../actors/tenants/accounts/records.ts';
import { exampleIds } from '../../../../http/call/schemas/example-ids.ts';
import { routes } from '../../../../http/routes/index.ts';
import { fakeFront } from '../../routes/fake-front.ts';

const base = `/v1/apps/${exampleIds.app}`;

t.test(
  'a query parameter that a route does not know is refused, for it might have filtered',
  async (t) => {
    const front = fakeFront();
    const segment = await front.call(`GET ${base}/subscribers?segment=seg_x`);
    t.equal(segment.status, 400);
    t.match(segment.json, {
      code: 'invalid',
      field: 'segment',
      error:
        /^segment: .*externalUserId, segmentId, channel, address, phone, tag, order, limit, cursor/,
    });
    const events = await front.call(`GET ${base}/events?externalUserId=nobody&subscriber=x`);
    t.match([events.status, events.json], [400, { field: 'externalUserId', issues: [{}, {}] }]);
    const none = await front.call('GET /v1/org?x=1');
    t.match(
      [none.status, none.json],
      [400, { field: 'x', error: 'x: is not a query parameter of this route; it takes none' }],
    );
    t.same(front.asked, []);
    for (const query of ['', '?', '?limit=5', '?channel=email&limit=200']) {
      const taken = fakeFront(() => ({ items: [], nextCursor: null }));
      t.equal((await taken.call(`GET ${base}/subscribers${query}`)).status, 200, query);
    }
  },
);

t.test('a number in a query is written with digits alone, on every route', async (t) => {
  const lists = routes.filter(
    ({ query, access }) =>
      access.kind === 'key' &&
      query instanceof z.ZodObject &&
      Object.hasOwn(query.shape, 'limit') &&
      query.safeParse({ limit: '5' }).success,
  );
  t.ok(lists.length > 20);
  const ids = Object.values(exampleIds);
  for (const { method, path } of lists) {
    const at = path.replaceAll(/:\w+/g, (name) =>
      name === ':appId' ? exampleIds.app : (ids[0] ?? ''),
    );
    for (const text of ['0x10', '1e1', '%205', '%2B5', '5.0', '5_0', '', '٥', '١٢', '1e400'])
      t.match(
        await fakeFront().call(`${method} ${at}?limit=${text}`),
        { status: 400, json: { field: 'limit' } },
        `${path} ${text}`,
      );
  }
});

t.test('a 401 says which credential it asks for', async (t) => {
  const front = fakeFront();
  const bearer = await front.call('GET /v1/org', { key: 'none' });
  t.match(bearer, { status: 401, headers: { 'www-authenticate': 'Bearer realm="Engage"' } });
});

t.test('what people and probes open takes any query', async (t) => {
  const front = fakeFront(() => ({ name: 'Acme' }));
  for (const line of ['GET /u/good?utm_source=mail', 'GET /healthz?t=1', 'GET /readyz?x']) {
    t.equal((await front.call(line, { key: 'none' })).status, 200, line);
  }
});

t.test('half a surrogate pair is refused in every body, by name', async (t) => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['POST /v1/apps', '{"name":"a\\ud800"}', 'name'],
    [`POST ${base}/subscribers`, '{"externalUserId":"\\udc00"}', 'externalUserId'],
    [`POST ${base}/subscribers`, '{"tags":{"a":["x","\\ud83d"]}}', 'tags.a[1]'],
    [`POST ${base}/notifications`, '{"externalUserId":"u","title":"\\ud800","body":"x"}', 'title'],
    [
      `POST ${base}/notifications`,
      '{"externalUserId":"u","body":"x","data":{"\\ud800":"x"}}',
      'data',
    ],
    ['POST /v1/keys', '{"name":"k","scopes":["\\ud800"]}', 'scopes[0]'],
  ];
  const front = fakeFront();
  for (const [line, body, field] of cases) {
    const got = await front.call(line, { body });
    t.match([got.status, got.json], [400, { code: 'invalid', field }], `${line} ${body}`);
    t.ok(String((got.json as { error: string }).error).startsWith(`${field}: `));
  }
  t.same(front.asked, []);
});

t.test('a change of a person says where its id and its devices are changed', async (t) => {
  const front = fakeFront();
  const line = `PATCH ${base}/subscribers/${exampleIds.subscriber}`;
  for (const [member, words] of [
    ['externalUserId', /^externalUserId: .*POST \/v1\/apps\/:appId\/subscribers/],
    ['devices', /^devices: .*\/subscribers\/:id\/devices/],
  ] as const) {
    const got = await front.call(line, { body: { tags: {}, [member]: null } });
    t.match([got.status, got.json], [400, { code: 'invalid', field: member, error: words }]);
  }
  t.same(front.asked, []);
});

t.test(
  'in live mode a webhook is a public https address, unless the operator says otherwise',
  async (t) => {
    const live = { ENGAGE_MODE: 'live' };
    const patch = async (webhookUrl: string, environment: Readonly<Record<string, string>>) => {
      const front = fakeFront(() => defaultSettings, environment);
      const got = await front.call(`PATCH ${base}/settings`, { body: { webhookUrl } });
      if (got.status !== 200)
        t.match(got.json, { code: 'invalid', field: 'webhookUrl' }, webhookUrl);
      return got.status;
    };
    for (const url of [
      'https://example.com/hook',
      'https://example.com:8443/',
      'https://93.184.216.34/',
    ]) {
      t.equal(await patch(url, live), 200, url);
    }
    for (const url of [
      'http://example.com/hook',
      'https://example.com:9000/',
      'https://127.0.0.1/',
      'https://0x7f.1/',
      'https://[::1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://192.168.1.5/',
      'https://169.254.169.254/',
      'https://localhost/',
      'https://db.internal/',
    ]) {
      t.equal(await patch(url, live), 400, url);
      t.equal(await patch(url, { ...live, ENGAGE_ALLOW_PRIVATE_NETWORKS: '1' }), 200, url);
      t.equal(await patch(url, { ENGAGE_MODE: 'sandbox' }), 200, url);
    }
    for (const environment of [live, { ENGAGE_MODE: 'sandbox' }]) {
      t.equal(await patch('ftp://example.com/', environment), 400);
      t.equal(await patch('https://user:word@example.com/', environment), 400);
    }
  },
);

t.test('what is not found is named where a member named it', async (t) => {
  const missing = fakeFront((message) => {
    if (message.kind === 'events.list')
      throw { fault: unknownId('subscriberId', 'subscriber', exampleIds.subscriber) };
    throw {
      fault: fault(
        'not_found',
        message.kind === 'subscriber.read' ? 'subscriber not found' : 'app not found',
      ),
    };
  });
  for (const id of [exampleIds.subscriber, 'external:nobody']) {
    const got = await missing.call(`GET ${base}/events?subscriberId=${id}`);
    t.same(
      [got.status, got.json],
      [
        404,
        {
          error: `subscriberId: subscriber not found: ${id}`,
          code: 'not_found',
          field: 'subscriberId',
        },
      ],
    );
  }
  const gone = fakeFront(() => {
    throw { fault: fault('not_found', 'app not found') };
  });
  const list = await gone.call(`GET ${base}/events?subscriberId=external:nobody`);
  t.same([list.status, list.json], [404, { error: 'app not found', code: 'not_found' }]);
  for (const appId of [exampleIds.app, 'nonsense']) {
    const got = await gone.call('POST /e', { key: 'none', body: { appId, events: [] } });
    t.same(
      [got.status, got.json],
      [404, { error: 'appId: app not found', code: 'not_found', field: 'appId' }],
      appId,
    );
  }
});

t.test('a cursor that is none of the list’s is refused', async (t) => {
  const front = fakeFront(() => []);
  for (const line of [
    'GET /v1/keys',
    'GET /v1/apps',
    `GET ${base}/credentials`,
    `GET ${base}/suppressions`,
  ]) {
    for (const cursor of ['abc', 'app_x', '%F0%9F%98%80']) {
      const got = await front.call(`${line}?cursor=${cursor}`);
      t.match(
        [got.status, got.json],
        [400, { field: 'cursor', error: 'cursor: invalid cursor for this list' }],
        line,
      );
    }
  }
});

t.test('a member that is missing says so in the same words everywhere', async (t) => {
  const front = fakeFront();
  const cases: readonly (readonly [string, object, string])[] = [
    ['POST /v1/apps', {}, 'name: is missing; expected a string'],
    ['POST /v1/keys', { name: 'k' }, 'scopes: is missing; expected an array'],
    [
      `POST ${base}/subscribers/${exampleIds.subscriber}/devices`,
      { endpoint: 'x' },
      'channel: is missing; expected one of fcm,',
    ],
    [
      `POST ${base}/subscribers`,
      { devices: [{ channel: 'email' }] },
      'devices[0].endpoint: is missing; expected ',
    ],
  ];
  for (const [line, body, error] of cases) {
    const got = await front.call(line, { body });
    t.equal(got.status, 400);
    t.ok(String((got.json as { error: string }).error).startsWith(error), got.text);
  }
});

t.test('an app has one shape, whoever shows it', async (t) => {
  const record = {
    id: exampleIds.app,
    ordinal: 8269,
    org: 1,
    name: 'A',
    timezone: 'UTC',
    createdMs: 0,
  };
  const front = fakeFront((message) => {
    if (message.kind === 'app.list') return [record];
    return message.kind === 'app.read' ? { ...record, vapidPublicKey: 'BKey' } : record;
  });
  const read = await front.call(`GET ${base}`);
  const { etag, ...shown } = read.json as { etag: string };
  t.match(etag, /^[\w-]{22}$/);
  t.same(shown, {
    id: exampleIds.app,
    name: 'A',
    timezone: 'UTC',
    vapidPublicKey: 'BKey',
    createdAt: '1970-01-01T00:00:00.000Z',
  });
  t.same((await front.call(`PATCH ${base}`, { body: { name: 'A' } })).json, read.json);
  t.same((await front.call('GET /v1/apps')).json, {
    ...{ items: [read.json], nextCursor: null, total: 1 },
  });
});

t.test('a browser that opens the address is led to the reference', async (t) => {
  const front = fakeFront();
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const got = await front.call('GET /', { key: 'none', headers: browser });
  t.equal(got.status, 302);
  t.match(got.headers, { location: '/docs', 'x-request-id': /^req_/, 'x-engage-mode': 'sandbox' });
  t.equal((await front.call('GET /', { key: 'none' })).status, 404);
});

t.test('any page may read what an answer to its events says', async (t) => {
  const front = fakeFront(() => ({ accepted: 1, rejected: 0, errors: [] }));
  const preflight = await front.call('OPTIONS /e', { key: 'none' });
  t.match(preflight.headers, { 'x-request-id': /^req_/, 'x-engage-mode': 'sandbox' });
  const sent = await front.call('POST /e', { key: 'none', body: { appId: exampleIds.app } });
  t.equal(sent.status, 202);
  t.equal(
    sent.headers['access-control-expose-headers'],
    'etag, retry-after, x-engage-warnings, x-idempotent-replay, x-request-id',
  );
});

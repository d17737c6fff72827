// People, devices, opt-outs and events at the edge.

import t from 'tap';
import { listCursor } from '../../../actors/list-cursor.ts';
import { exampleIds } from '../../../http/call/schemas/example-ids.ts';
import { app, fakeFront } from './fake-front.ts';

const base = `/v1/apps/${exampleIds.app}`;
const device = {
  id: exampleIds.device,
  channel: 'email',
  endpoint: 'ada@example.com',
  enabled: true,
  createdMs: 0,
  updatedMs: 1000,
  suppressed: { scope: 'marketing', reason: 'unsubscribe', atMs: 2000 },
};
const person = {
  id: exampleIds.subscriber,
  person: 12,
  externalUserId: null,
  devices: [device],
  tags: { plan: 'pro' },
  preferredChannels: null,
  timezone: null,
  createdMs: 0,
  updatedMs: 1000,
  lastActiveMs: null,
};

t.test(
  'an upsert answers 201 for a new person and 200 for a known one, instants as RFC 3339',
  async (t) => {
    for (const created of [true, false]) {
      const front = fakeFront(() => ({ subscriber: person, created }));
      const got = await front.call(`POST ${base}/subscribers`, { body: { tags: { a: null } } });
      t.equal(got.status, created ? 201 : 200);
      const tag = /"etag":"[\w-]{22}",?/g;
      t.equal(got.text.match(tag)?.length, 2, 'of the person and of the device');
      t.same(JSON.parse(got.text.replace(tag, '').replaceAll(',}', '}')), {
        id: exampleIds.subscriber,
        externalUserId: null,
        devices: [
          {
            id: exampleIds.device,
            channel: 'email',
            endpoint: 'ada@example.com',
            enabled: true,
            createdAt: '1970-01-01T00:00:00.000Z',
            updatedAt: '1970-01-01T00:00:01.000Z',
            suppressed: {
              scope: 'marketing',
              reason: 'unsubscribe',
              at: '1970-01-01T00:00:02.000Z',
            },
            reachable: true,
          },
        ],
        tags: { plan: 'pro' },
        preferredChannels: null,
        timezone: null,
        createdAt: '1970-01-01T00:00:00.000Z',
        updatedAt: '1970-01-01T00:00:01.000Z',
        lastActiveAt: null,
      });
      t.same(front.asked[0]?.message['subscriber'], { tags: { a: null } });
    }
  },
);

t.test('an empty preference is refused, null clears it', async (t) => {
  const front = fakeFront(() => person);
  const line = `PATCH ${base}/subscribers/${exampleIds.subscriber}`;
  const empty = await front.call(line, { body: { preferredChannels: [] } });
  t.match([empty.status, empty.json], [400, { field: 'preferredChannels' }]);
  t.equal((await front.call(line, { body: { preferredChannels: null } })).status, 200);
  t.same(front.asked.at(-1)?.message['patch'], { preferredChannels: null });
});

t.test("a person is named by id or by `external:` and the caller's own id", async (t) => {
  const front = fakeFront(() => person);
  await front.call(`GET ${base}/subscribers/${exampleIds.subscriber}`);
  await front.call(`GET ${base}/subscribers/external:user%2F42`);
  t.same(
    front.asked.map(({ message }) => message['ref']),
    [{ id: exampleIds.subscriber }, { externalUserId: 'user/42', isPrefixed: true }],
  );
});

t.test('a device needs a channel that exists and an endpoint', async (t) => {
  const front = fakeFront(() => device);
  const line = `POST ${base}/subscribers/${exampleIds.subscriber}/devices`;
  const cases = [
    [{ channel: 'email', endpoint: 'ada@example.com' }, 201, undefined],
    [{ channel: 'email' }, 400, 'endpoint'],
    [{ channel: 'pigeon', endpoint: 'x' }, 400, 'channel'],
  ] as const;
  for (const [body, status, field] of cases) {
    const got = await front.call(line, { body });
    t.equal(got.status, status, JSON.stringify(body));
    if (field !== undefined) t.match(got.json, { field });
  }
});

t.test('lists take 1 to 200 items and a cursor', async (t) => {
  const front = fakeFront(() => ({ items: [person], nextCursor: 'abc' }));
  const got = await front.call(`GET ${base}/subscribers?limit=200&cursor=z&channel=email`);
  t.match(got.json, { items: [{ id: exampleIds.subscriber }], nextCursor: 'abc' });
  t.match(front.asked[0]?.message, { limit: 200, cursor: 'z', channel: 'email' });
  for (const limit of ['0', '201', 'x', '1.5']) {
    const refused = await front.call(`GET ${base}/subscribers?limit=${limit}`);
    t.match([refused.status, refused.json], [400, { field: 'limit' }], limit);
  }
});

t.test('an opt-out says all that it silences, and its cursor hides addresses', async (t) => {
  const row = { identity: 'phone', address: '+14155550123', source: 'api', createdMs: 0 };
  const front = fakeFront((message) =>
    message.kind === 'suppression.list' ? { items: [row], nextCursor: 'phone:+14155550123' } : row,
  );
  const body = { channel: 'sms', address: '+14155550123' };
  const added = await front.call(`POST ${base}/suppressions`, { body });
  t.match(
    [added.status, added.json],
    [201, { channels: ['sms', 'voice', 'whatsapp', 'rcs', 'kakao'], reason: null, source: 'api' }],
  );
  const page = await front.call(`GET ${base}/suppressions`);
  const { nextCursor } = page.json as { nextCursor: string };
  t.notMatch(nextCursor, /1415/);
  await front.call(`GET ${base}/suppressions?cursor=${nextCursor}`);
  t.match(front.asked.at(-1)?.message, { cursor: 'phone:+14155550123' });
  const lifted = await front.call(`DELETE ${base}/suppressions?channel=sms&address=+14155550123`);
  t.equal(lifted.status, 204);
  t.match(front.asked.at(-1)?.message, { address: '+14155550123' }, 'a bare plus is a plus');
});

t.test('events are asked for by person, name and time', async (t) => {
  const front = fakeFront((message) =>
    message.kind === 'subscriber.read' ? person : { items: [], nextCursor: '17' },
  );
  const cursor = listCursor('events', app, 5554);
  const line = `GET ${base}/events?subscriberId=external:user-42&from=2026-01-01T07:00:00%2B07:00&cursor=${cursor}`;
  const got = await front.call(line);
  t.same(got.json, { items: [], nextCursor: '17' });
  const asked = front.asked.at(-1);
  t.equal(asked?.to, app);
  t.same(asked?.message['query'], {
    subscriberId: exampleIds.subscriber,
    fromMs: Date.UTC(2026, 0, 1),
    limit: 50,
    beforeSeq: 5554,
  });
  for (const query of ['from=yesterday', 'cursor=X', 'limit=0']) {
    t.equal((await front.call(`GET ${base}/events?${query}`)).status, 400, query);
  }
});

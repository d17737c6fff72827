// The transactional lane at the edge: recipients, templates, idempotency, and how sends read back.

import { createHash } from 'node:crypto';
import t from 'tap';
import { fault } from '../../../actors/faults.ts';
import { canonicalJson, claimOf } from '../../../http/call/idempotency.ts';
import { exampleIds } from '../../../http/call/schemas/example-ids.ts';
import { app, fakeFront } from './fake-front.ts';

const path = `/v1/apps/${exampleIds.app}/notifications`;
const hello = { externalUserId: 'user-42', body: 'Hello' };
const queued = () => ({ id: exampleIds.send, replayed: false });

t.test('a send is asked of its app and answered 202 with its id', async (t) => {
  const front = fakeFront(queued);
  const got = await front.call(`POST ${path}`, {
    key: 'send',
    body: { ...hello, channels: ['email', 'email'], variables: { n: 1 }, unknown: true },
  });
  t.equal(got.status, 202);
  const warnings = [{ field: 'unknown', warning: 'unknown; ignored' }];
  t.same(got.json, { id: exampleIds.send, status: 'pending', warnings });
  t.equal(got.headers['x-ratelimit-lane'], 'transactional');
  t.notOk('x-idempotent-replay' in got.headers);
  t.equal(front.asked[0]?.to, app);
  t.same(front.asked[0]?.message['claim'], null);
  t.same(front.asked[0]?.message['request'], {
    body: 'Hello',
    to: { externalUserId: 'user-42' },
    channels: ['email'],
    variables: { n: 1 },
  });
});

t.test(
  'a recipient is subscriberId or externalUserId: none and both are a 400 that names the field',
  async (t) => {
    const { call } = fakeFront(queued);
    const none = await call(`POST ${path}`, { body: { body: 'x' } });
    t.match([none.status, none.json], [400, { field: 'subscriberId' }]);
    const both = await call(`POST ${path}`, { body: { ...hello, subscriberId: 'sub_x' } });
    t.match([both.status, both.json], [400, { field: 'externalUserId' }]);
  },
);

t.test('naming a template needs read beside send', async (t) => {
  const front = fakeFront(queued);
  const body = { externalUserId: 'u', templateName: 'welcome' };
  t.equal((await front.call(`POST ${path}`, { key: 'send', body })).status, 403);
  t.equal((await front.call(`POST ${path}`, { key: 'all', body })).status, 202);
  const both = { ...body, templateId: 'tpl_x' };
  t.match(await front.call(`POST ${path}`, { body: both }), {
    status: 400,
    json: { field: 'templateId' },
  });
});

t.test('content is judged at the edge, and the fault names its field', async (t) => {
  const { call } = fakeFront(queued);
  const cases = [
    [{ ...hello, body: '{{ x | nofilter }}' }, 'body'],
    [{ ...hello, ttlSeconds: 'soon' }, 'ttlSeconds'],
    [{ ...hello, payload: { ttlSeconds: 'soon' } }, 'payload.ttlSeconds'],
    [{ ...hello, channels: [] }, 'channels'],
    [{ ...hello, channels: ['pigeon'] }, 'channels[0]'],
    [{ ...hello, buttons: [{ label: 'x', url: 'javascript:alert(1)' }] }, 'buttons[0].url'],
  ] as const;
  for (const [body, field] of cases) {
    const got = await call(`POST ${path}`, { body });
    t.match([got.status, got.json], [400, { field }], field);
  }
});

t.test('the key of header and body is one thing: both and different is a 400', async (t) => {
  const front = fakeFront(queued);
  const headers = { 'idempotency-key': 'one' };
  const same = await front.call(`POST ${path}`, {
    headers,
    body: { ...hello, idempotencyKey: 'one' },
  });
  t.equal(same.status, 202);
  await front.call(`POST ${path}`, { headers, body: hello });
  await front.call(`POST ${path}`, { body: { ...hello, idempotencyKey: 'one' } });
  const [first, ...others] = front.asked.map(({ message }) => message['claim']);
  for (const other of others) t.same(other, first, 'the same claim');
  const different = await front.call(`POST ${path}`, {
    headers,
    body: { ...hello, idempotencyKey: 'two' },
  });
  t.match([different.status, different.json], [400, { field: 'idempotencyKey' }]);
});

t.test('a replay says so in a header, a changed body is a 409', async (t) => {
  const replaying = fakeFront(() => ({ id: exampleIds.send, replayed: true }));
  const got = await replaying.call(`POST ${path}`, { body: { ...hello, idempotencyKey: 'k' } });
  t.match([got.status, got.headers['x-idempotent-replay']], [202, 'true']);
  const conflicting = fakeFront(() => {
    throw {
      fault: fault('idempotency_conflict', 'this idempotency key was used with a different body'),
    };
  });
  const conflict = await conflicting.call(`POST ${path}`, {
    body: { ...hello, idempotencyKey: 'k' },
  });
  t.match([conflict.status, conflict.json], [409, { code: 'idempotency_conflict' }]);
});

t.test(
  'a claim holds 128 bits of the key and 64 of the body, whatever the order of members',
  async (t) => {
    const one = claimOf(7, 'notifications', 'k', { a: 1, b: { c: [1, { e: 2, d: 3 }] } });
    const two = claimOf(7, 'notifications', undefined, {
      b: { c: [1, { d: 3, e: 2 }] },
      idempotencyKey: 'k',
      a: 1,
    });
    t.same(one, two);
    const digest = createHash('sha256').update('7|notifications|k').digest();
    t.same(
      one?.key,
      [0, 4, 8, 12].map((at) => digest.readUInt32BE(at)),
    );
    t.equal(one?.fingerprint.length, 2);
    const other = claimOf(7, 'notifications', 'k', { a: 1, b: { c: [{ e: 2, d: 3 }, 1] } });
    t.notSame(one?.fingerprint, other?.fingerprint, 'the order of a list counts');
    t.notSame(one?.key, claimOf(8, 'notifications', 'k', {})?.key, 'another app, another key');
    t.equal(claimOf(7, 'notifications', undefined, {}), null);
    t.equal(canonicalJson({ b: [null, 'é'], a: true }), '{"a":true,"b":[null,"é"]}');
  },
);

t.test('a key has 1 to 255 bytes and no control characters', async (t) => {
  const { call } = fakeFront(queued);
  for (const [idempotencyKey, status] of [
    ['x'.repeat(255), 202],
    ['x'.repeat(256), 400],
    ['é'.repeat(128), 400],
    ['', 400],
    ['a\nb', 400],
  ] as const) {
    const got = await call(`POST ${path}`, { body: { ...hello, idempotencyKey } });
    t.equal(got.status, status, JSON.stringify(idempotencyKey.slice(0, 4)));
  }
});

t.test('a key that is sent but empty is a fault, not a call without a key', async (t) => {
  const front = fakeFront(queued);
  const headers = { 'idempotency-key': '' };
  for (const body of [hello, { ...hello, idempotencyKey: 'one' }]) {
    const got = await front.call(`POST ${path}`, { headers, body });
    t.match([got.status, got.json], [400, { field: 'idempotencyKey' }]);
  }
  t.equal(front.asked.length, 0);
});

t.test('what a schema refuses names one bound, and what a value may be', async (t) => {
  const { call } = fakeFront(queued);
  const refused = async (member: object) =>
    (await call(`POST ${path}`, { body: { ...hello, ...member } })).json;
  t.match(await refused({ data: { z: null } }), {
    error: 'data.z: expected a string, number or boolean',
    field: 'data.z',
    issues: undefined,
  });
  t.match(await refused({ ttlSeconds: 1e300 }), {
    error: 'ttlSeconds: expected at most 2147483647',
    issues: undefined,
  });
  t.match(await refused({ ttlSeconds: 1.5 }), { error: 'ttlSeconds: expected an integer' });
  t.match(await refused({ data: { from: 'x' } }), {
    error: 'data.from: this key is reserved',
    field: 'data.from',
  });
});

t.test('a send reads back with instants, for send or read', async (t) => {
  const outcome = {
    deviceId: '',
    channel: '',
    status: 'suppressed',
    reason: 'no_device',
    attempts: 0,
    atMs: 0,
  };
  const front = fakeFront(() => ({
    send: {
      id: 'anything',
      status: 'suppressed',
      outcomes: [outcome],
      failures: { open: 0, recovered: 0 },
    },
    told: { kind: 'unknown' },
    readMs: 1_000,
  }));
  for (const key of ['send', 'read']) {
    const brief = await front.call(`GET ${path}/anything`, { key });
    const short = brief.json as object;
    t.notOk('story' in short, 'nine kilobytes that most callers do not read');
    const no = await front.call(`GET ${path}/anything?story=yes`, { key });
    t.match(no, { status: 400, json: { field: 'story' } });
    const got = await front.call(`GET ${path}/anything?story=true`, { key });
    t.same(got.json, {
      ...short,
      id: 'anything',
      status: 'suppressed',
      outcomes: [
        {
          deviceId: null,
          channel: null,
          status: 'suppressed',
          reason: 'no_device',
          attempts: 0,
          at: '1970-01-01T00:00:00.000Z',
        },
      ],
      failures: { open: 0, recovered: 0 },
      story: [
        {
          at: '1970-01-01T00:00:01.000Z',
          kind: 'state',
          code: 'unknown_send',
          text: 'Nothing is known about this send: this app never queued it, or it is older than the events that are kept.',
          sendId: 'anything',
        },
      ],
    });
  }
});

t.test('a redrive names exactly one of ids, reason and all', async (t) => {
  const front = fakeFront(() => ({ redriven: 2 }));
  const line = `POST /v1/apps/${exampleIds.app}/dead-letters/redrive`;
  t.match(await front.call(line, { body: { all: true } }), { status: 202, json: { redriven: 2 } });
  for (const body of [{}, { all: true, reason: 'x' }, { all: false }, { ids: [] }]) {
    t.equal((await front.call(line, { body })).status, 400, JSON.stringify(body));
  }
});

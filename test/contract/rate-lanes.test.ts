// Lanes, ceilings and caps: how much is allowed, what every answer tells of it, and what refuses
// (specification, "Limits"; contract, sections 1 and 2).

import t from 'tap';
import { client, makeOrg, type Reply } from '../support/server.ts';
import { chapter, checkRefusal, perIp, withKey } from './chapter.ts';

const all = await chapter(t, { ENGAGE_PER_IP_PER_MINUTE: String(perIp) });
const { server } = all;
const operator = client(server.url, server.bootstrapToken);

function limited(name: string, transactional: number | null, standard: number | null) {
  return makeOrg(server, name, { rateLimits: { transactional, standard } });
}

function laneOf({ headers }: Reply) {
  const { 'x-ratelimit-lane': lane, 'x-ratelimit-limit': limit } = headers;
  return { lane, limit, remaining: headers['x-ratelimit-remaining'] };
}

t.test('an org has 6,000 transactional and 1,200 standard calls a minute by default', async (t) => {
  const { org, apiKey } = await operator.must('POST /v1/orgs', { name: 'Default' });
  t.match(org, { rateLimits: { transactional: 6_000, standard: 1_200 }, dailySendCap: 1_000_000 });
  const reply = await client(server.url, apiKey.key).call('GET /v1/org/limits');
  t.same(laneOf(reply), { lane: 'standard', limit: '1200', remaining: '1199' });
  t.match(reply.headers, {
    'ratelimit-policy': '"standard";q=1200;w=60',
    ratelimit: /^"standard";r=1199;t=\d+$/,
    'x-ratelimit-reset': /^\d+$/,
  });
  t.match(reply.json, {
    dailySends: { cap: 1_000_000, used: 0, resetsAt: /T00:00:00\.000Z$/ },
    lanes: {
      transactional: { limit: 6_000, remaining: 6_000 },
      standard: { limit: 1_200, remaining: 1_199 },
    },
    perIpPerMinute: perIp,
    batchSize: 1_000,
    emailAllowance: { included: 20_000, used: 0, reserved: 0 },
    eventsRetentionDays: 90,
  });
});

t.test('the last call of a lane is taken and the next is a 429 that says when', async (t) => {
  const org = await limited('Few', 3, 4);
  const app = await org.client.must('POST /v1/apps', { name: 'Few' }); // 1 of 4
  const send = () =>
    org.client.call(`POST /v1/apps/${app.id}/notifications`, { subscriberId: 'nobody', body: 'x' });
  for (const remaining of ['2', '1', '0']) {
    const reply = await send();
    t.equal(reply.status, 404, 'a refused call is charged, too');
    t.same(laneOf(reply), { lane: 'transactional', limit: '3', remaining });
  }
  const refused = await send();
  checkRefusal(
    t,
    refused,
    { status: 429, code: 'rate_limited', error: /transactional.* 3 / },
    'send',
  );
  t.same(laneOf(refused), { lane: 'transactional', limit: '3', remaining: '0' });
  const wait = Number(refused.headers['retry-after']);
  t.ok(wait >= 1 && wait <= 60, `${wait} s`);
  for (const remaining of ['2', '1', '0']) {
    const reply = await org.client.call('GET /v1/org');
    t.equal(reply.status, 200, 'the other lane has its own room');
    t.same(laneOf(reply), { lane: 'standard', limit: '4', remaining });
  }
  t.equal((await org.client.call('GET /v1/org')).status, 429);
  t.equal((await all.api.call('GET /v1/org')).status, 200, 'another org does not notice');
});

t.test(
  'all keys of an org share its lanes, and a key without the scope is not charged',
  async (t) => {
    const org = await limited('Shared', null, 4);
    // 1
    const { key } = await org.client.must('POST /v1/keys', { name: 'reader', scopes: ['read'] });
    const reader = withKey(all, key);
    for (let i = 0; i < 5; i++) t.equal((await reader.call('GET /v1/keys')).status, 403);
    t.equal((await reader.call('GET /v1/org')).headers['x-ratelimit-remaining'], '2');
    t.equal((await org.client.call('GET /v1/org')).headers['x-ratelimit-remaining'], '1');
  },
);

t.test(
  'a lane without a limit says so, and the operator’s change holds from the next call',
  async (t) => {
    const org = await limited('Changed', null, null);
    t.same(laneOf(await org.client.call('GET /v1/org')), {
      lane: 'standard',
      limit: '1000000000',
      remaining: '1000000000',
    });
    await operator.must(`PATCH /v1/orgs/${org.id}`, { rateLimits: { standard: 7 } });
    const { limit } = laneOf(await org.client.call('GET /v1/org'));
    t.equal(limit, '7');
    for (const rateLimits of [
      { standard: 0 },
      { standard: 1.5 },
      { standard: 1e9 + 1 },
      { standard: '7' },
    ]) {
      const reply = await operator.call(`PATCH /v1/orgs/${org.id}`, { rateLimits });
      checkRefusal(
        t,
        reply,
        { status: 400, field: 'rateLimits.standard' },
        JSON.stringify(rateLimits),
      );
    }
    const unknown = await operator.call('PATCH /v1/orgs/org_00000000000000000000000000', {});
    checkRefusal(t, unknown, { status: 404, code: 'not_found' }, 'an org that is not there');
  },
);

t.test('events are in no lane: with a key nothing but back-pressure limits them', async (t) => {
  const org = await limited('Events', 2, 2);
  const app = await org.client.must('POST /v1/apps', { name: 'Events' });
  for (let i = 0; i < perIp + 5; i++) {
    const events = [{ name: 'x', externalUserId: 'u' }];
    const { status, headers } = await org.client.call('POST /e', { appId: app.id, events });
    t.equal(status, 202);
    t.equal(headers['x-ratelimit-lane'], undefined);
  }
});

t.test('an address has its ceiling on events without a key, and others have theirs', async (t) => {
  const events = [{ name: 'x', externalUserId: 'keyless' }];
  const from = (address: string) =>
    client(server.url).call('POST /e', { appId: all.app, events }, { 'x-forwarded-for': address });
  for (let i = 0; i < perIp; i++) t.equal((await from('198.51.100.7')).status, 202);
  const refused = await from('198.51.100.7');
  checkRefusal(t, refused, { status: 429, code: 'rate_limited', error: /address/ }, 'the next');
  t.ok(Number(refused.headers['retry-after']) >= 1);
  t.equal((await from('198.51.100.8')).status, 202);
  t.equal((await from('2001:db8::1')).status, 202);
  const spoofed = await from('203.0.113.9, 198.51.100.7');
  t.equal(spoofed.status, 429, 'what a client writes before its proxy’s entry does not move it');
  const page = await client(server.url).call('GET /u/x', undefined, {
    'x-forwarded-for': '198.51.100.7',
  });
  t.equal(page.status, 404, 'unsubscribing has no ceiling');
});

t.test(
  'twenty failed authentications a minute and address, then 429, but for what is known to be right',
  async (t) => {
    const headers = { 'x-forwarded-for': '192.0.2.44' };
    const attempt = (i: number) => {
      const wrong = client(server.url, 'wrong');
      return i % 2 === 0
        ? wrong.call('GET /v1/org', undefined, headers)
        : wrong.call('POST /v1/orgs', { name: 'x' }, headers);
    };
    for (let i = 0; i < 20; i++) t.equal((await attempt(i)).status, 401);
    for (const i of [0, 1]) {
      const refused = await attempt(i);
      checkRefusal(t, refused, { status: 429, code: 'rate_limited' }, 'one too many');
    }
    const made = await operator.call('POST /v1/orgs', { name: 'Passes' }, headers);
    t.equal(made.status, 201, 'the right operator token passes');
    const known = await all.api.call('GET /v1/org', undefined, headers);
    t.equal(known.status, 200, 'a key that is known passes');
    const other = { 'x-forwarded-for': '192.0.2.45' };
    t.equal((await client(server.url, 'wrong').call('GET /v1/org', undefined, other)).status, 401);
  },
);

t.test(
  'over the daily cap a send is a 429 until the next UTC day, and nothing else is',
  async (t) => {
    const org = await makeOrg(server, 'Capped', {
      dailySendCap: 2,
      rateLimits: { transactional: null, standard: null },
    });
    const app = await org.client.must('POST /v1/apps', { name: 'Capped' });
    await org.client.must(`POST /v1/apps/${app.id}/subscribers`, {
      externalUserId: 'u',
      devices: [{ channel: 'email', endpoint: 'u@example.com' }],
    });
    const send = () =>
      org.client.call(`POST /v1/apps/${app.id}/notifications`, {
        externalUserId: 'u',
        title: 'x',
        body: 'x',
      });
    for (let i = 0; i < 2; i++) t.equal((await send()).status, 202);
    const refused = await send();
    checkRefusal(t, refused, { status: 429, code: 'daily_cap', error: /2 sends/ }, 'the third');
    const wait = Number(refused.headers['retry-after']);
    t.ok(wait >= 1 && wait <= 86_400);
    const { dailySends } = await org.client.must('GET /v1/org/limits');
    t.match(dailySends, { cap: 2, used: 2 });
    await operator.must(`PATCH /v1/orgs/${org.id}`, { dailySendCap: null });
    t.equal((await send()).status, 202);
  },
);

t.test('every answer of a keyed route tells its lane, whatever its status', async (t) => {
  const { api, base } = all;
  for (const [line, status] of [
    ['GET /v1/org', 200],
    [`GET ${base}/subscribers/nobody`, 404],
    [`GET ${base}/subscribers?limit=0`, 400],
    [`GET ${base}/subscribers?segmentId=x`, 400],
    [`DELETE ${base}/credentials/webpush`, 409],
    ['GET /v1/nothing', 404],
    ['PUT /v1/org', 405],
  ] as const) {
    const reply = await api.call(line);
    t.equal(reply.status, status, line);
    t.equal(reply.headers['x-ratelimit-lane'], 'standard', line);
    t.ok(reply.headers['x-request-id'], line);
    t.equal(reply.headers['x-engage-mode'], 'sandbox', line);
  }
  const { key } = await api.must('POST /v1/keys', { name: 'reader', scopes: ['read'] });
  const fresh = await withKey(all, key).call('GET /v1/nothing');
  t.equal(fresh.headers['x-ratelimit-lane'], 'standard', 'also to a key that is not known yet');
  const forbidden = await withKey(all, key).call('GET /v1/keys');
  t.match([forbidden.status, forbidden.headers['x-ratelimit-lane']], [403, 'standard']);
  const large = await api.call(`POST ${base}/subscribers`, 'x'.repeat(1_048_577));
  t.equal(large.status, 413);
  t.equal(large.headers['x-ratelimit-lane'], 'standard');
  t.match(large.headers, { 'x-request-id': /^req_/, 'x-engage-mode': 'sandbox' });
});

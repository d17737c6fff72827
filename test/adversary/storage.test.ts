// Filling the disk, which all tenants share: by large bodies, by many events, by large tags, from
// one address and from many.

import t from 'tap';
import { limits } from '../../actors/limits.ts';
import { checkRefusal } from '../contract/chapter.ts';
import { afterKill } from '../support/after-kill.ts';
import { client, makeOrg } from '../support/server.ts';
import { eventsOf, stranger, victim } from './stranger.ts';

const all = await victim(t);
const { api, app, base, server } = all;
const tooMuch = { status: 429, code: 'rate_limited' };

/** About a megabyte: events with 8 KB of properties each. */
function large(prefix: string): ReturnType<typeof eventsOf> {
  const props = { text: 'x'.repeat(8_000) };
  return eventsOf(
    all,
    Array.from({ length: 120 }, (_, i) => ({
      id: `${prefix}-${i}`,
      externalUserId: 'shared',
      props,
    })),
  );
}

t.test('one address cannot write more than its bytes of a minute', async (t) => {
  const thief = stranger(all, 1);
  const statuses: number[] = [];
  for (let i = 0; i < 6; i++) {
    const reply = await thief.call('POST /e', large(`bytes-${i}`));
    statuses.push(reply.status);
    if (reply.status === 202) continue;
    checkRefusal(t, reply, { ...tooMuch, error: /KiB per minute from one address/ }, 'no room');
    t.match(reply.headers['retry-after'], /^[1-9]\d?$/);
  }
  t.same(statuses, [202, 202, 202, 202, 429, 429], 'about 4 MiB');
  const small = eventsOf(all, [{ externalUserId: 'shared' }]);
  t.equal((await stranger(all, 2).call('POST /e', small)).status, 202, 'another address');
  t.equal((await api.call('POST /e', large('own'))).status, 202, 'the tenant');
});

t.test(
  'the bytes of an address are counted for each app, so that apps share no budget',
  async (t) => {
    const { id } = await api.must('POST /v1/apps', { name: 'Other' });
    const thief = stranger(all, 3);
    for (let i = 0; i < 4; i++) await thief.must('POST /e', large(`each-${i}`));
    t.equal((await thief.call('POST /e', large('each-4'))).status, 429);
    const other = { appId: id, events: [{ name: 'seen', externalUserId: 'shared' }] };
    t.equal((await thief.call('POST /e', other)).status, 202);
  },
);

t.test('one address cannot write more than its events of a minute', async (t) => {
  const thief = stranger(all, 4);
  const tiny = eventsOf(all, Array(1_000).fill({ name: 'a', externalUserId: 'shared' }));
  let events = 0;
  for (let i = 0; i < 40; i++) {
    const reply = await thief.call('POST /e', tiny);
    if (reply.status === 202) events += reply.json.accepted;
    else {
      checkRefusal(
        t,
        reply,
        { ...tooMuch, error: /events per minute from one address/ },
        'no room',
      );
      break;
    }
  }
  t.equal(events, limits.keylessEventsPerMinute);
});

t.test('tags count, too', async (t) => {
  const thief = stranger(all, 5);
  const { clientToken } = await thief.must('POST /v1/sdk/subscriber', { appId: app });
  const tags = Object.fromEntries(
    Array.from({ length: 50 }, (_, i) => [`t${i}`, 'x'.repeat(1_000)]),
  );
  let status = 0;
  let calls = 0;
  for (; calls < 120 && status !== 429; calls++) {
    tags['t0'] = `${calls}`;
    ({ status } = await thief.call('POST /v1/sdk/tags', { appId: app, clientToken, tags }));
  }
  t.equal(status, 429);
  t.ok(calls > 60 && calls < 100, `${calls} calls of 50 KB`);
});

t.test('many addresses cannot fill more than the quota of the org', async (t) => {
  const org = await makeOrg(server, 'Small', {
    rateLimits: { transactional: null, standard: null },
    storageQuotaBytes: 4_000_000,
  });
  const { id } = await org.client.must('POST /v1/apps', { name: 'Small' });
  const body = (prefix: string) => ({ ...large(prefix), appId: id });
  const statuses: number[] = [];
  for (let i = 0; i < 6; i++)
    statuses.push((await stranger(all, 100 + i).call('POST /e', body(`quota-${i}`))).status);
  t.same(statuses, [202, 202, 202, 202, 507, 507]);
  const full = { status: 507, code: 'storage_quota' };

  await t.test('strangers stop first: the tenant can still write, send and read', async (t) => {
    const { json } = await org.client.call('GET /v1/org/limits');
    t.equal(json.storage.quotaBytes, 4_000_000);
    t.ok(json.storage.usedBytes > 3_600_000 && json.storage.usedBytes < 4_000_000);
    const own = { externalUserId: 'ada', devices: [{ channel: 'email', endpoint: 'a@b.example' }] };
    t.equal((await org.client.call(`POST /v1/apps/${id}/subscribers`, own)).status, 201);
    const send = { externalUserId: 'ada', title: 'x', body: 'x' };
    t.equal((await org.client.call(`POST /v1/apps/${id}/notifications`, send)).status, 202);
  });

  await t.test('then the org itself, but never its sends, and nobody else', async (t) => {
    t.equal((await org.client.call('POST /e', body('last'))).status, 202, 'the last that fits');
    checkRefusal(t, await org.client.call('POST /e', body('over')), full, 'beyond');
    const more = { externalUserId: 'eve' };
    checkRefusal(t, await org.client.call(`POST /v1/apps/${id}/subscribers`, more), full, 'people');
    const send = { externalUserId: 'ada', title: 'x', body: 'x' };
    t.equal((await org.client.call(`POST /v1/apps/${id}/notifications`, send)).status, 202);
    t.equal((await api.call(`POST ${base}/subscribers`, more)).status, 201, 'another org');
  });

  afterKill(server, 'a full org is full, and a larger quota opens it again', async (t) => {
    checkRefusal(t, await org.client.call('POST /e', body('again')), full, 'after a kill');
    const operator = client(server.url, server.bootstrapToken);
    await operator.must(`PATCH /v1/orgs/${org.id}`, { storageQuotaBytes: null });
    t.equal((await org.client.call('POST /e', body('again'))).status, 202);
    const { json } = await org.client.call('GET /v1/org/limits');
    t.equal(json.storage.quotaBytes, null);
  });
});

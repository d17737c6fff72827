// `POST …/subscribers/bulk`: one change of many people, in the background where it is large, also
// across a kill -9.

import t, { type Test } from 'tap';
import { afterKill } from '../support/after-kill.ts';
import { chapter } from './chapter.ts';

const { api, base, app, takes, refuses, server, org } = await chapter(t);
const line = `POST ${base}/subscribers/bulk`;
const count = async (filter: object, path = base) =>
  (await api.must(`POST ${path}/segments/preview`, { filter })).count as number;
const people = 3_000;
const fill = (appId: string) =>
  api.must('POST /v1/import/subscribers', {
    appId,
    rows: Array.from({ length: people }, (_, nth) => ({
      externalUserId: `p-${nth}`,
      tags: { plan: nth % 2 === 0 ? 'pro' : 'free' },
      ...(nth % 10 === 0 && { devices: [{ channel: 'email', endpoint: `p${nth}@example.com` }] }),
    })),
  });
await fill(app);

async function finished(path: string, id: string) {
  for (;;) {
    const change = await api.must(`GET ${path}/subscribers/bulk/${id}`);
    if (change.state === 'done') return change;
  }
}

t.test('a few people are changed at once', async (t) => {
  const { id } = await api.must(`GET ${base}/subscribers/external:p-3`);
  const ids = [id, 'external:p-10', 'external:nobody', `sub_${'0'.repeat(26)}`];
  const body = { ids, tags: { vip: true }, suppress: { channels: ['email'], reason: 'asked' } };
  const dry = await takes(t, line, { ...body, dryRun: true }, 200);
  t.match(dry.json, { dryRun: true, state: 'done', matched: 2, looked: 2, changed: 2, failed: 0 });
  t.equal(await count({ tag: 'vip', exists: true }), 0);
  const done = await takes(t, line, body, 200);
  t.match(done.json, { id: /^blk_/, state: 'done', dryRun: false, matched: 2, changed: 2 });
  t.equal(await count({ tag: 'vip', eq: true }), 2);
  const ten = await api.must(`GET ${base}/subscribers/external:p-10`);
  t.match(ten.devices, [{ suppressed: { scope: 'all', reason: 'asked' } }]);
  t.match((await takes(t, line, body, 200)).json, { changed: 0 }, 'the same again');
  t.same(await api.must(`GET ${base}/subscribers/bulk/${done.json.id}`), done.json);
  const erased = await takes(t, line, { ids, delete: true }, 200);
  t.match(erased.json, { matched: 2, changed: 2 });
  await refuses(t, `GET ${base}/subscribers/${id}`, undefined, { status: 404 });
  const { items } = await api.must('GET /v1/org/audit-log?action=subscribers.bulk_changed');
  t.match(items, [
    { target: erased.json.id, after: { matched: 2, delete: true }, actor: /^key_/ },
    { after: { changed: undefined } },
    { target: done.json.id, after: { matched: 2, tags: ['vip'], suppress: ['email'] } },
  ]);
  t.equal(items.length, 3, 'a dry run is not noted');
});

for (const [what, change] of [
  ['change', { tags: { plan: 'team' } }],
  ['erasure', { delete: true }],
] as const)
  t.test(`a large ${what} goes on after a kill -9, to the last person`, async (t) => {
    const { id: app } = await api.must('POST /v1/apps', { name: what });
    const path = `/v1/apps/${app}`;
    await fill(app);
    const filter = { tag: 'plan', exists: true };
    let id = '';
    const begin = async (t: Test) => {
      const body = { filter, ...change };
      const started = await takes(t, `POST ${path}/subscribers/bulk`, body, 202);
      t.match(started.json, { state: 'running', matched: people });
      ({ id } = started.json);
    };
    const holds = async (t: Test) => {
      t.match(await finished(path, id), { matched: people, looked: people, failed: 0 });
      t.match(await finished(path, id), { changed: people });
      const left = what === 'change' ? people : 0;
      t.equal(await count({ tag: 'plan', eq: 'team' }, path), left);
      const { total } = await api.must(`POST ${path}/segments/preview`, { filter });
      t.equal(total, left);
    };
    afterKill(server, `a large ${what} went on to the last person`, holds, begin);
    t.equal(await count(filter, path), people);
  });

t.test('a repeated key answers with the change that it started', async (t) => {
  await api.must(`POST ${base}/subscribers`, { externalUserId: 'again' });
  const body = { ids: ['external:again'], tags: { a: 1 } };
  const headers = { 'idempotency-key': 'bulk-1' };
  const first = await org.client.call(line, body, headers);
  const again = await org.client.call(line, body, headers);
  t.equal(again.status, 200);
  t.same(again.json, first.json);
});

t.test('what is unclear is refused, and nothing is changed', async (t) => {
  const tags = { a: 1 };
  const ids = ['external:again'];
  const refused = (body: object, field: string, error?: RegExp) =>
    refuses(t, line, body, { status: 400, field, ...(error && { error }) });
  await refused({ tags }, 'filter', /send filter, segmentId or ids/);
  await refused({ ids }, 'tags', /send tags, suppress or delete/);
  await refused({ ids, tags: {} }, 'tags');
  await refused(
    { ids, filter: { channel: 'email' }, tags },
    'ids',
    /cannot be combined with filter/,
  );
  await refused({ ids, tags, delete: true }, 'delete', /cannot be combined with tags/);
  await refused({ ids, delete: false }, 'delete');
  await refused({ ids: [], tags }, 'ids');
  await refused({ ids: Array.from({ length: 1_001 }, () => 'external:a'), tags }, 'ids');
  await refused({ ids, tags: { $a: 1 } }, 'tags.$a');
  await refused({ ids, suppress: { channels: ['fcm'] } }, 'suppress.channels[0]');
  await refused({ ids, suppress: { channels: [] } }, 'suppress.channels');
  await refused({ filter: { tag: 'a' }, tags }, 'filter');
  const segmentId = `seg_${'0'.repeat(26)}`;
  await refuses(t, line, { segmentId, tags }, { status: 404, field: 'segmentId' });
  const unknown = `GET ${base}/subscribers/bulk/blk_${'0'.repeat(26)}`;
  await refuses(t, unknown, undefined, { status: 404, error: 'bulk change not found' });
});

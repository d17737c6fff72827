// Row 2.15 for orgs: a retry with the same idempotency key shows the same org and the same key,
// which is shown nowhere else.

import t from 'tap';
import { client, type Reply } from '../support/server.ts';
import { chapter } from './chapter.ts';

const { server } = await chapter(t);
const operator = client(server.url, server.bootstrapToken);
const create = (name: string, key: string): Promise<Reply> =>
  operator.call('POST /v1/orgs', { name }, { 'idempotency-key': key });

t.test('a retry shows the same org and the same key', async (t) => {
  const first = await create('Twice', 'org-1');
  t.equal(first.status, 201, first.text);
  t.equal(first.headers['x-idempotent-replay'], undefined);
  const again = await create('Twice', 'org-1');
  t.equal(again.status, 201, again.text);
  t.same(again.json, first.json);
  t.equal(again.headers['x-idempotent-replay'], 'true');
  const its = client(server.url, again.json.apiKey.key);
  t.equal((await its.must('GET /v1/org')).id, first.json.org.id, 'the key works');

  const other = await create('Another', 'org-1');
  t.match(other, { status: 409, json: { code: 'idempotency_conflict' } });
  const fresh = await create('Twice', 'org-2');
  t.not(fresh.json.org.id, first.json.org.id);
  t.not(fresh.json.apiKey.key, first.json.apiKey.key);
});

t.test('of eight at once one creates, and all show the same', async (t) => {
  const all = await Promise.all(Array.from({ length: 8 }, () => create('At once', 'org-many')));
  t.same([...new Set(all.map(({ status }) => status))], [201]);
  t.equal(new Set(all.map(({ text }) => text)).size, 1);
  t.equal(all.filter(({ headers }) => headers['x-idempotent-replay'] === 'true').length, 7);
});

t.test('a key that was deleted is not shown again', async (t) => {
  const { json } = await create('Without its key', 'org-3');
  const its = client(server.url, json.apiKey.key);
  const { key: second } = await its.must('POST /v1/keys', { name: 'Next', scopes: ['admin'] });
  await client(server.url, second).must(`DELETE /v1/keys/${json.apiKey.id}`);
  const again = await create('Without its key', 'org-3');
  t.match(again, { status: 409, json: { code: 'wrong_state', error: /first key was deleted/ } });
});

t.test('without a key each call makes an org', async (t) => {
  const [one, two] = await Promise.all([
    operator.must('POST /v1/orgs', { name: 'Same' }),
    operator.must('POST /v1/orgs', { name: 'Same' }),
  ]);
  t.not(one.org.id, two.org.id);
});

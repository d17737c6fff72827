// A creation with an idempotency key happens once: its retry answers with the same object, also
// after a crash, and another body is a conflict.

import t, { type Test } from 'tap';
import { routes } from '../../http/routes/index.ts';
import { afterKill } from '../support/after-kill.ts';
import { client, type Reply } from '../support/server.ts';
import { chapter } from './chapter.ts';

const content = { name: 'Hi', title: 'Hi', body: 'There' };
const steps = [{ id: 'a', type: 'wait', days: 1 }];

t.test('every creation honors a key, and its retry creates nothing', async (t) => {
  const one = await chapter(t);
  const { api, base, app } = one;
  const { id: messageId } = await api.must(`POST ${base}/messages`, content);
  const cases: readonly (readonly [line: string, body: object, other: object, list: string])[] = [
    [
      `POST ${base}/segments`,
      { name: 'S', filter: { channel: 'email' } },
      { name: 'T' },
      'segments',
    ],
    [`POST ${base}/messages`, content, { title: 'Ho' }, 'messages'],
    [
      `POST ${base}/message-templates`,
      { ...content, name: 'welcome' },
      { name: 'w2' },
      'message-templates',
    ],
    [`POST ${base}/in-app-messages`, { messageId }, { priority: 3 }, 'in-app-messages'],
    [`POST ${base}/flags`, { key: 'beta' }, { key: 'gamma' }, 'flags'],
    [`POST ${base}/journeys`, { name: 'J', triggerEvent: 'e', steps }, { name: 'K' }, 'journeys'],
    [`POST ${base}/campaigns`, { messageId }, { name: 'C' }, 'campaigns'],
    [`POST ${base}/subscribers`, { tags: { a: 1 } }, { tags: { a: 2 } }, 'subscribers'],
  ];
  for (const [line, body, more, list] of cases) {
    const count = async () => (await api.must(`GET ${base}/${list}?limit=200`)).items.length;
    const headers = { 'idempotency-key': `once ${list}` };
    const first = await api.call(line, body, headers);
    t.match(first.status, 201, `${line}: ${first.text}`);
    t.equal(first.headers['x-idempotent-replay'], undefined);
    const before = await count();
    const again = await api.call(line, body, headers);
    t.same(again.json.id, first.json.id, line);
    t.ok([200, 201].includes(again.status), line);
    t.same(Object.keys(again.json).sort(), Object.keys(first.json).sort(), line);
    t.equal(again.headers['x-idempotent-replay'], 'true', line);
    t.equal(await count(), before, `${line} creates nothing`);
    const changed = await api.call(line, { ...body, ...more }, headers);
    t.match(changed, { status: 409, json: { code: 'idempotency_conflict' } }, line);
    const fresh = await api.call(line, { ...body, ...more }, { 'idempotency-key': 'another' });
    t.equal(fresh.status, 201, `${line}: ${fresh.text}`);
    t.not(fresh.json.id, first.json.id, 'keys are of a route');
  }
  const { json: made } = await api.call('POST /v1/apps', { name: 'N' }, { 'idempotency-key': 'n' });
  const { json: same } = await api.call('POST /v1/apps', { name: 'N' }, { 'idempotency-key': 'n' });
  t.same(same, made);
  t.not(made.id, app);
});

t.test(
  'a retry by a key that may not read says nothing that others may have changed',
  async (t) => {
    const { api, base, server } = await chapter(t);
    const scopes = ['write', 'admin'];
    const { key } = await api.must('POST /v1/keys', { name: 'blind', scopes });
    const blind = client(server.url, key);
    const { id: messageId } = await api.must(`POST ${base}/messages`, content);
    const { id: campaignId } = await api.must(`POST ${base}/campaigns`, { messageId });
    const filter = { channel: 'email' };
    const journey = { name: 'J', triggerEvent: 'e', steps };
    const { id: journeyId } = await api.must(`POST ${base}/journeys`, journey);
    const { id: segmentId } = await api.must(`POST ${base}/segments`, { name: 'S', filter });
    const relay = { name: 'R', kind: 'sendgrid', config: { apiKey: 'SG.sandbox-key-of-shop' } };
    const bodies: Readonly<Record<string, object>> = {
      [`POST ${base}/segments`]: { name: 'S', filter },
      [`POST ${base}/segments/${segmentId}/duplicate`]: {},
      [`POST ${base}/messages`]: content,
      [`POST ${base}/messages/${messageId}/duplicate`]: {},
      [`POST ${base}/message-templates`]: { ...content, name: 'welcome' },
      [`POST ${base}/in-app-messages`]: { messageId },
      [`POST ${base}/flags`]: { key: 'beta' },
      [`POST ${base}/journeys`]: journey,
      [`POST ${base}/journeys/${journeyId}/duplicate`]: {},
      [`POST ${base}/campaigns`]: { messageId },
      [`POST ${base}/campaigns/${campaignId}/duplicate`]: {},
      [`POST /v1/campaigns/${campaignId}/duplicate`]: {},
      [`POST ${base}/subscribers`]: { tags: { a: 1 } },
      [`POST ${base}/subscribers/bulk`]: { filter, tags: { a: 2 } },
      [`POST ${base}/relays`]: relay,
      'POST /v1/org/relays': relay,
      'POST /v1/apps': { name: 'N' },
    };
    for (const [line, body] of Object.entries(bodies)) {
      const headers = { 'idempotency-key': `blind ${line}` };
      const first = await blind.call(line, body, headers);
      t.ok([200, 201, 202].includes(first.status), `${line}: ${first.text}`);
      const again = await blind.call(line, body, headers);
      t.equal(again.headers['x-idempotent-replay'], 'true', line);
      t.equal(again.headers['etag'], undefined, `${line}: nor its version`);
      const kept = ['id', 'createdAt', ...(line === `POST ${base}/messages` ? ['messageId'] : [])];
      const expected = Object.entries(first.json).filter(([name]) => kept.includes(name));
      t.same(again.json, Object.fromEntries(expected), line);
    }
    const tried = new Set(Object.keys(bodies).map(formOf));
    for (const { path, creates } of routes)
      if (creates?.read !== undefined) t.ok(tried.has(formOf(`POST ${path}`)), `${path} is tried`);
  },
);

/** A call's line, or a route's, without ids. */
function formOf(line: string): string {
  return line.replace(/:\w+|[a-z]+_[0-9a-zA-Z]{26}/g, '…');
}

t.test('what the key created and somebody deleted is not created again', async (t) => {
  const { api, base } = await chapter(t);
  const headers = { 'idempotency-key': 'gone' };
  const { json } = await api.call(`POST ${base}/messages`, content, headers);
  await api.must(`DELETE ${base}/messages/${json.id}`);
  const again = await api.call(`POST ${base}/messages`, content, headers);
  t.match(again, {
    status: 409,
    json: { error: `${json.id}, which this idempotency key created, was deleted` },
  });
});

t.test('an API key is made once, and its text is never shown again', async (t) => {
  const { api } = await chapter(t);
  const headers = { 'idempotency-key': 'a key' };
  const body = { name: 'CI', scopes: ['read'] };
  const first = await api.call('POST /v1/keys', body, headers);
  t.equal(first.status, 201, first.text);
  const count = (await api.must('GET /v1/keys')).items.length;
  const again = await api.call('POST /v1/keys', body, headers);
  t.equal(again.status, 409);
  t.match(again.json.error, `created the API key ${first.json.id}, whose text was shown only then`);
  t.equal((await api.must('GET /v1/keys')).items.length, count);
});

t.test('a key that was claimed is claimed after a crash', async (t) => {
  const { api, base, server } = await chapter(t);
  const claim = () =>
    api.call(
      `POST ${base}/journeys`,
      { name: 'J', triggerEvent: 'e', steps },
      { 'idempotency-key': 'crash' },
    );
  let first: Reply;
  const holds = async (t: Test) => {
    t.match(await claim(), { status: 201, json: { id: first.json.id } });
    t.equal((await api.must(`GET ${base}/journeys`)).items.length, 1);
  };
  const begin = async () => (first = await claim());
  afterKill(server, 'a key that was claimed right before is claimed', holds, begin);
});

t.test('a refused creation leaves its key free, and a bad key is refused', async (t) => {
  const { api, base } = await chapter(t);
  const headers = { 'idempotency-key': 'free' };
  const wrong = await api.call(`POST ${base}/segments`, { name: 'S', filter: {} }, headers);
  t.equal(wrong.status, 400);
  const right = { name: 'S', filter: { channel: 'email' } };
  t.equal((await api.call(`POST ${base}/segments`, right, headers)).status, 201);
  const empty = await api.call(`POST ${base}/segments`, right, { 'idempotency-key': '' });
  t.match(empty, { status: 400, json: { field: 'idempotencyKey' } });
});

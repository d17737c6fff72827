// Who passes, and what an answer tells of it: the operator's token, the ceiling on failed
// authentications, and lanes on answers of every status.

import t, { type Test } from 'tap';
import { exampleIds } from '../../../http/example-ids.ts';
import { fakeFront, type Got } from './fake-front.ts';

const wrongKey = (n: number) => `ek_${'0'.repeat(12)}_${String(n).padStart(43, 'w')}`;

function laneOf({ headers }: Got) {
  return [
    headers['x-ratelimit-lane'],
    headers['x-ratelimit-limit'],
    headers['x-ratelimit-remaining'],
  ];
}

async function exhaust(front: ReturnType<typeof fakeFront>, t: Test) {
  for (let i = 0; i < 20; i++) {
    t.equal((await front.call('GET /v1/org', { key: wrongKey(i) })).status, 401);
  }
  t.equal((await front.call('GET /v1/org', { key: wrongKey(20) })).status, 429);
}

t.test('twenty failures in any minute, not one more', async (t) => {
  const front = fakeFront();
  await exhaust(front, t);
  const looked = front.looked.length;
  t.equal(looked, 20, 'beyond the ceiling no owner is asked');
  front.pass(59_999);
  const refused = await front.call('GET /v1/org', { key: wrongKey(99) });
  t.match([refused.status, refused.headers['retry-after']], [429, '1']);
  front.pass(1);
  t.equal((await front.call('GET /v1/org', { key: wrongKey(98) })).status, 401);
  t.equal((await front.call('GET /v1/org', { key: wrongKey(97), from: '192.0.2.1' })).status, 401);
});

t.test('the right operator token passes after any number of failures', async (t) => {
  const front = fakeFront(() => ({ org: org(), key: { id: exampleIds.key, scopes: [] } }));
  await exhaust(front, t);
  const made = await front.call('POST /v1/orgs', { key: 'bootstrap', body: { name: 'x' } });
  t.equal(made.status, 201);
  const guess = await front.call('POST /v1/orgs', {
    key: 'bootstrap-token-of-the-test!',
    body: {},
  });
  t.equal(guess.status, 429);
});

t.test('a key that was valid here is looked up whatever others at its address do', async (t) => {
  const front = fakeFront(org);
  t.equal((await front.call('GET /v1/org', { key: 'read' })).status, 200);
  front.pass(60_001); // its grant is kept no longer
  await exhaust(front, t);
  t.equal((await front.call('GET /v1/org', { key: 'read' })).status, 200);
  t.equal((await front.call('GET /v1/org', { key: 'all' })).status, 429, 'one never seen waits');
  t.equal((await front.call('GET /v1/org', { key: 'all', from: '192.0.2.1' })).status, 200);
  const text = front.keyText('read');
  front.pass(60_001);
  await exhaust(front, t);
  front.removeKey('read');
  t.equal(
    (await front.call('GET /v1/org', { key: text })).status,
    429,
    'a deleted one is like any other',
  );
});

t.test('wrong keys cannot push valid ones out of memory', async (t) => {
  const front = fakeFront(org);
  await front.call('GET /v1/org', { key: 'read' });
  const { authenticator } = front.edge;
  for (let i = 0; i < 21_000; i++) await authenticator.look(wrongKey(i));
  t.ok(authenticator.known(front.keyText('read')));
});

t.test('an operator’s route names its token and where it is, never an API key', async (t) => {
  const front = fakeFront();
  for (const key of ['none', 'nonsense', 'all']) {
    for (const line of ['POST /v1/orgs', `PATCH /v1/orgs/${exampleIds.org}`]) {
      const got = await front.call(line, { key, body: { name: 'x' } });
      t.equal(got.status, 401, `${line} with ${key}`);
      t.match(got.json, {
        code: 'unauthorized',
        error:
          /bootstrap token.*Authorization: Bearer.*ENGAGE_BOOTSTRAP_TOKEN.*<data dir>\/bootstrap-token/,
      });
    }
  }
});

t.test('a key without the scope is told how its lane stands, and is not charged', async (t) => {
  const front = fakeFront();
  for (let i = 0; i < 2; i++) {
    const got = await front.call('GET /v1/keys', { key: 'read' });
    t.equal(got.status, 403);
    t.same(laneOf(got), ['standard', '1200', '1200']);
  }
});

t.test('paths and methods that are not there are charged to a key’s standard lane', async (t) => {
  const front = fakeFront();
  // The first call has to ask for the key, those after it know it.
  for (const [index, line] of ['GET /v1/nothing', 'DELETE /v1/org', 'GET /v1/nothing'].entries()) {
    const got = await front.call(line, { key: 'read' });
    t.equal(got.status, line === 'DELETE /v1/org' ? 405 : 404, line);
    t.same(laneOf(got), ['standard', '1200', String(1199 - index)], line);
  }
  t.equal((await front.call('DELETE /v1/org', { key: 'read' })).headers['allow'], 'GET, PATCH');
  for (const key of ['none', 'nonsense', 'bootstrap', wrongKey(1)]) {
    const got = await front.call('GET /v1/nothing', { key });
    t.equal(got.status, 404);
    t.same(laneOf(got), [undefined, undefined, undefined], key);
  }
  t.equal(
    (await front.call('GET /favicon.ico', { key: 'read' })).headers['x-ratelimit-lane'],
    undefined,
  );
});

t.test('a lane that is used up refuses there, too', async (t) => {
  const front = fakeFront();
  front.addKey('few', { rateLimits: { transactional: 1, standard: 1 } });
  t.equal((await front.call('GET /v1/nothing', { key: 'few' })).status, 404);
  const got = await front.call('GET /v1/nothing', { key: 'few' });
  t.match([got.status, got.headers['retry-after']], [429, /^\d+$/]);
  t.same(laneOf(got), ['standard', '1', '0']);
});

t.test('a path that is not there is no way to try keys beyond the ceiling', async (t) => {
  const front = fakeFront();
  for (let i = 0; i < 40; i++) {
    t.equal((await front.call('GET /v1/nothing', { key: wrongKey(i) })).status, 404);
  }
  t.equal(front.looked.length, 20);
  t.equal((await front.call('GET /v1/org', { key: wrongKey(50) })).status, 429);
});

t.test('events count wrong keys, whether they are looked up or remembered', async (t) => {
  const front = fakeFront();
  const body = { appId: exampleIds.app, events: [] };
  for (let i = 0; i < 20; i++) {
    // In twos of one key: the second is known to be wrong.
    t.equal((await front.call('POST /e', { key: wrongKey(i >> 1), body })).status, 401);
  }
  t.equal((await front.call('POST /e', { key: wrongKey(9), body })).status, 429);
  t.equal((await front.call('POST /e', { key: wrongKey(30), body })).status, 429);
});

function org() {
  const rateLimits = { transactional: 6000, standard: 1200 };
  const plain = { id: exampleIds.org, ordinal: 1, name: 'Acme', parentOrgId: null, createdMs: 0 };
  return { ...plain, dailySendCap: 1, rateLimits, emailAllowance: 1 };
}

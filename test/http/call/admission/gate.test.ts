// Who passes, and what an answer tells of it: the operator's token, the bounds of wrong keys, and
// lanes on answers of every status.

import t, { type Test } from 'tap';
import { makeKey, makeSession } from '../../../../http/call/admission/authenticate.ts';
import { exampleIds } from '../../../../http/call/schemas/example-ids.ts';
import { fakeFront, type Got } from '../../routes/fake-front.ts';

const wrongKey = (n: number) => `ek_${'0'.repeat(12)}_${String(n).padStart(43, 'w')}`;

function laneOf({ headers }: Got) {
  return [
    headers['x-ratelimit-lane'],
    headers['x-ratelimit-limit'],
    headers['x-ratelimit-remaining'],
  ];
}

/** Tries secrets of one key until it is told to stop. */
async function exhaust(front: ReturnType<typeof fakeFront>, t: Test) {
  for (let i = 0; i < 20; i++) {
    t.equal((await front.call('GET /v1/org', { key: wrongKey(i) })).status, 401);
  }
  t.equal((await front.call('GET /v1/org', { key: wrongKey(20) })).status, 429);
}

t.test('twenty wrong secrets of a key in any minute, not one more', async (t) => {
  const front = fakeFront();
  await exhaust(front, t);
  const looked = front.looked.length;
  t.equal(looked, 20, 'beyond the ceiling no owner is asked');
  front.pass(59_999);
  const refused = await front.call('GET /v1/org', { key: wrongKey(99) });
  t.match([refused.status, refused.headers['retry-after']], [429, '1']);
  t.equal((await front.call('GET /v1/org', { key: makeKey(77).text })).status, 401, 'another id');
  front.pass(1);
  t.equal((await front.call('GET /v1/org', { key: wrongKey(98) })).status, 401);
  t.equal((await front.call('GET /v1/org', { key: wrongKey(97), from: '192.0.2.1' })).status, 401);
});

t.test('an address has 600 look-ups of unknown keys a minute, then 429', async (t) => {
  const front = fakeFront(org);
  for (let i = 0; i < 600; i++)
    t.equal((await front.call('GET /v1/org', { key: makeKey(77).text })).status, 401);
  const refused = await front.call('GET /v1/org', { key: makeKey(77).text });
  t.match(refused, { status: 429, json: { error: /unknown keys/ } });
  t.equal(front.looked.length, 600);
  const elsewhere = await front.call('GET /v1/org', { key: makeKey(77).text, from: '192.0.2.1' });
  t.equal(elsewhere.status, 401);
  t.equal((await front.call('GET /v1/org', { key: 'all' })).status, 200, 'a right one, never seen');
});

t.test('no credential, another scheme and an old cookie count nothing', async (t) => {
  const front = fakeFront(org);
  const polls = { cookie: `engage=${makeSession(77).text}`, 'sec-fetch-site': 'same-origin' };
  for (let i = 0; i < 700; i++) {
    for (const headers of [{}, { authorization: 'Basic eDo=' }, polls])
      t.equal((await front.call('GET /v1/org', { key: 'none', headers })).status, 401);
    t.equal((await front.call('POST /v1/orgs', { key: 'none', body: {} })).status, 401);
  }
});

t.test('the right operator token passes after any number of failures', async (t) => {
  const front = fakeFront(() => ({ org: org(), key: { id: exampleIds.key, scopes: [] } }));
  const guess = () =>
    front.call('POST /v1/orgs', { key: 'bootstrap-token-of-the-test!', body: {} });
  for (let i = 0; i < 20; i++) t.equal((await guess()).status, 401);
  t.equal((await guess()).status, 429);
  const made = await front.call('POST /v1/orgs', { key: 'bootstrap', body: { name: 'x' } });
  t.equal(made.status, 201);
});

t.test('a key passes whatever others do at its address with its id', async (t) => {
  const front = fakeFront(org);
  const guess = (n: number) =>
    `${front.keyText('read').slice(0, 16)}${String(n).padStart(43, 'w')}`;
  for (const minute of [0, 1]) {
    for (let i = 0; i < 20; i++)
      t.equal((await front.call('GET /v1/org', { key: guess(i) })).status, 401);
    t.equal((await front.call('GET /v1/org', { key: guess(20) })).status, 429);
    t.equal((await front.call('GET /v1/org', { key: 'read' })).status, 200, `minute ${minute}`);
    front.pass(60_001); // its grant is kept no longer
  }
  const text = front.keyText('read');
  front.removeKey('read');
  t.equal(
    (await front.call('GET /v1/org', { key: text })).status,
    401,
    'a deleted one is no other',
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

// A login whose answer is lost: its client gets the answer again, and a stranger who guesses, sees
// or plants what there is to guess gets nothing.

import { randomBytes, randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { afterKill } from '../support/after-kill.ts';
import type { Reply } from '../support/server.ts';
import { stranger, victim } from './stranger.ts';

const all = await victim(t);
const { api, app, base } = all;

let address = 100;
const login = (body: object, key?: string): Promise<Reply> =>
  stranger(all, address++).call(
    'POST /v1/sdk/subscriber',
    { appId: app, ...body },
    key === undefined ? {} : { 'idempotency-key': key },
  );
const works = async (clientToken: string) =>
  (await stranger(all, address++).call('POST /v1/sdk/tags', { appId: app, clientToken, tags: {} }))
    .status;
const people = async () => (await api.must(`GET ${base}/subscribers?limit=200`)).items.length;
const needsProof = { status: 403, json: { code: 'identity_required', field: 'externalUserId' } };
const isOver = { status: 401, json: { code: 'invalid_client_token', field: 'idempotencyKey' } };
const isOther = { status: 409, json: { code: 'idempotency_conflict', field: 'idempotencyKey' } };

t.test('a first claim whose answer was lost is answered again, also after kill -9', async () => {
  const key = randomUUID();
  const body = { externalUserId: 'lost-1', timezone: 'Asia/Bangkok' };
  let first: Reply;
  const begin = async (t: Test) => {
    first = await login(body, key);
    t.equal(first.status, 200, first.text);
    t.match(await login(body), needsProof, 'without the key nobody gets in');
  };
  const holds = async (t: Test) => {
    const again = await login({ timezone: 'Asia/Bangkok', externalUserId: 'lost-1' }, key);
    t.same(again.json, first.json);
    t.equal(again.headers['x-idempotent-replay'], 'true');
    t.notOk(first.headers['x-idempotent-replay']);
    t.equal(await works(again.json.clientToken), 204);
  };
  afterKill(all.server, 'a first claim from right before is answered again', holds, begin);
});

t.test('a claim with an anonymous token, and a new anonymous person, too', async (t) => {
  const anonymousKey = randomBytes(24).toString('base64url');
  const anonymous = (await login({ language: 'th' }, anonymousKey)).json;
  const count = await people();
  t.same((await login({ language: 'th' }, anonymousKey)).json, anonymous);
  t.equal(await people(), count, 'nobody else is made');
  const body = { externalUserId: 'lost-2', clientToken: anonymous.clientToken };
  const key = randomUUID();
  const first = await login(body, key);
  t.equal(first.json.subscriberId, anonymous.subscriberId);
  t.same((await login({ ...body, idempotencyKey: key })).json, first.json, 'as a member as well');
  t.equal((await login(body)).status, 401, 'the anonymous token has ended');
});

t.test('a stranger gains nothing by another key, another body, or a planted token', async (t) => {
  const planted = (await login({})).json.clientToken;
  const key = randomUUID();
  const body = { externalUserId: 'lost-3', clientToken: planted };
  const owner = await login(body, key);
  t.equal(owner.status, 200);
  const seen = { externalUserId: 'lost-3' };
  const attempts: [string, Promise<Reply>, object][] = [
    ['the planted token without the key', login(body), { status: 401 }],
    ['the planted token and a guess', login(body, randomUUID()), { status: 401 }],
    ['the id and a guess', login(seen, randomUUID()), needsProof],
    ['the key without the rest of the body', login(seen, key), isOther],
    ['the key for a new person', login({}, key), isOther],
    ['the key for another id', login({ ...body, externalUserId: 'lost-x' }, key), isOther],
  ];
  for (const [what, attempt, expected] of attempts) {
    const reply = await attempt;
    t.match(reply, expected, what);
    t.notOk(reply.text.includes('ct_'), what);
  }
  t.same((await login(body, key)).json, owner.json, 'its owner still has it');
});

t.test('a key that can be guessed is refused, by the name of the field', async (t) => {
  const weak = ['1', 'login-42', 'user-42/2026-11-23', '0'.repeat(64), 'ab'.repeat(32), ''];
  for (const key of weak) {
    const reply = await login({ externalUserId: 'weak' }, key);
    t.match(reply, { status: 400, json: { field: 'idempotencyKey' } }, key);
  }
  t.equal((await login({ externalUserId: 'weak' })).status, 200, 'and has claimed nothing');
});

t.test('a refused login leaves its key free', async (t) => {
  await api.must(`POST ${base}/subscribers`, { externalUserId: 'by-api' });
  const key = randomUUID();
  t.match(await login({ externalUserId: 'by-api' }, key), needsProof);
  t.equal((await login({ externalUserId: 'lost-4' }, key)).status, 200);
});

t.test('a key of another app is good for nothing here', async (t) => {
  const { id: other } = await api.must('POST /v1/apps', { name: 'Other' });
  const key = randomUUID();
  const there = await login({ appId: other, externalUserId: 'lost-5' }, key);
  const here = await login({ externalUserId: 'lost-5' }, key);
  t.equal(here.status, 200, here.text);
  t.not(here.json.clientToken, there.json.clientToken);
});

t.test('a key gives no token back that has ended since', async (t) => {
  const claim = async (externalUserId: string, appId = app) => {
    const key = randomUUID();
    const body = { appId, externalUserId };
    const { json } = await login(body, key);
    return { again: () => login(body, key), ...json };
  };
  const loggedOut = await claim('over-1');
  const { clientToken } = loggedOut;
  const from = stranger(all, address++);
  t.equal((await from.call('POST /v1/sdk/logout', { appId: app, clientToken })).status, 204);
  t.match(await loggedOut.again(), isOver, 'a logout');
  const ended = await claim('over-2');
  await api.call(`POST ${base}/subscribers/external:over-2/end-sessions`);
  t.match(await ended.again(), isOver, 'the tenant ended it');
  const erased = await claim('over-3');
  await api.call(`DELETE ${base}/subscribers/external:over-3`);
  t.match(await erased.again(), isOver, 'an erasure');
  // It ends the tokens of an app, and those of this one outlive the kill.
  const { id: other } = await api.must('POST /v1/apps', { name: 'Resigned' });
  const resigned = await claim('over-4', other);
  await api.must(`POST /v1/apps/${other}/identity-secret?endClientTokens=true`);
  t.match(await resigned.again(), isOver, 'a new signing key');
});

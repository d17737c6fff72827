// The last way into an org: its only admin key stays while no owner could sign in.

import t from 'tap';
import { client } from '../support/server.ts';
import { chapter, checkRefusal } from './chapter.ts';

const { api, server } = await chapter(t);
const lastOne = { status: 409, code: 'wrong_state', error: /; create another admin key first$/ };

/** A client workspace, so that each test has an org of its own with one key. */
async function workspace(name: string) {
  const { org, apiKey } = await api.must('POST /v1/org/clients', { name });
  return { id: org.id, keyId: apiKey.id, api: client(server.url, apiKey.key) };
}

t.test('the last admin key of an org is not deleted', async (t) => {
  const { keyId, api } = await workspace('One key');
  const { id: appId } = await api.must('POST /v1/apps', { name: 'Shop' });
  const make = (scopes: readonly string[], more: object = {}) =>
    api.must('POST /v1/keys', { name: 'k', scopes, ...more });
  const others = [await make(['read', 'write', 'send']), await make(['admin'], { appId })];
  checkRefusal(t, await api.call(`DELETE /v1/keys/${keyId}`), lastOne, 'one of an app is no help');
  t.equal((await api.call('GET /v1/org')).status, 200, 'the key still works');
  for (const { id } of others) await api.must(`DELETE /v1/keys/${id}`);

  const next = await make(['admin']);
  await api.must(`DELETE /v1/keys/${keyId}`);
  const second = client(server.url, next.key);
  checkRefusal(t, await second.call(`DELETE /v1/keys/${next.id}`), lastOne, 'the next one');
});

t.test('neither an editor nor an owner who is only invited lets the key go', async (t) => {
  const { keyId, api } = await workspace('With people');
  await api.must('POST /v1/org/members', { email: 'eve@example.com', role: 'editor' });
  checkRefusal(t, await api.call(`DELETE /v1/keys/${keyId}`), lastOne, 'an editor makes no keys');
  await api.must('POST /v1/org/members', { email: 'ada@example.com', role: 'owner' });
  checkRefusal(t, await api.call(`DELETE /v1/keys/${keyId}`), lastOne, 'who may decline');
});

t.test('a client workspace goes with its last key', async (t) => {
  const { id, api: own } = await workspace('Short');
  await api.must(`DELETE /v1/org/clients/${id}`);
  t.equal((await own.call('GET /v1/org')).status, 401);
});

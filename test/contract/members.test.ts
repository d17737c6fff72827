// Members of an org over HTTP (contract, section 2): who may be added, the last owner, the audit
// log, and that a killed server keeps them.

import t from 'tap';
import { eventually, makeOrg } from '../support/server.ts';
import { chapter, withKey } from './chapter.ts';

const all = await chapter(t);
const { server } = all;
const line = 'POST /v1/org/members';

async function team(name: string) {
  const { client: api } = await makeOrg(server, name);
  return {
    api,
    add: (email: string, role: string) => api.must(line, { email, role }),
    remove: (id: string) => api.call(`DELETE /v1/org/members/${id}`),
    emails: async (): Promise<string[]> =>
      (await api.must('GET /v1/org/members?order=oldest')).items.map(
        (one: { email: string }) => one.email,
      ),
  };
}

t.test('members are added, listed in either order, found by address, and removed', async (t) => {
  const { api, add, remove, emails } = await team('Acme');
  const ada = await add(' Ada@Acme.Example ', 'owner');
  t.match(ada, { id: /^mbr_/, email: /^ada@acme\.example$/i, role: 'owner', createdAt: /Z$/ });
  await add('bob@acme.example', 'editor');
  const eva = await add('eva@acme.example', 'viewer');
  t.equal((await remove(eva.id)).status, 204);
  t.equal((await remove(eva.id)).status, 404);
  t.equal((await emails()).length, 2);
  const bob = { email: 'bob@acme.example' };
  for (const [order, items] of [
    ['', [bob, ada]],
    ['&order=newest', [bob, ada]],
    ['&order=oldest', [ada, bob]],
  ] as const) {
    const first = await api.must(`GET /v1/org/members?limit=1${order}`);
    t.match(first, { items: [items[0]], total: 2 }, order);
    const next = `cursor=${encodeURIComponent(first.nextCursor)}`;
    const second = await api.must(`GET /v1/org/members?limit=1${order}&${next}`);
    t.match(second, { items: [items[1]], nextCursor: null, total: 2 }, order);
    const other = order.endsWith('oldest') ? 'newest' : 'oldest';
    const turned = await api.call(`GET /v1/org/members?order=${other}&${next}`);
    t.match(turned, { status: 400, json: { field: 'cursor' } });
  }
  t.match(await api.must('GET /v1/org/members?q=BOB'), { items: [bob], total: 1 });
});

t.test('an address is a member once, whatever its case', async (t) => {
  const { api, add } = await team('Cases');
  await add('ada@acme.example', 'owner');
  const again = await api.call(line, { email: 'ADA@acme.example', role: 'viewer' });
  t.match(again, { status: 409, json: { code: 'duplicate', error: /member already, as owner/ } });
});

t.test('the only owner stays while there are others', async (t) => {
  const { add, remove, emails } = await team('Owners');
  const ada = await add('ada@acme.example', 'owner');
  const bob = await add('bob@acme.example', 'editor');
  t.match(await remove(ada.id), { status: 409, json: { error: /only owner/ } });
  const eva = await add('eva@acme.example', 'owner');
  t.equal((await remove(ada.id)).status, 204);
  t.equal((await remove(bob.id)).status, 204);
  t.equal((await remove(eva.id)).status, 204, 'the last member may go');
  t.same(await emails(), []);
});

t.test('bad input names the field; keys of one app and without admin are refused', async (t) => {
  const { api } = await team('Refused');
  t.match(await api.call(line, { email: 'no address', role: 'owner' }), {
    status: 400,
    json: { field: 'email' },
  });
  t.match(await api.call(line, { email: 'ada@acme.example', role: 'boss' }), {
    status: 400,
    json: { field: 'role' },
  });
  t.match(await api.call('GET /v1/org/members?cursor=nonsense'), {
    status: 400,
    json: { field: 'cursor' },
  });
  const { id } = await api.must('POST /v1/apps', { name: 'One' });
  for (const more of [{ scopes: ['admin'], appId: id }, { scopes: ['read', 'write', 'send'] }]) {
    const { key } = await api.must('POST /v1/keys', { name: 'Less', ...more });
    const { status } = await withKey(all, key).call('GET /v1/org/members');
    t.equal(status, 403);
  }
});

t.test('the audit log says who was added and removed, and names no address', async (t) => {
  const { api, add, remove } = await team('Audited');
  const ada = await add('ada@acme.example', 'viewer');
  await remove(ada.id);
  const { items } = await api.must('GET /v1/org/audit-log');
  t.match(items[0], { action: 'member.removed', target: ada.id, before: { role: 'viewer' } });
  t.match(items[1], { action: 'member.added', target: ada.id, after: { role: 'viewer' } });
  t.notMatch(JSON.stringify(items), /acme\.example/);
});

t.test('a killed server keeps them', async (t) => {
  const { add, remove, emails } = await team('Kept');
  await add('ada@acme.example', 'owner');
  const bob = await add('bob@acme.example', 'editor');
  await remove(bob.id);
  const engine = server.enginePid();
  process.kill(engine, 'SIGKILL');
  await server.ready(engine);
  t.same(await eventually(emails, 'no answer'), ['ada@acme.example']);
});

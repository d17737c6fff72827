// Members of an org over HTTP (contract, section 2): who may be added, the last owner, the audit
// log, and that a killed server keeps them.

import t from 'tap';
import { afterKill } from '../support/after-kill.ts';
import { client, makeOrg } from '../support/server.ts';
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

t.test('a key gives only roles whose scopes it has, to new members and to old ones', async (t) => {
  const { api, add } = await team('Roles');
  const scopesOf = {
    viewer: ['read'],
    editor: ['read', 'write', 'send'],
    owner: ['read', 'write', 'send', 'admin'],
  };
  const owner = await add('ada@acme.example', 'owner');
  const all = ['read', 'write', 'send', 'admin'];
  let number = 0;
  for (const missing of [undefined, 'read', 'write', 'send', 'read write send'])
    for (const [role, needed] of Object.entries(scopesOf)) {
      const scopes = all.filter((scope) => missing?.includes(scope) !== true);
      const { key } = await api.must('POST /v1/keys', { name: `${number}`, scopes });
      const mine = client(server.url, key);
      const eva = await add(`eva-${number}@acme.example`, role === 'viewer' ? 'editor' : 'viewer');
      const answers = [
        await mine.call(line, { email: `bob-${number++}@acme.example`, role }),
        await mine.call(`PATCH /v1/org/members/${eva.id}`, { role }),
      ];
      const may = needed.every((scope) => scopes.includes(scope));
      const refusal = { status: 403, json: { field: 'role', error: /roles whose scopes it has/ } };
      t.match(answers, may ? [{ status: 201 }, { status: 200 }] : [refusal, refusal]);
    }
  t.equal((await api.call(`PATCH /v1/org/members/${owner.id}`, { role: 'owner' })).status, 200);
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

t.test('a role is changed, but never that of the only owner', async (t) => {
  const { api, add } = await team('Roles');
  const ada = await add('ada@acme.example', 'owner');
  const change = (id: string, role: string) => api.call(`PATCH /v1/org/members/${id}`, { role });
  const kept = { status: 409, json: { code: 'wrong_state', error: /only owner/ } };
  t.match(await change(ada.id, 'viewer'), kept, 'nobody could change it back');
  const bob = await add('bob@acme.example', 'viewer');
  t.match(await change(ada.id, 'editor'), kept);
  t.match(await change(ada.id, 'owner'), { status: 200, json: ada });
  const as = (one: object, role: string) => ({ ...one, role, etag: String });
  t.match(await change(bob.id, 'owner'), { status: 200, json: as(bob, 'owner') });
  t.match(await change(ada.id, 'editor'), { status: 200, json: as(ada, 'editor') });
  t.match((await api.must('GET /v1/org/members?order=oldest')).items, [
    { id: ada.id, role: 'editor' },
    { id: bob.id, role: 'owner' },
  ]);
  const notes = (await api.must('GET /v1/org/audit-log')).items;
  const roles = { before: { role: 'owner' }, after: { role: 'editor' } };
  t.match(notes[0], { action: 'member.role_changed', target: ada.id, ...roles });
  const changes = notes.filter((one: { action: string }) => one.action === 'member.role_changed');
  t.equal(changes.length, 2, 'the same role again is no change');
  t.match(await change(bob.id, 'boss'), { status: 400, json: { field: 'role' } });
  t.match(await change('mbr_00000000000000000000000000', 'owner'), { status: 404 });
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

t.test('a killed server keeps them', async () => {
  const { api, add, remove, emails } = await team('Kept');
  await add('ada@acme.example', 'owner');
  const bob = await add('bob@acme.example', 'editor');
  await remove(bob.id);
  const cem = await add('cem@acme.example', 'owner');
  const changed = await api.must(`PATCH /v1/org/members/${cem.id}`, { role: 'viewer' });
  afterKill(server, 'members are those who were added, with their roles', async (t) => {
    t.same(await emails(), ['ada@acme.example', 'cem@acme.example']);
    t.match((await api.must('GET /v1/org/members?q=cem')).items, [changed]);
  });
});

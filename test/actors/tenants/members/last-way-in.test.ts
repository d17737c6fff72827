// Somebody can always let others in: an owner who signs in, or a key with the scope admin.

import t from 'tap';
import { partitionWithApp } from '../../../support/partition.ts';

const material = (id: string) => ({ id, keyId: id, secretHash: new Uint8Array(32) });

/** An org, its keys, and owners of it who have not signed in. */
async function invited(...names: readonly string[]) {
  const { one, org } = await partitionWithApp();
  const email = (name: string) => `${name}@acme.example`;
  const add = (name: string) => one.value(org, 'member.add', { email: email(name), role: 'owner' });
  const members = await Promise.all(names.map(add));
  const signIn = async (name: string) => {
    const asked = { email: email(name), signedInMs: one.clock.nowMs, key: material(`ses_${name}`) };
    if ((await one.value(org, 'session.open_by_address', asked)) === null) throw new Error(name);
  };
  return { one, org, ids: members.map(({ id }) => id), signIn };
}

t.test('the only owner who signed in is kept while others are invited', async (t) => {
  const { one, org, ids, signIn } = await invited('ada', 'bob', 'cem');
  const [memberId = '', bob = '', cem = ''] = ids;
  await signIn('ada');
  const kept = { ok: false, fault: { code: 'wrong_state', message: /only owner who accepted/ } };
  t.match(await one.ask(org, 'member.remove', { memberId }), kept);
  t.match(await one.ask(org, 'member.set_role', { memberId, role: 'editor' }), kept);
  await one.value(org, 'member.leave', { memberId: bob });
  await signIn('cem');
  await one.value(org, 'member.remove', { memberId });
  t.match(await one.ask(org, 'member.set_role', { memberId: cem, role: 'viewer' }), {
    fault: { message: /only owner;/ },
  });
});

t.test('an owner who was invited can be removed, and one who came as well', async (t) => {
  const { one, org, ids, signIn } = await invited('ada', 'bob');
  const [ada = '', bob = ''] = ids;
  await signIn('ada');
  await one.value(org, 'member.remove', { memberId: bob });
  await one.value(org, 'member.remove', { memberId: ada });
  const { items } = await one.value(org, 'member.list', { limit: 10, order: 'newest' });
  t.same(items, []);
});

t.test(
  'an invitation alone is no way in: the last admin key stays until it is accepted',
  async (t) => {
    const { one, org, signIn } = await invited('ada');
    const keys = [...(await one.value(org, 'key.list', {}))];
    const last = keys.pop()?.id ?? '';
    for (const { id } of keys) await one.value(org, 'key.delete', { id });
    t.match(await one.ask(org, 'key.delete', { id: last }), {
      fault: { code: 'wrong_state', message: /no owner who has signed in/ },
    });
    await signIn('ada');
    await one.value(org, 'key.delete', { id: last });
  },
);

t.test('the only member stays while the org has no admin key', async (t) => {
  const { one, org } = await partitionWithApp();
  const keys = await one.value(org, 'key.list', {});
  const ada = await one.value(org, 'member.add', { email: 'ada@acme.example', role: 'owner' });
  const asked = { email: ada.email, signedInMs: one.clock.nowMs, key: material('ses_ada') };
  await one.value(org, 'session.open_by_address', asked);
  for (const { id } of keys) await one.value(org, 'key.delete', { id });
  const refused = await one.ask(org, 'member.remove', { memberId: ada.id });
  t.match(refused, { ok: false, fault: { code: 'wrong_state', message: /create an admin key/ } });
  t.equal((await one.value(org, 'member.list', { limit: 10, order: 'newest' })).items.length, 1);

  const key = material('key_next');
  const made = { name: 'Next', scopes: ['admin'] as const, appId: null, key };
  await one.value(org, 'key.create', made);
  await one.value(org, 'member.remove', { memberId: ada.id });
  const last = await one.ask(org, 'key.delete', { id: key.id });
  t.match(last, { ok: false, fault: { code: 'wrong_state' } }, 'now the key is the last way in');
});

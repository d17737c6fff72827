// Somebody can always let others in: an owner who signs in, or a key with the scope admin.

import t from 'tap';
import { anApp, TestPartition } from '../../../support/partition.ts';

t.test('the only member stays while the org has no admin key', async (t) => {
  const one = new TestPartition();
  const { org } = await anApp(one);
  const keys = await one.value(org, 'key.list', {});
  const ada = await one.value(org, 'member.add', { email: 'ada@acme.example', role: 'owner' });
  for (const { id } of keys) await one.value(org, 'key.delete', { id });
  const refused = await one.ask(org, 'member.remove', { memberId: ada.id });
  t.match(refused, { ok: false, fault: { code: 'wrong_state', message: /create an admin key/ } });
  t.equal((await one.value(org, 'member.list', { limit: 10, order: 'newest' })).items.length, 1);

  const key = { id: 'key_next', keyId: 'next', secretHash: new Uint8Array(32) };
  const asked = { name: 'Next', scopes: ['admin'] as const, appId: null, key };
  await one.value(org, 'key.create', asked);
  await one.value(org, 'member.remove', { memberId: ada.id });
  const last = await one.ask(org, 'key.delete', { id: key.id });
  t.match(last, { ok: false, fault: { code: 'wrong_state' } }, 'now the key is the last way in');
});

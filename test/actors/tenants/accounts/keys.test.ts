// Who may make a key: a key that still exists, with scopes it has.

import t from 'tap';
import { partitionWithApp } from '../../../support/partition.ts';

const first = 'key_00000000000000000000000000';
const second = { id: 'key_00000000000000000000000001', keyId: '000000000001' };
const third = { id: 'key_00000000000000000000000002', keyId: '000000000002' };
const secretHash = new Uint8Array(32);

t.test('a call of a key that was deleted meanwhile makes no successor', async (t) => {
  const { one, org } = await partitionWithApp();
  const make = (actor: string, key: typeof second) =>
    one.ask(org, 'key.create', {
      name: 'successor',
      scopes: ['admin'],
      appId: null,
      key: { ...key, secretHash },
      actor,
    });
  t.ok((await make(first, second)).ok);
  t.ok((await one.ask(org, 'key.delete', { id: first })).ok);
  t.match(await make(first, third), { ok: false, fault: { code: 'unauthorized' } });
  t.equal((await one.value(org, 'key.list', {})).length, 1);
});

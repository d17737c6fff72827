// Who owns what, of what several threads have heard.

import fc from 'fast-check';
import t from 'tap';
import type { ClusterOwners } from '../../../actors/runtime/cluster/protocol.ts';
import { Owners } from '../../../http/peers/owners.ts';
import { tries } from '../../support/tries.ts';

const said = (
  member: string,
  ...owners: (readonly [partition: number, member: string, term: number])[]
): ClusterOwners => ({
  kind: 'cluster.owners',
  member,
  owners: owners.map(([partition, owner, term]) => ({
    ...{ partition, member: owner, address: `${owner}:1`, term },
  })),
});

t.test('a thread knows best what it owns itself', async (t) => {
  const owners = new Owners(['here.0', 'here.1']);
  owners.hear(said('here.0', [1, 'here.0', 3], [2, 'here.1', 5], [3, 'there', 1]));
  t.match(owners.of(1), { member: 'here.0', shard: 0 });
  t.equal(owners.of(2), undefined, 'the other thread has not said so');
  t.equal(owners.of(3)?.shard, undefined);
  t.equal(owners.of(3)?.address, 'there:1');
  owners.hear(said('here.1', [2, 'here.1', 5]));
  t.match(owners.of(2), { shard: 1, term: 5 });
  owners.hear(said('here.1'));
  t.equal(owners.of(2), undefined);
});

t.test('the newest term counts, in whatever order it is heard', async (t) => {
  const owners = new Owners(['here.0', 'here.1']);
  owners.hear(said('here.0', [1, 'there', 2]));
  owners.hear(said('here.1', [1, 'other', 3]));
  t.equal(owners.of(1)?.member, 'other');
  owners.hear(said('here.0', [1, 'there', 4]));
  t.equal(owners.of(1)?.member, 'there');
  owners.hear(said('here.0', [1, 'there', 4]));
  t.equal(owners.of(1)?.member, 'there');
});

t.test(
  'a thread that took over counts before what another still hears, and after it lost',
  async (t) => {
    const owners = new Owners(['here.0', 'here.1']);
    owners.hear(said('here.0', [1, 'there', 4]));
    owners.hear(said('here.1', [1, 'here.1', 5]));
    t.equal(owners.of(1)?.shard, 1);
    owners.hear(said('here.0', [1, 'there', 6]));
    t.equal(owners.of(1)?.member, 'there', 'somebody has claimed it since');
  },
);

t.test('the order of notices of different threads changes nothing', async () => {
  const notice = fc.tuple(
    fc.constantFrom('here.0', 'here.1'),
    fc.array(
      fc.tuple(fc.nat(3), fc.constantFrom('here.0', 'here.1', 'there', 'other'), fc.nat(5)),
      { maxLength: 4 },
    ),
  );
  fc.assert(
    fc.property(fc.array(notice, { maxLength: 4 }), (notices) => {
      const last = new Map(notices.map(([member, all]) => [member, all]));
      const [one, two] = [new Owners(['here.0', 'here.1']), new Owners(['here.0', 'here.1'])];
      for (const [member, all] of last) one.hear(said(member, ...all));
      for (const [member, all] of [...last].reverse()) two.hear(said(member, ...all));
      for (let partition = 0; partition < 4; partition++)
        if (one.of(partition)?.term !== two.of(partition)?.term) return false;
      return true;
    }),
    { numRuns: tries(1_000) },
  );
});

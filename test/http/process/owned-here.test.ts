// What a server's front hears of partitions that come and go.

import t from 'tap';
import { OwnedHere } from '../../../http/process/owned-here.ts';

t.test('what comes and goes is told once, by thread', async (t) => {
  const told: string[] = [];
  const owned = new OwnedHere({
    onGained: (partition) => told.push(`+${partition}`),
    onLost: (partition) => told.push(`-${partition}`),
  });
  const notice = (member: string, ...owners: readonly [number, string][]) =>
    owned.hear({
      kind: 'cluster.owners',
      member,
      owners: owners.map(([partition, owner]) => ({
        ...{ partition, member: owner, address: 'a:1', term: 1 },
      })),
    });
  notice('one.0', [0, 'one.0'], [1, 'two']);
  notice('one.1', [0, 'one.0'], [2, 'one.1']);
  notice('one.0', [0, 'one.0'], [1, 'two']);
  t.same(told.splice(0), ['+0', '+2']);
  notice('one.0', [1, 'one.0']);
  t.same(told.splice(0), ['-0', '+1']);
  notice('one.1');
  t.same(told, ['-2']);
});

// What `engage cluster` prints of figures, and what it calls wrong.

import t from 'tap';
import type { ClusterFigures } from '../../actors/runtime/cluster/protocol.ts';
import { clusterReport } from '../../cli/cluster.ts';

const other = {
  ...{ name: 'two', zone: 'b', address: '10.0.0.2:8410', version: '1.0.0' },
  ...{ isLive: true, silentMs: 100, isDraining: false, isClockWrong: false },
};
const figures: ClusterFigures = {
  ...{ cluster: 'main', member: 'one', isDraining: false, isEmpty: false, isConnected: true },
  ...{ skewMs: 3, planVersion: 4, takeovers: 1, losses: 0 },
  members: [other],
  copies: [
    {
      ...{ partition: 0, role: 'owner', term: 2, position: 9, seq: 7, lag: 0 },
      planned: ['one', 'two'],
    },
    {
      ...{ partition: 1, role: 'standby', term: 1, position: 5, seq: 4, lag: 3 },
      planned: ['two', 'one'],
    },
  ],
  owners: [
    { partition: 0, member: 'one', address: '10.0.0.1:8410', term: 2 },
    { partition: 1, member: 'two', address: '10.0.0.2:8410', term: 1 },
  ],
} as ClusterFigures;

t.test('members, owners and copies stand in tables', async (t) => {
  const { text, isWell } = clusterReport([figures], 2);
  t.ok(isWell);
  t.equal(
    text,
    [
      'Cluster main: 2 members, 2 partitions.',
      '',
      'member  zone  version  state  owns',
      'one                    here   1',
      'two     b     1.0.0    live   1',
      '',
      'Copies of one:',
      'partition  role     term  turns  behind  planned',
      '0          owner    2     7      0       one, two',
      '1          standby  1     4      3       two, one',
      '',
      'All is well.',
      '',
    ].join('\n'),
  );
});

t.test('what is wrong is named, and the exit code says so', async (t) => {
  const silent = { ...other, isLive: false, silentMs: 12_400 };
  const copies = figures.copies.map((copy) => ({ ...copy, error: 'entry 9 cannot be folded' }));
  const wrong = {
    ...figures,
    ...{ members: [silent], isConnected: false, skewMs: -800, owners: [], copies },
  };
  const { text, isWell } = clusterReport([wrong], 2);
  t.notOk(isWell);
  for (const sentence of [
    'one hears no other member: it may be cut off from the nats-servers.',
    'The clock of one differs from the others by -800 ms.',
    'two is silent for 12 s.',
    'The copy of partition 1 has stopped: entry 9 cannot be folded',
    'No owner: 2 partitions 0, 1.',
  ])
    t.ok(text.includes(`${sentence}\n`), sentence);
  t.notOk(clusterReport([], 2).isWell);
});

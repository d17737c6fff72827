import t from 'tap';
import { planTopology } from '../../../engine/cluster/topology.ts';

t.test('threads by cores', async (t) => {
  const of = (cores: number) => {
    const { shards, dispatchers, campaignDispatchers } = planTopology({ cores, partitions: 8 });
    return [shards, dispatchers, campaignDispatchers];
  };
  t.same(of(1), [1, 1, 1]);
  t.same(of(2), [1, 1, 1]);
  t.same(of(3), [2, 1, 1]);
  t.same(of(4), [3, 2, 2]);
  t.same(of(8), [7, 2, 2]);
  t.same(of(16), [8, 4, 2]);
});

t.test('a setting comes first, and a campaign has no more threads than there are', async (t) => {
  const plan = (more: object) => planTopology({ cores: 2, partitions: 8, ...more });
  t.match(plan({ dispatchers: 2 }), { dispatchers: 2, campaignDispatchers: 2 });
  t.match(plan({ dispatchers: 3, campaignDispatchers: 1 }), { campaignDispatchers: 1 });
  t.match(plan({ campaignDispatchers: 4 }), { dispatchers: 1, campaignDispatchers: 1 });
});

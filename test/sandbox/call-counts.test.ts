// Counting calls by channel and by (send, device): what tells a retry from a duplicate.

import t from 'tap';
import { CallCounts } from '../../sandbox/call-counts.ts';

const pairsCountedMax = 200_000;

t.test('a pair accepted twice is a duplicate, one retried until accepted is not', async (test) => {
  const counts = new CallCounts();
  const call = (deviceId: string, outcome: 'accepted' | 'refused' | 'unanswered') =>
    counts.add({ channel: 'fcm', sendId: 'ntf_1', deviceId, outcome }, true);
  call('once', 'accepted');
  call('retried', 'refused');
  call('retried', 'unanswered');
  call('retried', 'accepted');
  call('twice', 'accepted');
  call('twice', 'accepted');
  test.match(counts.repeats(), {
    pairs: 3,
    calledAgain: 2,
    acceptedAgain: 1,
    pairsForgotten: 0,
    duplicates: [{ deviceId: 'twice', calls: 2, accepted: 2 }],
  });
  test.same(counts.channels(), { fcm: { calls: 6, accepted: 4, refused: 1, unanswered: 1 } });
  test.equal(counts.pairsOf('ntf_1').length, 3);
  test.same(counts.pairsOf('ntf_2'), []);
  counts.clear();
  test.same(counts.channels(), {});
});

t.test('past its bound the pair first seen is forgotten, and that is said', async (test) => {
  const counts = new CallCounts();
  for (let i = 0; i <= pairsCountedMax; i++) {
    counts.add({ channel: 'fcm', sendId: `ntf_${i}`, deviceId: 'd', outcome: 'accepted' }, true);
  }
  test.match(counts.repeats(), { pairs: pairsCountedMax, pairsForgotten: 1 });
  test.same(counts.pairsOf('ntf_0'), []);
  test.equal(counts.pairsOf('ntf_1').length, 1);
});

// The lease, by hand and by many clocks.

import fc from 'fast-check';
import t from 'tap';
import { Lease, LeaseWords } from '../../../engine/cluster/lease.ts';

const leaseMs = 3_500;

function aLease(startMs = 0) {
  let nowMs = startMs;
  const words = new LeaseWords(new SharedArrayBuffer(8));
  const lease = new Lease({ words, partition: 1, monotonic: () => nowMs });
  return { lease, words, at: (ms: number) => (nowMs = startMs + ms) };
}

t.test('a lease counts from when the newest committed frame was published', async (t) => {
  const { lease, words, at } = aLease();
  t.notOk(lease.isHeld, 'nothing was committed');
  at(100);
  lease.committed(0);
  t.ok(lease.isHeld);
  t.notOk(words.isHeld(0, 100), 'another partition has another word');
  at(leaseMs - 1);
  t.ok(lease.isHeld);
  at(leaseMs);
  t.notOk(lease.isHeld);
  lease.committed(leaseMs - 10);
  t.ok(lease.isHeld, 'the next frame brings it back');
});

t.test('a frame that took longer than a lease to be committed gives none', async (t) => {
  const { lease, at } = aLease();
  at(9_000);
  lease.committed(0);
  t.notOk(lease.isHeld);
  t.ok(lease.isIdleDue, 'the next frame goes at once');
});

t.test('before a move nothing is held, whatever is committed, until it is off', async (t) => {
  const { lease, at } = aLease();
  lease.committed(0);
  t.notOk(lease.isIdleDue);
  at(10);
  lease.suspend();
  lease.committed(5);
  t.notOk(lease.isHeld);
  lease.resume();
  t.notOk(lease.isHeld);
  t.ok(lease.isIdleDue);
  lease.committed(9);
  t.ok(lease.isHeld);
  lease.end();
  t.notOk(lease.isHeld);
});

t.test('a lease is never longer, at whatever instant a machine was started', async (t) => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1e12, noNaN: true }),
      fc.double({ min: 0, max: 20_000, noNaN: true }),
      (startMs, passedMs) => {
        const { lease, at } = aLease(startMs);
        lease.committed(startMs);
        at(passedMs);
        if (passedMs >= leaseMs) t.notOk(lease.isHeld);
        else if (passedMs < leaseMs - 2) t.ok(lease.isHeld);
      },
    ),
  );
});

t.test('a word that nobody looked at for seven weeks does not hold again', async (t) => {
  const { lease, at } = aLease();
  lease.committed(0);
  at(10_000);
  t.notOk(lease.isHeld);
  at(2 ** 32 + 1_000);
  t.notOk(lease.isHeld);
});

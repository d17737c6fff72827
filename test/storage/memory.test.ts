// The memory twin: the store's contract, and what it adds for simulations, the crash.

import t from 'tap';
import { MemoryStore } from '../../storage/memory.ts';
import { commitTurn, storeConformance } from '../conformance/store.ts';

storeConformance('memory', {
  open: async () => new MemoryStore(),
  reopen: async (store) => {
    await store.close();
    return (store as MemoryStore).crash();
  },
  destroy: (store) => store.close(),
});

const turn = (seq: number) => ({
  seq,
  block: Buffer.from(`block ${seq}`),
  documents: [{ key: Buffer.from('k'), value: Buffer.from(String(seq)) }],
});

t.test('in manual mode a turn settles when it is told to, oldest first', async (t) => {
  const store = new MemoryStore({ settle: 'manual' });
  const told: number[] = [];
  for (const seq of [1, 2, 3]) store.commit(turn(seq), () => told.push(seq));
  await Promise.resolve();
  t.same(told, []);
  t.equal(store.inFlight, 3);
  t.equal(store.settleNext(), true);
  t.same(told, [1]);
  t.equal(store.durableSeq, 1);
  t.equal(store.settleNext(), true);
  t.equal(store.settleNext(), true);
  t.equal(store.settleNext(), false);
  t.same(told, [1, 2, 3]);
});

t.test('a crash forgets what was not durable and tells nobody', async (t) => {
  const store = new MemoryStore({ settle: 'manual' });
  const told: number[] = [];
  for (const seq of [1, 2, 3]) store.commit(turn(seq), () => told.push(seq));
  store.settleNext();
  const after = store.crash();
  t.same(told, [1]);
  t.equal(after.durableSeq, 1);
  t.equal(Buffer.from(after.get(Buffer.from('k')) ?? []).toString(), '1');
  t.throws(() => store.get(Buffer.from('k')), /closed/, 'the old store is gone');
  t.equal(store.settleNext(), false);
  after.commit(turn(2), () => told.push(2));
  t.equal(after.settleNext(), true);
});

t.test('turns may reach the disk although the crash kept anyone from hearing of it', async (t) => {
  const store = new MemoryStore({ settle: 'manual' });
  let told = 0;
  for (const seq of [1, 2, 3]) store.commit(turn(seq), () => told++);
  const after = store.crash(2);
  t.equal(told, 0);
  t.equal(after.durableSeq, 2);
});

t.test(
  'a failed commit is fatal, never durable, and its outcome shows only after a restart',
  async (t) => {
    for (const written of [true, false]) {
      const fatal: string[] = [];
      const store = new MemoryStore({
        settle: 'manual',
        onFatal: (error) => fatal.push(error.message),
      });
      let told = 0;
      store.commit(turn(1), () => told++);
      store.commit(turn(2), () => told++);
      store.failNext(new Error('no more disk'), written);
      t.equal(store.settleNext(), false, 'nothing later settles');
      store.commit(turn(3), () => told++);
      t.same(fatal, ['no more disk']);
      t.equal(told, 0);
      t.equal(store.crash().durableSeq, written ? 1 : 0);
    }
  },
);

t.test('an epoch survives', async (t) => {
  const store = new MemoryStore();
  await commitTurn(store, 1);
  t.equal(store.raiseEpoch(), 2);
  t.equal(store.crash().epoch, 2);
});

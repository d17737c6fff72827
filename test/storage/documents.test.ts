// The overlay: a turn reads what it and its predecessors wrote, whatever has reached the disk, and
// only its own tenant's.

import fc from 'fast-check';
import t from 'tap';
import { Documents } from '../../storage/documents.ts';
import { MemoryStore } from '../../storage/memory.ts';
import { tries } from '../support/tries.ts';
import { people, places } from './support/people.ts';

const block = Buffer.from('b');

function world() {
  const store = new MemoryStore({ settle: 'manual' });
  const documents = new Documents(store, { strict: true });
  let seq = 0;
  return {
    store,
    documents,
    /** Ends the turn: what was staged is in flight. */
    commit() {
      const turn = ++seq;
      const changes = documents.takeStaged(turn);
      store.commit({ seq: turn, block, documents: changes }, () => documents.settled(turn));
      return changes;
    },
    settle: () => store.settleNext(),
  };
}

t.test('a row is read as last written: staged, in flight, and durable', async (t) => {
  const { documents, commit, settle } = world();
  const read = () => documents.get(people, 7, ['ana'])?.name;
  t.equal(read(), undefined);
  documents.put(people, 7, ['ana'], { name: 'one' });
  t.equal(read(), 'one');
  commit();
  t.equal(read(), 'one');
  documents.put(people, 7, ['ana'], { name: 'two' });
  commit();
  documents.put(people, 7, ['ana'], { name: 'three' });
  t.equal(read(), 'three');
  settle();
  t.equal(read(), 'three');
  commit();
  settle();
  t.equal(read(), 'three');
  settle();
  t.equal(read(), 'three');
  t.equal(documents.overlaySize, 0, 'nothing is kept once all is durable');
});

t.test('a removal hides what is durable, and a later put shows again', async (t) => {
  const { documents, commit, settle } = world();
  const all = () =>
    documents.range(people, 7, { limit: 10 }).map(({ key, value }) => [...key, value.name]);
  documents.put(people, 7, ['ana'], { name: 'Ana' });
  documents.put(people, 7, ['bo'], { name: 'Bo' });
  commit();
  settle();
  documents.remove(people, 7, ['ana']);
  t.equal(documents.get(people, 7, ['ana']), undefined);
  t.same(all(), [['bo', 'Bo']]);
  commit();
  t.same(all(), [['bo', 'Bo']]);
  documents.put(people, 7, ['ana'], { name: 'Ana again' });
  settle();
  t.same(all(), [
    ['ana', 'Ana again'],
    ['bo', 'Bo'],
  ]);
});

t.test('a turn’s changes are one a key, the last', async (t) => {
  const { documents, commit } = world();
  documents.put(people, 7, ['ana'], { name: 'one' });
  documents.put(people, 7, ['bo'], { name: 'Bo' });
  documents.remove(people, 7, ['ana']);
  documents.put(people, 7, ['ana'], { name: 'two' });
  t.equal(documents.stagedCount, 2);
  const changes = commit();
  t.equal(changes.length, 2);
  t.equal(documents.stagedCount, 0);
  t.same(commit(), []);
});

t.test('discarding forgets the turn and shows what was in flight', async (t) => {
  const { documents, commit, settle } = world();
  documents.put(people, 7, ['ana'], { name: 'one' });
  commit();
  documents.put(people, 7, ['ana'], { name: 'two' });
  documents.put(people, 7, ['bo'], { name: 'Bo' });
  documents.discardStaged();
  t.equal(documents.get(people, 7, ['ana'])?.name, 'one');
  t.equal(documents.get(people, 7, ['bo']), undefined);
  documents.put(people, 7, ['ana'], { name: 'three' });
  settle();
  documents.discardStaged();
  t.equal(documents.get(people, 7, ['ana'])?.name, 'one', 'also when it has settled meanwhile');
  t.equal(documents.overlaySize, 0);
});

t.test('a decision’s documents are staged all or none', async (t) => {
  const { documents } = world();
  documents.put(people, 7, ['ana'], { name: 'Ana' });
  const write = (key: string, value: object | undefined) => ({ table: people, key: [key], value });
  t.throws(() =>
    documents.stage(7, [
      write('ana', undefined),
      write('bo', { name: 'Bo' }),
      write('x'.repeat(600), {}),
    ]),
  );
  t.equal(documents.get(people, 7, ['ana'])?.name, 'Ana');
  t.equal(documents.get(people, 7, ['bo']), undefined);
  documents.stage(7, [write('ana', undefined), write('bo', { name: 'Bo' })]);
  t.equal(documents.get(people, 7, ['ana']), undefined);
  t.equal(documents.get(people, 7, ['bo'])?.name, 'Bo');
});

t.test('a bound handle reads one owner and one table only', async (t) => {
  const { documents, commit, settle } = world();
  for (const owner of [6, 7, 8])
    for (const name of ['ana', 'bo'])
      documents.put(people, owner, [name], { name: `${name} of ${owner}` });
  documents.put(places, 7, ['rome'], { name: 'Rome' });
  const handle = documents.bound(7);
  for (const _ of ['staged', 'in flight', 'durable']) {
    t.equal(handle.get(people, ['ana'])?.name, 'ana of 7');
    t.same(
      handle.range(people, { limit: 10 }).map(({ value }) => value.name),
      ['ana of 7', 'bo of 7'],
    );
    t.equal(handle.get(people, ['rome']), undefined);
    if (documents.stagedCount > 0) commit();
    else settle();
  }
  const wide = { from: [], to: ['\u{10ffff}'.repeat(9)], limit: 10 };
  t.equal(handle.range(people, wide).length, 2);
});

t.test('a handle reads a row of the store once, and the next one reads it anew', async (t) => {
  const rows = new Map([['ana', people.encode({ name: 'Ana' })]]);
  let reads = 0;
  const store = {
    get: () => {
      reads++;
      return rows.get('ana');
    },
    range: () => [],
  };
  const documents = new Documents(store);
  const handle = documents.bound(7);
  for (let i = 0; i < 3; i++) t.equal(handle.get(people, ['ana'])?.name, 'Ana');
  t.equal(reads, 1);
  rows.set('ana', people.encode({ name: 'Anna' }));
  t.equal(documents.bound(7).get(people, ['ana'])?.name, 'Anna');
  documents.put(people, 7, ['ana'], { name: 'Ann' });
  t.equal(handle.get(people, ['ana'])?.name, 'Ann', 'what the turn writes comes first');
});

t.test('a prefix, bounds and directions narrow a range', async (t) => {
  const { documents, commit, settle } = world();
  for (const id of ['a', 'a\0', 'ab', 'b'])
    for (const n of [1, 2, 300]) documents.put(people, 7, [id, n], { name: `${id}${n}` });
  commit();
  settle();
  documents.remove(people, 7, ['a', 2]);
  documents.put(people, 7, ['a', 7], { name: 'a7' });
  const names = (options: Parameters<typeof documents.range>[2]) =>
    documents.range(people, 7, options).map(({ value }) => value.name);
  t.same(names({ prefix: ['a'], limit: 10 }), ['a1', 'a7', 'a300']);
  t.same(names({ prefix: ['a'], limit: 2, reverse: true }), ['a300', 'a7']);
  t.same(names({ prefix: ['a'], from: ['a', 7], limit: 9 }), ['a7', 'a300']);
  t.same(names({ prefix: ['a'], to: ['a', 7], limit: 9 }), ['a1']);
  t.same(names({ from: ['ab', 2], to: ['b', 2], limit: 9 }), ['ab2', 'ab300', 'b1']);
  t.same(names({ from: ['ab', 2], to: ['b', 2], limit: 2, reverse: true }), ['b1', 'ab300']);
  t.same(names({ from: ['b'], to: ['a'], limit: 9 }), []);
  t.same(names({ limit: 0 }), []);
  t.throws(() => names({ limit: 10_001 }), /10,000/);
});

t.test('a range under many removals still finds its rows', async (t) => {
  const { documents, commit, settle } = world();
  for (let i = 0; i < 10_500; i++) documents.put(places, 7, [i], { name: String(i) });
  commit();
  settle();
  for (let i = 0; i < 10_400; i++) documents.remove(places, 7, [i]);
  const rows = documents.range(places, 7, { limit: 50 });
  t.same([rows.length, rows[0]?.key, rows[49]?.key], [50, [10_400], [10_449]]);
  const last = documents.range(places, 7, { limit: 10_000, reverse: true });
  t.same([last.length, last[0]?.key, last[99]?.key], [100, [10_499], [10_400]]);
});

t.test('reads are counted', async (t) => {
  const { documents, commit, settle } = world();
  documents.put(people, 7, ['ana'], { name: 'Ana' });
  documents.get(people, 7, ['ana']);
  commit();
  settle();
  documents.get(people, 7, ['ana']);
  documents.range(people, 7, { limit: 5 });
  t.same(documents.reads, { gets: 2, overlaid: 1, ranges: 1, rows: 1 });
});

t.test(
  'strictly, rows are frozen and a field that the table does not know is refused',
  async (t) => {
    const { documents } = world();
    documents.put(people, 7, ['ana'], { name: 'Ana', tags: { plan: 'pro' } });
    const ana = documents.get(people, 7, ['ana']);
    t.ok(Object.isFrozen(ana) && Object.isFrozen(ana?.tags));
    const odd = { name: 'Ana', nick: 'A' };
    t.throws(() => documents.put(people, 7, ['ana'], odd), /no field nick/);
  },
);

t.test('a key written in every turn keeps no history in memory', async (t) => {
  const { documents, commit, settle } = world();
  for (let i = 0; i < 1000; i++) {
    documents.put(people, 7, ['ana'], { name: String(i) });
    commit();
    if (i > 0) settle();
  }
  t.equal(documents.overlaySize, 1);
});

t.test(
  'documents agree with a plain map through any order of turns, settling and discarding',
  async (t) => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    const action = fc.oneof(
      { weight: 6, arbitrary: fc.record({ do: fc.constant('put' as const), key, n: fc.nat(99) }) },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('remove' as const), key }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('commit' as const) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('settle' as const) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('discard' as const) }) },
    );
    const look = fc.record({ from: key, to: key, reverse: fc.boolean(), limit: fc.nat(7) });
    fc.assert(
      fc.property(
        fc.array(action, { maxLength: 60 }),
        look,
        (actions, { from, to, reverse, limit }) => {
          const { documents, commit, settle } = world();
          let model = new Map<string, number>();
          let committed = new Map(model);
          for (const step of actions) {
            if (step.do === 'put') {
              documents.put(people, 7, [step.key], { name: step.key, age: step.n });
              model.set(step.key, step.n);
            } else if (step.do === 'remove') {
              documents.remove(people, 7, [step.key]);
              model.delete(step.key);
            } else if (step.do === 'commit') {
              commit();
              committed = new Map(model);
            } else if (step.do === 'settle') settle();
            else {
              documents.discardStaged();
              model = new Map(committed);
            }
            const rows = documents.range(people, 7, { from: [from], to: [to], reverse, limit });
            const expected = [...model].filter(([key]) => key >= from && key < to).sort();
            if (reverse) expected.reverse();
            t.strictSame(
              rows.map(({ key, value }) => [key[0], value.age]),
              expected.slice(0, limit),
            );
            for (const key of ['a', 'b', 'c', 'd', 'e', 'f'])
              if (documents.get(people, 7, [key])?.age !== model.get(key)) return false;
          }
          return true;
        },
      ),
      { seed: 41, numRuns: tries(250) },
    );
  },
);

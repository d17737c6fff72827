import t from 'tap';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { Gather } from '../../../../actors/channels/relays/gather.ts';

const recalledOutcome: Outcome = { outcome: 'retry', reason: 'recalled' };
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
const taken = (id: string): Outcome => ({ outcome: 'accepted', providerMessageId: id });

/** Notes the calls, and accepts each item under its own name. */
function noted(itemsMax: number, sizeMax?: number) {
  const calls: string[][] = [];
  const gather = new Gather<string>(
    async (items, mayBegin) => {
      calls.push([...items]);
      return mayBegin() ? items.map(taken) : [];
    },
    itemsMax,
    sizeMax,
  );
  return { calls, gather };
}

t.test('items of one turn share a call, and each gets its own outcome', async (t) => {
  const { calls, gather } = noted(10);
  const first = ['a', 'b', 'c'].map((item) => gather.add('', item));
  t.same(calls, [], 'no call before the turn ends');
  t.same(await Promise.all(first), ['a', 'b', 'c'].map(taken));
  await nextTurn();
  t.same(await gather.add('', 'd'), taken('d'));
  t.same(calls, [['a', 'b', 'c'], ['d']]);
});

t.test('items of different keys never share a call', async (t) => {
  const { calls, gather } = noted(10);
  await Promise.all([gather.add('x', '1'), gather.add('y', '2'), gather.add('x', '3')]);
  t.same(calls, [['1', '3'], ['2']]);
});

t.test('a full call leaves at once, by its number of items or their size', async (t) => {
  const few = noted(2);
  const outcomes = ['a', 'b', 'c'].map((item) => few.gather.add('', item));
  t.same(few.calls, [['a', 'b']]);
  await Promise.all(outcomes);
  const small = noted(10, 100);
  await Promise.all([60, 60, 30, 500].map((size) => small.gather.add('', String(size), size)));
  t.same(small.calls, [['60'], ['60', '30'], ['500']]);
});

t.test('a recalled item stays, and the others leave without it', async (t) => {
  const { calls, gather } = noted(10);
  const outcomes = await Promise.all([
    gather.add('', 'a', 0, () => true),
    gather.add('', 'b', 0, () => false),
    gather.add('', 'c'),
  ]);
  t.same(outcomes, [taken('a'), recalledOutcome, taken('c')]);
  t.same(calls.at(-1), ['a', 'c'], 'the call that left');
});

t.test('if all are recalled, no call leaves', async (t) => {
  const { calls, gather } = noted(10);
  const outcomes = await Promise.all(
    ['a', 'b'].map((item) => gather.add('', item, 0, () => false)),
  );
  t.same(outcomes, [recalledOutcome, recalledOutcome]);
  t.same(calls, [['a', 'b']], 'only the one that asked');
});

t.test('a call that is refused as a whole is split until the item to blame is alone', async (t) => {
  const calls: string[][] = [];
  const gather = new Gather<string>(async (items, mayBegin) => {
    if (!mayBegin()) return [];
    calls.push([...items]);
    if (items.some((item) => item.startsWith('bad')))
      return { outcome: 'permanent', reason: 'invalid_request' };
    return items.map(taken);
  }, 100);
  const items = ['a', 'b', 'bad-1', 'c', 'd', 'e', 'bad-2', 'f', 'g'];
  const outcomes = await Promise.all(items.map((item) => gather.add('', item)));
  t.same(
    outcomes.map(({ outcome }) => outcome === 'permanent'),
    items.map((item) => item.startsWith('bad')),
  );
  const good = calls.filter((call) => !call.some((item) => item.startsWith('bad'))).flat();
  t.same(good.sort(), ['a', 'b', 'c', 'd', 'e', 'f', 'g'], 'each other once');
});

t.test('any other failure of a call is that of each of its items, after one call', async (t) => {
  for (const outcome of ['retry', 'rate', 'config', 'ambiguous'] as const) {
    let calls = 0;
    const gather = new Gather<string>(async () => {
      calls++;
      return { outcome, reason: 'x' };
    }, 10);
    const outcomes = await Promise.all(['a', 'b', 'c'].map((item) => gather.add('', item)));
    t.same(outcomes, Array(3).fill({ outcome, reason: 'x' }));
    t.equal(calls, 1);
  }
});

t.test('items that others kept from leaving go again without those', async (t) => {
  const calls: string[][] = [];
  const gather = new Gather<string>(async (items) => {
    calls.push([...items]);
    const bad = items.find((item) => item.startsWith('bad'));
    if (bad === undefined) return items.map(taken);
    return items.map((item) =>
      item === bad ? { outcome: 'permanent', reason: 'bad_address' } : undefined,
    );
  }, 10);
  const outcomes = await Promise.all(
    ['a', 'bad-1', 'b', 'bad-2'].map((item) => gather.add('', item)),
  );
  t.match(outcomes, [taken('a'), { outcome: 'permanent' }, taken('b'), { outcome: 'permanent' }]);
  t.same(calls, [
    ['a', 'bad-1', 'b', 'bad-2'],
    ['a', 'b', 'bad-2'],
    ['a', 'b'],
  ]);
});

t.test('a bug in a call is a rejection of each item', async (t) => {
  const gather = new Gather<string>(() => Promise.reject(new Error('a bug')), 10);
  const ends = await Promise.allSettled([gather.add('', 'a'), gather.add('', 'b')]);
  t.strictSame(
    ends.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  const short = new Gather<string>(async () => [taken('a')], 10);
  const both = await Promise.allSettled([short.add('', 'a'), short.add('', 'b')]);
  t.strictSame(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
    'a call that forgets an item leaves nobody waiting',
  );
});

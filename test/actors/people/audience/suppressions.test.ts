// Lists of opt-outs: every one is found, whatever stands before it.

import t from 'tap';
import { encodeBlock } from '../../../../engine/actor/block.ts';
import { Documents } from '../../../../storage/documents.ts';
import { suppressions } from '../../../../storage/tables/suppression.ts';
import { partitionWithApp, TestPartition, testClock } from '../../../support/partition.ts';

/** An app that opted these emails out, and one phone. */
async function withOptOuts(emails: number) {
  const clock = testClock();
  const { one, app } = await partitionWithApp({ clock });
  const { store } = one;
  const documents = new Documents(store);
  const put = (identity: string, address: string) =>
    documents.put(suppressions, app, [`${identity}:${address}`], {
      identity,
      address,
      source: 'api',
      createdMs: clock.nowMs,
    });
  for (let i = 0; i < emails; i++) put('email', `u${String(i).padStart(6, '0')}@example.com`);
  put('phone', '+66812345678');
  const seq = store.durableSeq + 1;
  const block = encodeBlock({ atMs: clock.nowMs, entries: [] });
  const turn = { seq, block, documents: documents.takeStaged(seq) };
  await new Promise<void>((resolve) => store.commit(turn, resolve));
  const two = new TestPartition({ clock, store: store.crash() });
  await two.settle();
  return { one: two, app };
}

async function all(one: TestPartition, app: number, filter: object, limit: number) {
  const found: string[] = [];
  const sizes: number[] = [];
  for (let cursor: string | undefined; ; ) {
    const body = { ...filter, limit, ...(cursor === undefined ? {} : { cursor }) };
    const { items, nextCursor } = await one.value(app, 'suppression.list', body);
    found.push(...items.map(({ address }) => address));
    sizes.push(items.length);
    if (nextCursor === null) return { found, sizes };
    if (nextCursor === cursor) throw new Error('the cursor stands still');
    cursor = nextCursor;
  }
}

t.test('an address is found behind ten thousand others', async (t) => {
  const { one, app } = await withOptOuts(20_500);
  const { found, sizes } = await all(one, app, { address: '+66812345678' }, 50);
  t.same(found, ['+66812345678']);
  t.ok(sizes.length <= 4, `${sizes.length} pages`);
});

t.test(
  'a list has every opt-out once, in full pages, of one class where one is asked for',
  async (t) => {
    const { one, app } = await withOptOuts(100);
    const { found, sizes } = await all(one, app, {}, 30);
    t.equal(new Set(found).size, 101);
    t.same(sizes, [30, 30, 30, 11]);
    t.equal((await all(one, app, { channel: 'email' }, 30)).found.length, 100);
    t.same((await all(one, app, { channel: 'sms' }, 30)).found, ['+66812345678']);
    t.same(
      (await all(one, app, { channel: 'email' }, 50)).sizes,
      [50, 50],
      'and no empty last page',
    );
  },
);

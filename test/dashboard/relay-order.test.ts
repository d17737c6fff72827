// The numbers that move a relay: whichever is moved wherever, the list is as it was asked for.

import fc from 'fast-check';
import t from 'tap';
import type { Relay } from '../../dashboard/api/generated.ts';
import { ordersAfter } from '../../dashboard/relays/relay-order.ts';
import { inOrder } from '../../dashboard/relays/relay-standing.ts';

/** As the server may have them: by the API, several may have one number. */
const lists = fc.array(fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(999, 1_000)), {
  minLength: 1,
  maxLength: 50,
});

const listOf = (orders: readonly number[]) =>
  inOrder(
    orders.map((order, at) => ({
      ...{ id: `rel_${at}`, order },
      createdAt: new Date(at * 1_000).toISOString(),
    })) as unknown as readonly Relay[],
  );

t.test('a moved relay stands where it was moved to, and the others stay', async (t) => {
  fc.assert(
    fc.property(lists, fc.nat(), fc.nat(), (orders, one, other) => {
      const before = listOf(orders);
      const [from, to] = [one % before.length, other % before.length];
      const changes = ordersAfter(before, from, to);
      const numbers = new Map(changes.map(([{ id }, order]) => [id, order]));
      const after = inOrder(
        before.map((relay) => ({ ...relay, order: numbers.get(relay.id) ?? relay.order })),
      );
      const moved = before[from] as Relay;
      const wanted = before.toSpliced(from, 1).toSpliced(to, 0, moved);
      const ids = (relays: readonly Relay[]) => relays.map(({ id }) => id).join();
      return ids(after) === ids(wanted) && after.every(({ order }) => order >= 1 && order <= 1_000);
    }),
  );
  t.pass();
});

t.test('where there is room between two, one call is enough', async (t) => {
  t.same(ordersAfter(listOf([1, 5, 9]), 2, 1).length, 1);
  t.same(ordersAfter(listOf([1, 2, 3]), 0, 2).length, 1);
  t.same(ordersAfter(listOf([1, 2, 3]), 2, 0).length, 3);
  t.same(ordersAfter(listOf([1, 2, 3]), 1, 1), []);
});

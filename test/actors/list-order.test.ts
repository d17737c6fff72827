import fc from 'fast-check';
import t from 'tap';
import { limits } from '../../actors/limits.ts';
import { cursorIn, cursorOf, isNamed, numberedPage } from '../../actors/list-order.ts';
import { tries } from '../support/tries.ts';

const order = fc.constantFrom('newest' as const, 'oldest' as const);
/** Numbers in the order of creation, with gaps where records were deleted. */
const numbers = fc
  .uniqueArray(fc.integer({ min: 1, max: 500 }), { maxLength: 40 })
  .map((some) => some.sort((one, other) => one - other));

t.test('the pages of a list together are the whole list, in its order, once', async () => {
  fc.assert(
    fc.property(
      numbers,
      order,
      fc.integer({ min: 1, max: 12 }),
      fc.boolean(),
      (records, order, limit, areLong) => {
        const of = {
          number: (number: number) => number,
          isWanted: (number: number) => number % 3 !== 0,
          ...(areLong && { chars: () => limits.pageCharsMax / 3 + 1 }),
        };
        const wanted = records.filter(of.isWanted);
        const found: number[] = [];
        for (let cursor: string | null | undefined; cursor !== null; ) {
          if (found.length > wanted.length) return false;
          const asked = { order, limit, ...(cursor === undefined ? {} : { cursor }) };
          const page = numberedPage('campaigns', 7, records, asked, of);
          if ('fault' in page || page.total !== wanted.length) return false;
          if (page.items.length > Math.min(limit, areLong ? 3 : limit)) return false;
          if (page.nextCursor !== null && page.items.length === 0) return false;
          found.push(...page.items);
          cursor = page.nextCursor;
        }
        if (order === 'newest') found.reverse();
        return JSON.stringify(found) === JSON.stringify(wanted);
      },
    ),
    { numRuns: tries(1_000) },
  );
});

t.test('a cursor is of one order, one list and one app', async (t) => {
  const of = { number: (number: number) => number, isWanted: () => true };
  const page = (list: 'campaigns' | 'journeys', app: number, more: object) =>
    numberedPage(list, app, [1, 2, 3], { limit: 1, ...more }, of);
  const first = page('campaigns', 7, { order: 'newest' });
  const cursor = 'fault' in first ? '' : (first.nextCursor ?? '');
  t.match(page('campaigns', 7, { order: 'newest', cursor }), { items: [2] });
  for (const other of [
    page('campaigns', 7, { order: 'oldest', cursor }),
    page('journeys', 7, { order: 'newest', cursor }),
    page('campaigns', 8, { order: 'newest', cursor }),
  ])
    t.match(other, { fault: { field: 'cursor' } });
  fc.assert(
    fc.property(order, order, fc.stringMatching(/^[a-z0-9-]{1,12}$/), (made, asked, text) => {
      const back = cursorOf(asked, cursorIn(made, text));
      return back === (made === asked ? text : undefined);
    }),
  );
});

t.test('a name is found by any part of it, in any case', async (t) => {
  t.ok(isNamed('Spring Sale', 'ING s'));
  t.ok(isNamed(undefined, undefined));
  t.notOk(isNamed(undefined, 'x'));
  t.notOk(isNamed('Spring', 'spring sale'));
});

// A new first page of a list: the older pages stay, without a row twice and without one missing.

import fc from 'fast-check';
import t from 'tap';
import { withFirstPage } from '../../dashboard/api/live-pages.ts';

interface Page {
  readonly items: readonly number[];
  readonly nextCursor: string | null;
}

const keyOf = (item: number) => String(item);

/** A list of numbers, the highest first, in pages of `size`. */
function pagesOf(items: readonly number[], size: number, count: number): readonly Page[] {
  return Array.from({ length: count }, (_, at) => {
    const end = (at + 1) * size;
    const rest = end < items.length;
    return { items: items.slice(at * size, end), nextCursor: rest ? `${items[end - 1]}` : null };
  });
}

const descending = (length: number, from = length) => Array.from({ length }, (_, at) => from - at);

t.test('pages with a new first one are one list without gaps', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 6 }),
      fc.integer({ min: 2, max: 5 }),
      fc.integer({ min: 0, max: 8 }),
      (size, count, added) => {
        const old = descending(size * count);
        const pages = [...pagesOf(old, size, count)];
        const all = descending(old.length + added);
        const [first = { items: [], nextCursor: null }] = pagesOf(all, size, 1);
        const merged = withFirstPage(
          { pages, pageParams: pages.map(() => undefined) },
          first,
          keyOf,
        );
        if (added >= size) return merged === undefined;
        const items = merged?.pages.flatMap((page) => page.items);
        return (
          JSON.stringify(items) === JSON.stringify(all) &&
          merged?.pages.at(-1)?.nextCursor === pages.at(-1)?.nextCursor &&
          merged?.pageParams.length === merged?.pages.length
        );
      },
    ),
  );
});

t.test('a list that shows its first page alone shows the new one', async (t) => {
  const [first = { items: [], nextCursor: null }] = pagesOf(descending(9), 3, 1);
  const old = { pages: [{ items: [2, 1], nextCursor: null }], pageParams: [undefined] };
  t.strictSame(withFirstPage<number, Page>(old, first, keyOf), {
    pages: [first],
    pageParams: [undefined],
  });
});

// Rows in sight of a list of any length.

import fc from 'fast-check';
import t from 'tap';
import { rowWindow, scrollToRow, spacerPxMax } from '../../dashboard/ui/row-window.ts';

const lists = fc.record({
  rows: fc.integer({ min: 1, max: 20_000_000 }),
  rowPx: fc.constantFrom(28, 36, 60),
  viewPx: fc.integer({ min: 60, max: 2_000 }),
});

t.test('both ends are reached exactly, and rows in sight stand where they should', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(lists, fc.double({ min: 0, max: 1, noNaN: true }), (list, share) => {
        const { spacerPx } = rowWindow({ ...list, scrollPx: 0, beyond: 0 });
        const way = Math.max(spacerPx - list.viewPx, 0);
        const at = (scrollPx: number) => rowWindow({ ...list, scrollPx, beyond: 0 });
        const first = at(0);
        const last = at(way);
        if (first.from !== 0 || first.topPx !== 0) return false;
        if (last.to !== list.rows) return false;
        const bottom = last.topPx + (last.to - last.from) * list.rowPx;
        if (list.rows * list.rowPx > list.viewPx && Math.abs(bottom - spacerPx) > 0.01)
          return false;
        // Whatever the place, the drawn rows cover the view.
        const scrollPx = way * share;
        const some = at(scrollPx);
        const end = some.topPx + (some.to - some.from) * list.rowPx;
        const needed = Math.min(scrollPx + list.viewPx, spacerPx);
        return (
          some.topPx <= scrollPx + 0.01 &&
          end >= needed - 0.01 &&
          some.to - some.from <= Math.ceil(list.viewPx / list.rowPx) + 1 &&
          spacerPx <= spacerPxMax
        );
      }),
    ),
  );
});

t.test('scrolling to a row shows it whole', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(
        lists.filter(({ viewPx, rowPx }) => viewPx >= 2 * rowPx),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (list, from, to) => {
          const { spacerPx } = rowWindow({ ...list, scrollPx: 0, beyond: 0 });
          const way = Math.max(spacerPx - list.viewPx, 0);
          const row = Math.min(Math.floor(to * list.rows), list.rows - 1);
          const scrollPx = scrollToRow({ ...list, row, scrollPx: way * from });
          const box = rowWindow({ ...list, scrollPx, beyond: 0 });
          const top = box.topPx + (row - box.from) * list.rowPx;
          const slack = list.rows * list.rowPx > spacerPxMax ? 2 : 0.01;
          return (
            row >= box.from &&
            row < box.to &&
            top >= Math.min(scrollPx, way) - slack &&
            top + list.rowPx <= Math.min(scrollPx, way) + list.viewPx + slack
          );
        },
      ),
    ),
  );
});

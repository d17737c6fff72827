// Which rows of a list are in sight. Browsers cannot lay out elements beyond some tens of millions
// of pixels, so a longer list stands on a shorter spacer, and its scroll position is scaled: the
// first and the last row are reached exactly.

/** No spacer is higher; every browser lays out as much. */
export const spacerPxMax = 8_000_000;

interface RowWindow {
  /** First row to draw, and the row after the last. */
  readonly from: number;
  readonly to: number;
  /** Where row `from` begins, from the top of the spacer. */
  readonly topPx: number;
  readonly spacerPx: number;
}

export function rowWindow(options: {
  readonly rows: number;
  readonly rowPx: number;
  readonly viewPx: number;
  readonly scrollPx: number;
  /** Rows drawn above and below what is in sight. */
  readonly beyond: number;
}): RowWindow {
  const { rows, rowPx, viewPx, scrollPx, beyond } = options;
  const fullPx = rows * rowPx;
  const spacerPx = Math.min(fullPx, spacerPxMax);
  const way = Math.max(spacerPx - viewPx, 1);
  const scrolled = Math.min(Math.max(scrollPx, 0), way);
  // Pixels from the first row's top to the top of the view, in the full list.
  const fullScroll =
    fullPx === spacerPx ? scrolled : (scrolled / way) * Math.max(fullPx - viewPx, 0);
  const first = Math.floor(fullScroll / rowPx);
  const from = Math.max(0, first - beyond);
  const to = Math.min(rows, first + Math.ceil(viewPx / rowPx) + 1 + beyond);
  const topPx = scrolled + from * rowPx - fullScroll;
  return { from, to, topPx: fullPx === spacerPx ? from * rowPx : topPx, spacerPx };
}

/** The scroll position that shows a row whole, or the present one if it is in sight. */
export function scrollToRow(options: {
  readonly row: number;
  readonly rows: number;
  readonly rowPx: number;
  readonly viewPx: number;
  readonly scrollPx: number;
}): number {
  const { row, rows, rowPx, viewPx, scrollPx } = options;
  const fullPx = rows * rowPx;
  const spacerPx = Math.min(fullPx, spacerPxMax);
  const way = Math.max(spacerPx - viewPx, 1);
  const fullWay = Math.max(fullPx - viewPx, 1);
  const scale = fullPx === spacerPx ? 1 : fullWay / way;
  const top = scrollPx * scale;
  if (row * rowPx < top) return (row * rowPx) / scale;
  if ((row + 1) * rowPx > top + viewPx) return ((row + 1) * rowPx - viewPx) / scale;
  return scrollPx;
}

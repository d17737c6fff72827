// What a chart shows, apart from how it is drawn.

export interface ChartSeries {
  readonly name: string;
  /** One for each place on the axis; `null` leaves a gap. */
  readonly values: readonly (number | null)[];
}

export interface ChartData {
  /** Places on the axis, ascending: milliseconds since 1970, or another number. */
  readonly xs: readonly number[];
  readonly series: readonly ChartSeries[];
}

/** Series with a colour of their own; a ninth repeats the first with other dashes. */
const colours = 8;

const dashes: readonly (readonly number[])[] = [
  [],
  [7, 4],
  [2, 3],
  [10, 3, 2, 3],
  [4, 4],
  [12, 4],
  [2, 6],
  [8, 3, 2, 3, 2, 3],
  [1, 2],
  [14, 3, 4, 3],
];

export function colourOf(series: number): number {
  return (series % colours) + 1;
}

/** Lengths of lines and gaps, so that series differ without their colours. */
export function dashOf(series: number): readonly number[] {
  return dashes[series % dashes.length] ?? [];
}

/** The place to read after a key; `undefined` for other keys. */
export function movedBy(key: string, at: number | undefined, places: number): number | undefined {
  const last = places - 1;
  if (last < 0) return undefined;
  const from = at ?? (key === 'ArrowLeft' ? places : -1);
  const moves: Readonly<Record<string, number>> = {
    ArrowRight: from + 1,
    ArrowLeft: from - 1,
    Home: 0,
    End: last,
  };
  const next = moves[key];
  return next === undefined ? undefined : Math.min(Math.max(next, 0), last);
}

/** Values at one place, named. */
export function readingAt(data: ChartData, at: number) {
  return data.series.map(({ name, values }, series) => ({
    name,
    series,
    value: values[at] ?? null,
  }));
}

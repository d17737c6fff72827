// What a chart shows, apart from how it is drawn.

interface ChartSeries {
  readonly name: string;
  /** One for each place on the axis; `null` leaves a gap. */
  readonly values: readonly (number | null)[];
}

export interface ChartData {
  /** Places on the axis, ascending: milliseconds since 1970, or another number. */
  readonly xs: readonly number[];
  readonly series: readonly ChartSeries[];
}

/** What a chart is given: its numbers, and how to write them. */
export interface ChartProps {
  readonly label: string;
  readonly data: ChartData;
  /** What the axis counts: "Hour". */
  readonly xHead: string;
  /** At the axis. */
  readonly xText: (x: number) => string;
  /** In a reading. */
  readonly xLong: (x: number) => string;
  readonly yText: (y: number) => string;
  readonly unfinishedFrom?: number | undefined;
  /** From one place on the axis to the next; told by the last two if it is not given. */
  readonly step?: number;
}

/** Series with a color of their own; a ninth repeats the first with other dashes. */
const colors = 8;

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

export function colorOf(series: number): number {
  return (series % colors) + 1;
}

/** Lengths of lines and gaps, so that series differ without their colors. */
export function dashOf(series: number): readonly number[] {
  return dashes[series % dashes.length] ?? [];
}

/** How many places lie between two ticks, so that they fall on whole days, hours or minutes. */
const strides: readonly (readonly [number, readonly number[]])[] = [
  [60_000, [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 720]],
  [3_600_000, [1, 2, 3, 6, 12, 24, 48, 72, 168, 336]],
];
const otherStrides = [1, 2, 3, 5, 7, 10, 14, 21, 28, 50, 100, 200, 500];

/** Places on the axis that get a tick: at most so many, at equal distances from the first. */
export function ticksOf(xs: readonly number[], step: number, most: number): readonly number[] {
  const fewest = xs.length / Math.max(1, most);
  const fitting = strides.find(([of]) => of === step)?.[1] ?? otherStrides;
  const stride = fitting.find((one) => one >= fewest) ?? Math.ceil(fewest);
  return xs.filter((_, at) => at % stride === 0);
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

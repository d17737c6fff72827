// What a chart is given: its numbers, and how to write them.

import type { ChartData } from './model.ts';

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

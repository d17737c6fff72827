// The names of the series with their colors and dashes, and what they are at the place that is
// read.

import type { Ref } from 'react';
import { classNames } from '../ui/class-names.ts';
import { type ChartData, colorOf, dashOf } from './model.ts';

export function Legend({
  ref,
  label,
  data,
  at,
  values,
}: {
  readonly ref: Ref<HTMLUListElement>;
  /** The chart's title. A single series of that name shows its legend only with a value. */
  readonly label: string;
  readonly data: ChartData;
  /** The place that is read. */
  readonly at: string | undefined;
  readonly values: readonly string[] | undefined;
}) {
  const isTold = at !== undefined || data.series.length > 1 || data.series[0]?.name !== label;
  return (
    <div aria-live="polite">
      <ul className={classNames('chart-legend', !isTold && 'untold')} ref={ref}>
        {data.series.map(({ name }, series) => (
          <li key={name}>
            <svg viewBox="0 0 24 8" className={`series-${colorOf(series)}`} aria-hidden="true">
              <line
                x1="0"
                x2="24"
                y1="4"
                y2="4"
                stroke="currentColor"
                strokeWidth="2.5"
                strokeDasharray={dashOf(series).join(' ')}
              />
            </svg>
            <span className="ellipsis">{name}</span>
            {values !== undefined && <strong>{values[series]}</strong>}
          </li>
        ))}
        {at !== undefined && <li className="chart-at">{at}</li>}
      </ul>
    </div>
  );
}

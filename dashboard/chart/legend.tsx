// The names of the series with their colours and dashes, and what they are at the place that is read.

import type { Ref } from 'react';
import { type ChartData, colourOf, dashOf } from './model.ts';

export function Legend({
  ref,
  data,
  at,
  values,
}: {
  readonly ref: Ref<HTMLUListElement>;
  readonly data: ChartData;
  /** The place that is read. */
  readonly at: string | undefined;
  readonly values: readonly string[] | undefined;
}) {
  return (
    <div aria-live="polite">
      <ul className="chart-legend" ref={ref}>
        {data.series.map(({ name }, series) => (
          <li key={name}>
            <svg viewBox="0 0 24 8" className={`series-${colourOf(series)}`} aria-hidden="true">
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

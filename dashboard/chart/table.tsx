// The numbers of a chart as a table.

import type { ChartProps } from './model.ts';
import { readingAt } from './model.ts';
import { words } from './words.ts';

export function ChartTable({ label, data, xHead, xLong, yText }: ChartProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="chart-table scroll-x" tabIndex={0} aria-label={label}>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{xHead}</th>
            {data.series.map(({ name }) => (
              <th scope="col" className="end" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.xs.map((x, at) => (
            <tr key={x}>
              <th scope="row">{xLong(x)}</th>
              {readingAt(data, at).map(({ name, value }) => (
                <td className="end" key={name}>
                  {value === null ? words.none : yText(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

// The numbers of the comparison; the best of a row wears a mark and a word for screen readers.

import type { ReactElement } from 'react';
import { count } from '../../ui/figure.tsx';
import { Icon } from '../../ui/icon.tsx';
import { percentText, points } from '../../ui/percents.ts';
import type { CompareRow } from './model.ts';
import { words } from './words.ts';

export function CompareTable({
  rows,
  heads,
}: {
  readonly rows: readonly CompareRow[];
  readonly heads: readonly ReactElement[];
}) {
  const hasStar = rows.some(({ best }) => best >= 0);
  const areCompared = rows.some(
    ({ unit, values }) => unit === 'share' && values.filter((one) => one !== null).length > 1,
  );
  return (
    <section className="card">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="scroll-x" tabIndex={0} aria-label={words.numbers}>
        <table className="plain-table compare-table">
          <thead>
            <tr>
              <th scope="col">{words.denominator}</th>
              {heads.map((head) => (
                <th scope="col" key={head.key}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name} className={row.unit === 'people' ? undefined : 'rate'}>
                <th scope="row">{row.name}</th>
                {heads.map(({ key }, at) => (
                  <Cell key={key} row={row} at={at} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {areCompared && (
        <p className="soft compare-note">{hasStar ? words.starred : words.noneStarred}</p>
      )}
    </section>
  );
}

function Cell({
  row: { unit, values, best },
  at,
}: {
  readonly row: CompareRow;
  readonly at: number;
}) {
  const one = values[at] ?? null;
  if (one === null) return <td className="end">–</td>;
  const { value, interval } = one;
  return (
    <td className={best === at ? 'end best' : 'end'}>
      {best === at && (
        <>
          <Icon name="star" />
          <span className="sr-only">{words.best} </span>
        </>
      )}
      {unit === 'people'
        ? count(value)
        : unit === 'share'
          ? percentText(value)
          : words.points(points(value))}
      {unit === 'points' && interval !== undefined && (
        <small>{words.interval(points(interval[0]), points(interval[1]))}</small>
      )}
    </td>
  );
}

// The numbers of the comparison; the best of a row wears a mark and a word for screen readers.

import type { ReactElement } from 'react';
import { count } from '../../ui/figure.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { CompareRow } from './model.ts';
import { words } from './words.ts';

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

export function CompareTable({
  rows,
  heads,
}: {
  readonly rows: readonly CompareRow[];
  readonly heads: readonly ReactElement[];
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="card scroll-x" tabIndex={0} aria-label={words.numbers}>
      <table className="plain-table compare-table">
        <thead>
          <tr>
            <th scope="col">{words.metric}</th>
            {heads.map((head) => (
              <th scope="col" key={head.key}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, isRate, values, best }) => (
            <tr key={name} className={isRate ? 'rate' : undefined}>
              <th scope="row">{name}</th>
              {heads.map(({ key }, at) => {
                const value = values[at] ?? null;
                return (
                  <td key={key} className={best.has(at) ? 'end best' : 'end'}>
                    {best.has(at) && (
                      <>
                        <Icon name="star" />
                        <span className="sr-only">{words.best} </span>
                      </>
                    )}
                    {value === null ? '–' : isRate ? percent.format(value) : count(value)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

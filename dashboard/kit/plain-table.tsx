// A short table that is all there: its columns and rows as values.

import type { ReactNode } from 'react';
import { ScrollX } from '../ui/scroll-x.tsx';

interface PlainColumn<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  /** Names its row. */
  readonly isHead?: boolean;
  readonly className?: string;
}

export function PlainTable<Row>({
  columns,
  rows,
  keyOf,
  isCard = false,
  foot,
}: {
  readonly columns: readonly PlainColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly isCard?: boolean;
  /** After its rows. */
  readonly foot?: ReactNode;
}) {
  const classOf = ({ isNumber, className }: PlainColumn<Row>) => (isNumber ? 'end' : className);
  return (
    <ScrollX isCard={isCard}>
      <table className="plain-table">
        <thead>
          <tr>
            {columns.map((one) => (
              <th key={one.head} scope="col" className={classOf(one)}>
                {one.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((one) =>
                one.isHead === true ? (
                  <th key={one.head} scope="row">
                    {one.cell(row)}
                  </th>
                ) : (
                  <td key={one.head} className={classOf(one)}>
                    {one.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
        {foot}
      </table>
    </ScrollX>
  );
}

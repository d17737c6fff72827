// The suppressions as a table; a row leads to the people with its address.

import type { Suppression } from '../../api/generated.ts';
import { useApp } from '../../api/session-context.tsx';
import { appPath, withParams } from '../../ui/address.ts';
import { useIsNarrow } from '../../ui/media.ts';
import { type Rows, Table } from '../../ui/table.tsx';
import { counted } from '../../words/counted.ts';
import { columnsOf } from './columns.tsx';
import { NoSuppressions } from './empty.tsx';
import { words } from './words.ts';

export function SuppressionList({
  rows,
  isFiltered,
  refused,
  onAdd,
  onRemove,
}: {
  readonly rows: Rows<Suppression>;
  readonly isFiltered: boolean;
  readonly refused: string | undefined;
  readonly onAdd: () => void;
  readonly onRemove: (one: Suppression) => void;
}) {
  const app = useApp();
  const isNarrow = useIsNarrow();
  return (
    <div className="screen-fill">
      <Table
        label={words.title}
        counted={counted.addresses}
        rows={rows}
        columns={columnsOf({ isNarrow, refused, onRemove })}
        keyOf={(one) => `${one.identity} ${one.address}`}
        to={(one) => withParams(appPath(app.id, 'people'), { q: one.address })}
        empty={<NoSuppressions isFiltered={isFiltered} refused={refused} onAdd={onAdd} />}
      />
    </div>
  );
}

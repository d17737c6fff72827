// Actions as the last column of a table.

import type { Column } from '../ui/table.tsx';
import { type ActionList, ActionMenu } from './action-view.tsx';

/**
 * The last column of a table: what can be done with its row. `narrow`: a phone shows it at the side
 * of the row, or does not.
 */
export function actionsColumn<Thing>(
  labelOf: (thing: Thing) => string,
  actions: ActionList<Thing>,
  { narrow, width = '32px' }: { readonly narrow: 'side' | 'none'; readonly width?: string },
): Column<Thing> {
  return {
    id: 'actions',
    head: '',
    width,
    ...(narrow === 'side' && { narrow }),
    cell: (one) => <ActionMenu inRow label={labelOf(one)} actions={actions} thing={one} />,
  };
}

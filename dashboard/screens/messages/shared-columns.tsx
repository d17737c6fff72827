// The columns that the tables of messages and of templates share.

import type { Message, MessageTemplate } from '../../api/generated.ts';
import type { ActionList } from '../../kit/action-view.tsx';
import { actionsColumn } from '../../kit/actions-column.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { plainText } from './mini-look.tsx';
import { words } from './words.ts';

type Row = Message | MessageTemplate;

export const textColumn: Column<Row> = {
  id: 'text',
  head: words.columns.text,
  width: 'minmax(0, 4fr)',
  narrow: 'sub',
  cell: ({ title, body }) => {
    const shown = [title, plainText(body)].filter(Boolean).join(' · ');
    return <span className="soft ellipsis">{shown === '' ? words.noText : shown}</span>;
  },
};

export const languagesColumn: Column<Row> = {
  id: 'languages',
  head: words.columns.languages,
  width: '130px',
  cell: ({ localizations = {} }) => (
    <span className="soft ellipsis">{Object.keys(localizations).join(', ')}</span>
  ),
};

export const updatedColumn: Column<Row> = {
  id: 'updated',
  head: words.columns.updated,
  width: '130px',
  narrow: 'side',
  cell: ({ updatedAt }) => <Time at={updatedAt} />,
};

export function menuColumn(actions: ActionList<Row>): Column<Row> {
  return actionsColumn(() => words.columns.more, actions, { narrow: 'none' });
}

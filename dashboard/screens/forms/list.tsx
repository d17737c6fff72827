// The table of sign-up forms.

import type { Form } from '../../api/generated.ts';
import { useList } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { actionsColumn } from '../../kit/actions-column.tsx';
import { CreateLink, ListScreen } from '../../kit/list-screen.tsx';
import { useSearchQuery } from '../../kit/params.tsx';
import { Badge } from '../../ui/badge.tsx';
import { count } from '../../ui/figure.tsx';
import type { Column } from '../../ui/table.tsx';
import { keyPlace } from '../../ui/thing-key.ts';
import { Time } from '../../ui/time.tsx';
import { counted } from '../../words/counted.ts';
import { rowActions } from './actions.ts';
import { words } from './words.ts';

const create = <CreateLink label={words.create} to={['forms', 'new']} />;

export function FormList() {
  const app = useApp();
  return (
    <ListScreen
      label={words.title}
      actions={create}
      search={words.search}
      list={useList('listForms', { path: { appId: app.id }, query: useSearchQuery() })}
      counted={counted.forms}
      columns={columns}
      to={({ key }) => keyPlace('forms', key)}
      noneFound={{ title: words.emptySearch }}
      empty={{
        icon: 'forms',
        title: words.empty,
        text: words.emptyText,
        action: create,
        curl: {
          path: 'forms',
          body: '{"key": "newsletter", "name": "Our newsletter", "consent": "I want news by email."}',
          lines: 3,
        },
      }}
    />
  );
}

const columns: readonly Column<Form>[] = [
  {
    id: 'name',
    head: words.columns.name,
    width: 'minmax(0, 2fr)',
    narrow: 'title',
    cell: ({ name }) => <span className="ellipsis">{name}</span>,
  },
  {
    id: 'key',
    head: words.columns.key,
    cell: ({ key }) => <code className="ellipsis">{key}</code>,
  },
  {
    id: 'topics',
    head: words.columns.topics,
    width: 'minmax(0, 1.5fr)',
    narrow: 'sub',
    cell: ({ topics }) => <span className="soft ellipsis">{topics.join(', ')}</span>,
  },
  {
    id: 'fields',
    head: words.columns.fields,
    width: '80px',
    isNumber: true,
    cell: ({ fields }) => count(fields.length + 1),
  },
  {
    id: 'state',
    head: words.columns.state,
    width: '110px',
    narrow: 'side',
    cell: ({ archivedAt }) => {
      const state = archivedAt === null ? 'open' : 'archived';
      return <Badge tone={state === 'open' ? 'good' : 'off'}>{words.states[state]}</Badge>;
    },
  },
  {
    id: 'changed',
    head: words.columns.changed,
    width: '130px',
    cell: ({ updatedAt }) => <Time at={updatedAt} />,
  },
  actionsColumn<Form>(({ name }) => words.actions(name), rowActions, { narrow: 'none' }),
];

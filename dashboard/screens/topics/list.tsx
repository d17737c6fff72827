// The table of topics, with how many people have chosen what.

import type { Topic } from '../../api/generated.ts';
import { useList } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { CreateLink, ListScreen } from '../../kit/list-screen.tsx';
import { useSearchQuery } from '../../kit/params.tsx';
import { Badge } from '../../ui/badge.tsx';
import { count } from '../../ui/figure.tsx';
import type { Column } from '../../ui/table.tsx';
import { keyPlace } from '../../ui/thing-key.ts';
import { Time } from '../../ui/time.tsx';
import { counted } from '../../words/counted.ts';
import { words } from './words.ts';

type Row = Topic & { readonly id: string };

const create = <CreateLink label={words.create} to={['topics', 'new']} />;

export function TopicList() {
  const app = useApp();
  const list = useList('listTopics', { path: { appId: app.id }, query: useSearchQuery() });
  return (
    <ListScreen<Row>
      label={words.title}
      actions={create}
      search={words.search}
      list={{ ...list, items: list.items?.map((one) => ({ ...one, id: one.key })) }}
      counted={counted.topics}
      columns={columns}
      to={({ key }) => keyPlace('topics', key)}
      noneFound={{ title: words.emptySearch }}
      empty={{
        icon: 'topics',
        title: words.empty,
        text: words.emptyText,
        action: create,
        curl: {
          path: 'topics',
          body: '{"key": "news", "name": "Product news", "doubleOptIn": true}',
          lines: 3,
        },
      }}
    />
  );
}

const columns: readonly Column<Row>[] = [
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
    narrow: 'sub',
    cell: ({ key }) => <code className="ellipsis">{key}</code>,
  },
  {
    id: 'default',
    head: words.columns.default,
    width: '140px',
    narrow: 'side',
    cell: (one) => (
      <Badge tone={one.default === 'in' ? 'good' : 'off'}>{words.defaults[one.default]}</Badge>
    ),
  },
  {
    id: 'optIn',
    head: words.columns.optIn,
    width: '130px',
    cell: ({ doubleOptIn }) => <span className="soft">{doubleOptIn && words.double}</span>,
  },
  ...(['in', 'out', 'pending'] as const).map(
    (choice): Column<Row> => ({
      id: choice,
      head: words.columns[choice],
      width: '90px',
      isNumber: true,
      cell: ({ people }) => count(people[choice]),
    }),
  ),
  {
    id: 'changed',
    head: words.columns.changed,
    width: '130px',
    cell: ({ updatedAt }) => <Time at={updatedAt} />,
  },
];

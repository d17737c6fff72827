// The list of segments, each with its exact number of people now.

import type { Segment } from '../../api/generated.ts';
import { useList, useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { filterSentence } from '../../filter/kinds.ts';
import { CreateLink, ListScreen } from '../../kit/list-screen.tsx';
import { useSearchQuery } from '../../kit/params.tsx';
import { count } from '../../ui/figure.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { counted } from '../../words/counted.ts';
import { Examples } from './examples.tsx';
import { useSegmentUses } from './uses.tsx';
import { words } from './words.ts';

export function SegmentList() {
  const app = useApp();
  return (
    <ListScreen
      label={words.title}
      actions={<CreateLink label={words.create} to={['segments', 'new']} />}
      search={words.search}
      list={useList('listSegments', { path: { appId: app.id }, query: useSearchQuery() })}
      counted={counted.segments}
      columns={columns}
      to={({ id }) => ['segments', id]}
      reads="readSegment"
      noneFound={{ title: words.emptyFound }}
      empty={{
        icon: 'segments',
        title: words.empty,
        text: words.emptyText,
        action: <Examples />,
        curl: {
          path: 'segments',
          body: '{"name":"Active this week","filter":{"activeWithinDays":7}}',
        },
      }}
    />
  );
}

const columns: readonly Column<Segment>[] = [
  {
    id: 'name',
    head: words.name,
    width: 'minmax(140px, 1fr)',
    cell: ({ name }) => name,
    narrow: 'title',
  },
  {
    id: 'filter',
    head: words.filter,
    width: 'minmax(0, 2fr)',
    cell: ({ filter }) => <span className="soft">{filterSentence(filter)}</span>,
    narrow: 'sub',
  },
  {
    id: 'people',
    head: words.people,
    width: '100px',
    isNumber: true,
    cell: ({ id, updatedAt }) => <People id={id} key={updatedAt} />,
    narrow: 'side',
  },
  {
    id: 'uses',
    head: words.usedBy,
    width: '90px',
    cell: ({ id }) => <UsesCount id={id} />,
  },
  {
    id: 'updated',
    head: words.updated,
    width: '120px',
    cell: ({ updatedAt }) => <Time at={updatedAt} />,
    narrow: 'side-sub',
  },
];

function People({ id }: { readonly id: string }) {
  const app = useApp();
  const { data } = useRead('countSegment', { path: { appId: app.id, id } });
  return data === undefined ? null : count(data.count);
}

function UsesCount({ id }: { readonly id: string }) {
  const { data } = useSegmentUses(id);
  if (data === undefined || data.total === 0) return null;
  return <span className="soft">{words.uses(data.total)}</span>;
}

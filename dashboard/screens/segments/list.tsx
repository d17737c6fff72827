// The list of segments, each with its exact number of people now.

import { useLocation } from 'wouter';
import type { Segment } from '../../api/generated.ts';
import { useFetchAhead, useList, useRead } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { filterSentence } from '../../filter/kinds.ts';
import { appPath, useQueryParam } from '../../ui/address.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { count } from '../../ui/figure.tsx';
import { SearchBox } from '../../ui/input.tsx';
import { useShortcuts } from '../../ui/keys.ts';
import { Empty } from '../../ui/note.tsx';
import { useCursorRows } from '../../ui/rows.ts';
import { ScreenHead } from '../../ui/screen.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { counted } from '../../words/counted.ts';
import { Examples } from './examples.tsx';
import { useSegmentUses } from './uses.tsx';
import { words } from './words.ts';

export function SegmentList() {
  const app = useApp();
  const [, go] = useLocation();
  const [q, setQ] = useQueryParam('q');
  const refused = useRefusal('write');
  const ahead = useFetchAhead();
  const target = appPath(app.id, 'segments', 'new');
  useShortcuts([{ keys: 'c', label: words.create, run: () => refused ?? go(target) }]);
  const list = useList('listSegments', {
    path: { appId: app.id },
    query: { order: 'newest', ...(q === undefined ? {} : { q }) },
  });
  const rows = useCursorRows<Segment>(list);
  return (
    <>
      <ScreenHead
        title={words.title}
        actions={
          refused === undefined ? (
            <ButtonLink kind="primary" icon="plus" to={target}>
              {words.create}
            </ButtonLink>
          ) : (
            <Button kind="primary" icon="plus" refused={refused}>
              {words.create}
            </Button>
          )
        }
      />
      <div className="screen-bar">
        <SearchBox label={words.search} value={q ?? ''} onChange={setQ} />
      </div>
      <div className="screen-fill">
        <Table
          label={words.title}
          counted={counted.segments}
          rows={rows}
          columns={columns}
          keyOf={({ id }) => id}
          to={({ id }) => appPath(app.id, 'segments', id)}
          onNear={({ id }) => ahead('readSegment', { path: { appId: app.id, id } })}
          empty={
            q === undefined ? (
              <Empty
                icon="segments"
                title={words.empty}
                curl={`curl -X POST ${location.origin}/v1/apps/${app.id}/segments -H "authorization: Bearer $ENGAGE_KEY" -H "content-type: application/json" -d '{"name":"Active this week","filter":{"activeWithinDays":7}}'`}
                action={<Examples />}
              >
                {words.emptyText}
              </Empty>
            ) : (
              <Empty icon="search" title={words.emptyFound} />
            )
          }
        />
      </div>
    </>
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

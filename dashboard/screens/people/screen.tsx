// The table of people.

import type { Subscriber } from '../../api/generated.ts';
import { useList } from '../../api/queries.ts';
import { appPath, useQueryParam } from '../../frame/address.ts';
import { useApp } from '../../frame/session-context.tsx';
import { Chip } from '../../ui/badge.tsx';
import { SearchBox } from '../../ui/input.tsx';
import { Empty } from '../../ui/note.tsx';
import { useCursorRows } from '../../ui/rows.ts';
import { ScreenHead } from '../../ui/screen.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { words } from './words.ts';

export default function People() {
  const app = useApp();
  const [q, setQ] = useQueryParam('q');
  const list = useList('listSubscribers', {
    path: { appId: app.id },
    query: q === undefined ? {} : { externalUserId: q },
  });
  const rows = useCursorRows<Subscriber>(list);
  const columns: readonly Column<Subscriber>[] = [
    { id: 'who', head: words.who, cell: (one) => one.externalUserId ?? one.id, narrow: 'title' },
    {
      id: 'channels',
      head: words.channels,
      cell: (one) => one.devices.map(({ id, channel }) => <Chip key={id}>{channel}</Chip>),
      narrow: 'sub',
    },
    {
      id: 'created',
      head: words.created,
      width: '130px',
      cell: (one) => <Time at={one.createdAt} />,
      narrow: 'side',
    },
  ];
  return (
    <>
      <ScreenHead title={words.title} />
      <div className="screen-bar">
        <SearchBox label={words.search} value={q ?? ''} onChange={setQ} />
      </div>
      <div className="screen-fill">
        <Table
          label={words.title}
          rows={rows}
          columns={columns}
          keyOf={(one) => one.id}
          to={(one) => appPath(app.id, 'people', one.id)}
          empty={
            <Empty icon="people" title={words.empty}>
              {words.emptyText}
            </Empty>
          }
        />
      </div>
    </>
  );
}

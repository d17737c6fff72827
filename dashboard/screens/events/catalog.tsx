// The names of events, how many people sent each, and the properties seen.

import type { Fields } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { actionsOn } from '../../kit/action.ts';
import { ActionButton } from '../../kit/action-view.tsx';
import { SearchParam, useFoundAmongLoaded } from '../../kit/params.tsx';
import { appPath, useQueryParam, withParams } from '../../ui/address.ts';
import { Chip } from '../../ui/badge.tsx';
import { EventOriginChoice, useEventOrigin } from '../../ui/event-origin.tsx';
import { count } from '../../ui/figure.tsx';
import { Empty } from '../../ui/note.tsx';
import { useAllRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { counted } from '../../words/counted.ts';
import { words } from './words.ts';

type EventField = Fields['events'][number];

export function Catalog() {
  const app = useApp();
  const fields = useRead('listFields', { path: { appId: app.id } });
  const [origin, setOrigin] = useEventOrigin();
  const [q] = useQueryParam('q');
  const found = useFoundAmongLoaded(fields.data?.events, ({ name }) => name);
  const rows = useAllRows(
    found?.filter((one) => one.origin === origin),
    fields.error,
  );
  return (
    <>
      <div className="screen-bar">
        <SearchParam label={words.search} />
        <EventOriginChoice value={origin} onChange={setOrigin} />
      </div>
      <div className="screen-fill">
        <Table
          label={words.catalog}
          counted={counted.eventNames}
          rows={rows}
          columns={columns}
          keyOf={({ name }) => name}
          to={({ name }) => withParams(appPath(app.id, 'events'), { name })}
          empty={
            q === undefined ? (
              <Empty icon="events" title={words.catalogEmpty[origin]} />
            ) : (
              <Empty icon="search" title={words.catalogNoneFound} />
            )
          }
        />
      </div>
    </>
  );
}

const remove = actionsOn<EventField>()({
  id: 'remove',
  label: words.remove,
  icon: 'trash',
  needs: 'write',
  isFor: ({ origin }) => origin === 'app',
  confirm: ({ name }) => ({ title: words.removeTitle(name), text: words.removeText }),
  operation: 'deleteEventName',
  args: ({ name }, appId) => ({ path: { appId, name } }),
  done: () => words.removed,
});

const columns: readonly Column<EventField>[] = [
  { id: 'name', head: words.name, cell: ({ name }) => name, narrow: 'title' },
  {
    id: 'props',
    head: words.seen,
    width: 'minmax(0, 2fr)',
    cell: ({ props }) => (
      <span className="row">
        {props.length === 0 && <span className="soft">{words.noneSeen}</span>}
        {props.map(({ key, types }) => (
          <Chip key={key}>
            {key} <span className="soft">{types.join(', ')}</span>
          </Chip>
        ))}
      </span>
    ),
    narrow: 'sub',
  },
  {
    id: 'people',
    head: words.people,
    width: '100px',
    isNumber: true,
    cell: ({ people }) => count(people),
    narrow: 'side',
  },
  {
    id: 'last',
    head: words.last,
    width: '120px',
    cell: ({ lastAt }) => <Time at={lastAt} />,
    narrow: 'side-sub',
  },
  {
    id: 'remove',
    head: '',
    width: '32px',
    cell: (one) => <ActionButton isIcon action={remove} thing={one} />,
  },
];

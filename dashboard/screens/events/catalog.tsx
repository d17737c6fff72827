// The names of events, how many people sent each, and the properties seen.

import { useState } from 'react';
import type { Fields } from '../../api/generated.ts';
import { useAct, useRead } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath, withParams } from '../../ui/address.ts';
import { Chip } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { EventOriginChoice, useEventOrigin } from '../../ui/event-origin.tsx';
import { count } from '../../ui/figure.tsx';
import { Empty } from '../../ui/note.tsx';
import { useAllRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { counted } from '../../words/counted.ts';
import { words } from './words.ts';

type EventField = Fields['events'][number];

export function Catalog() {
  const app = useApp();
  const path = { appId: app.id };
  const refused = useRefusal('write');
  const [asked, setAsked] = useState<string>();
  const fields = useRead('listFields', { path });
  const [origin, setOrigin] = useEventOrigin();
  const rows = useAllRows<EventField>(
    fields.data?.events.filter((one) => one.origin === origin),
    fields.error,
  );
  const remove = useAct('deleteEventName');
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
      cell: ({ name }) =>
        origin === 'app' && (
          <IconButton
            label={words.remove}
            icon="trash"
            size="small"
            refused={refused}
            onClick={() => setAsked(name)}
          />
        ),
    },
  ];
  return (
    <>
      <div className="screen-bar">
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
          empty={<Empty icon="events" title={words.catalogEmpty[origin]} />}
        />
        <Confirm
          title={words.removeTitle(asked ?? '')}
          action={words.remove}
          isOpen={asked !== undefined}
          isBusy={remove.isPending}
          error={remove.error?.message}
          onClose={() => setAsked(undefined)}
          onConfirm={() =>
            remove.mutate(
              { path: { ...path, name: asked ?? '' } },
              {
                onSuccess: () => {
                  tellDone(words.removed);
                  setAsked(undefined);
                },
              },
            )
          }
        >
          {words.removeText}
        </Confirm>
      </div>
    </>
  );
}

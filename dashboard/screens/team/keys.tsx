// The org's API keys: what each allows and where. Their texts are never shown again.

import type { ApiKey } from '../../api/generated.ts';
import { useList } from '../../api/queries.ts';
import { useRefusal, useSession } from '../../api/session-context.tsx';
import { actionsOn, removing } from '../../kit/action.ts';
import { actionsColumn } from '../../kit/actions-column.tsx';
import { SearchParam, useSearchQuery } from '../../kit/params.tsx';
import { Chip } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Copyable } from '../../ui/code.tsx';
import { Empty } from '../../ui/note.tsx';
import { useCursorRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { counted } from '../../words/counted.ts';
import { words } from './words.ts';

const text = words.key;

export function Keys({ onCreate }: { readonly onCreate: () => void }) {
  const refused = useRefusal('admin');
  const rows = useCursorRows<ApiKey>(useList('listKeys', { query: useSearchQuery() }));
  return (
    <>
      <div className="row">
        <SearchParam label={words.search.keys} />
      </div>
      <Table
        label={words.tabs.keys}
        counted={counted.keys}
        rows={rows}
        columns={columns}
        keyOf={(one) => one.id}
        empty={
          <Empty
            icon="key"
            title={text.empty}
            action={
              <Button refused={refused} onClick={onCreate}>
                {text.create}
              </Button>
            }
            curl={`curl ${location.origin}/v1/keys -H "authorization: Bearer $ENGAGE_KEY" --json '{"name":"Shop backend","scopes":["send"]}'`}
          >
            {text.emptyText}
          </Empty>
        }
      />
    </>
  );
}

const remove = actionsOn<ApiKey>()({
  ...removing(text.delete, 'admin'),
  confirm: ({ name }) => ({ title: text.deleteTitle(name), text: text.deleteText, typed: name }),
  operation: 'deleteKey',
  args: (one) => ({ path: { id: one.id }, base: one }),
  done: ({ name }) => text.deleted(name),
});

const columns: readonly Column<ApiKey>[] = [
  { id: 'name', head: text.name, narrow: 'title', cell: (one) => one.name },
  {
    id: 'scopes',
    head: text.scopes,
    width: 'minmax(200px, 1fr)',
    narrow: 'sub',
    cell: (one) => (
      <span className="row tight">
        {one.scopes.map((scope) => (
          <Chip key={scope}>{words.scopes[scope].label}</Chip>
        ))}
      </span>
    ),
  },
  { id: 'where', head: text.where, cell: ({ appId }) => <Where appId={appId} /> },
  { id: 'id', head: text.id, width: '150px', cell: (one) => <Copyable text={one.id} /> },
  { id: 'created', head: text.created, width: '120px', cell: (one) => <Time at={one.createdAt} /> },
  actionsColumn(({ name }) => text.actions(name), [remove], { width: '40px', narrow: 'side' }),
];

function Where({ appId }: { readonly appId: string | null }) {
  const { apps } = useSession().session;
  return appId === null ? text.whole : (apps.find(({ id }) => id === appId)?.name ?? text.gone);
}

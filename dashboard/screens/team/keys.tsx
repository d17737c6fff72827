// The org's API keys: what each allows and where. Their texts are never shown again.

import { useState } from 'react';
import type { ApiKey } from '../../api/generated.ts';
import { useAct, useList } from '../../api/queries.ts';
import { useRefusal, useSession } from '../../api/session-context.tsx';
import { useQueryParam } from '../../ui/address.ts';
import { Chip } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Copyable } from '../../ui/code.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { SearchBox } from '../../ui/input.tsx';
import { Empty } from '../../ui/note.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { useCursorRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { counted } from '../../words/counted.ts';
import { words } from './words.ts';

const text = words.key;

export function Keys({ onCreate }: { readonly onCreate: () => void }) {
  const [q, setQ] = useQueryParam('q');
  const refused = useRefusal('admin');
  const { session } = useSession();
  const rows = useCursorRows<ApiKey>(
    useList('listKeys', { query: { order: 'newest', ...(q === undefined ? {} : { q }) } }),
  );
  const [deleting, setDeleting] = useState<ApiKey>();
  const nameOf = (appId: string | null) =>
    appId === null ? text.whole : (session.apps.find(({ id }) => id === appId)?.name ?? text.gone);
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
    { id: 'where', head: text.where, cell: (one) => nameOf(one.appId) },
    { id: 'id', head: text.id, width: '150px', cell: (one) => <Copyable text={one.id} /> },
    {
      id: 'created',
      head: text.created,
      width: '120px',
      cell: (one) => <Time at={one.createdAt} />,
    },
    {
      id: 'actions',
      head: '',
      width: '40px',
      narrow: 'side',
      cell: (one) => (
        <RowMenu
          label={text.actions(one.name)}
          items={[
            {
              label: text.delete,
              icon: 'trash',
              isDanger: true,
              refused,
              onChoose: () => setDeleting(one),
            },
          ]}
        />
      ),
    },
  ];
  return (
    <>
      <div className="row">
        <SearchBox label={words.search.keys} value={q ?? ''} onChange={setQ} />
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
      {deleting !== undefined && (
        <DeleteKey one={deleting} onClose={() => setDeleting(undefined)} />
      )}
    </>
  );
}

function DeleteKey({ one, onClose }: { readonly one: ApiKey; readonly onClose: () => void }) {
  const remove = useAct('deleteKey');
  return (
    <Confirm
      isOpen
      title={text.deleteTitle(one.name)}
      action={text.delete}
      typed={one.name}
      isBusy={remove.isPending}
      error={remove.error?.message}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(
          { path: { id: one.id }, base: one },
          {
            onSuccess: () => {
              tellDone(text.deleted(one.name));
              onClose();
            },
          },
        )
      }
    >
      {text.deleteText}
    </Confirm>
  );
}

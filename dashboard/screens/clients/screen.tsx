// Clients: the workspaces of an agency's clients, with their usage and nothing else.

import { useState } from 'react';
import { Link } from 'wouter';
import type { ClientWorkspace } from '../../api/generated.ts';
import { useAct, useList, useRead } from '../../api/queries.ts';
import { mayOpen, useRefusal, useSession } from '../../api/session-context.tsx';
import { orgPath, useQueryParam, withParams } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Copyable } from '../../ui/code.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { count } from '../../ui/figure.tsx';
import { SearchBox } from '../../ui/input.tsx';
import { useShortcuts } from '../../ui/keys.ts';
import { useIsNarrow } from '../../ui/media.ts';
import { Empty, Note } from '../../ui/note.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { useCursorRows } from '../../ui/rows.ts';
import { ScreenHead } from '../../ui/screen.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { counted } from '../../words/counted.ts';
import { CreateClient } from './create-client.tsx';
import { ClientDetails } from './details.tsx';
import { openOrg } from './open-org.ts';
import { words } from './words.ts';

export default function Clients() {
  const [q, setQ] = useQueryParam('q');
  const { session } = useSession();
  const scope = useRefusal('admin');
  const org = useRead('readOrg', {});
  const isClient = org.data !== undefined && org.data.parentOrgId !== null;
  const refused = isClient ? words.isClient : scope;
  const list = useList('listClients', {
    query: { order: 'newest', ...(q === undefined ? {} : { q }) },
  });
  const rows = useCursorRows<ClientWorkspace>(list);
  const [opened, setOpened] = useQueryParam('client');
  const [isCreating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<ClientWorkspace>();
  const create = () => refused === undefined && setCreating(true);
  useShortcuts([{ keys: 'c', label: words.create, run: create }]);
  const columns = columnsOf({
    isMember: (id) => mayOpen(session, id),
    isNarrow: useIsNarrow(),
    refused,
    onDelete: setDeleting,
  });
  const button = (
    <Button kind="primary" icon="plus" refused={refused} onClick={create}>
      {words.create}
    </Button>
  );
  return (
    <>
      <ScreenHead title={words.title} actions={button} />
      <div className="screen-bar">
        <Note icon="info">
          {isClient ? words.isClient : words.isolation}{' '}
          {!isClient && <Link to={orgPath('billing')}>{words.invoice}</Link>}
        </Note>
        <SearchBox label={words.search} value={q ?? ''} onChange={setQ} />
      </div>
      <div className="screen-fill">
        <Table
          label={words.title}
          counted={counted.clients}
          rows={rows}
          columns={columns}
          keyOf={(one) => one.id}
          to={(one) => withParams(orgPath('clients'), { ...(q && { q }), client: one.id })}
          empty={
            <Empty
              icon="clients"
              title={words.empty}
              curl={`curl ${location.origin}/v1/org/clients -H "authorization: Bearer $ENGAGE_KEY" --json '{"name":"Harbour Coffee"}'`}
            >
              {words.emptyText}
            </Empty>
          }
        />
      </div>
      <ClientDetails
        one={list.items?.find(({ id }) => id === opened)}
        refused={refused}
        onDelete={(one) => {
          setOpened(undefined);
          setDeleting(one);
        }}
        onClose={() => setOpened(undefined)}
      />
      {isCreating && <CreateClient onClose={() => setCreating(false)} />}
      {deleting !== undefined && (
        <DeleteClient one={deleting} onClose={() => setDeleting(undefined)} />
      )}
    </>
  );
}

function columnsOf({
  isMember,
  isNarrow,
  refused,
  onDelete,
}: {
  /** On a phone a row has place for its usage alone. */
  readonly isNarrow: boolean;
  readonly isMember: (id: string) => boolean;
  readonly refused: string | undefined;
  readonly onDelete: (one: ClientWorkspace) => void;
}): readonly Column<ClientWorkspace>[] {
  return [
    { id: 'name', head: words.name, narrow: 'title', cell: (one) => one.name },
    { id: 'id', head: words.id, width: '160px', cell: (one) => <Copyable text={one.id} /> },
    {
      id: 'mau',
      head: words.mau,
      width: '110px',
      isNumber: true,
      cell: (one) => count(one.usage.mau),
    },
    {
      id: 'emails',
      head: words.emails,
      width: '110px',
      isNumber: true,
      cell: (one) => count(one.usage.emails.delivered),
    },
    {
      id: 'beyond',
      head: words.beyond,
      width: '184px',
      isNumber: true,
      cell: (one) => count(one.usage.emails.overage),
    },
    {
      id: 'created',
      head: words.created,
      width: '120px',
      narrow: 'sub',
      cell: (one) =>
        isNarrow ? (
          words.usageOf(count(one.usage.mau), count(one.usage.emails.delivered))
        ) : (
          <Time at={one.createdAt} />
        ),
    },
    {
      id: 'actions',
      head: '',
      width: '40px',
      narrow: 'side',
      cell: (one) => (
        <RowMenu
          label={words.actions(one.name)}
          items={[
            {
              label: words.switch,
              icon: 'external',
              refused: isMember(one.id) ? undefined : words.notMember,
              onChoose: () => void openOrg({ org: one.id }),
            },
            {
              label: words.delete,
              icon: 'trash',
              isDanger: true,
              refused,
              onChoose: () => onDelete(one),
            },
          ]}
        />
      ),
    },
  ];
}

function DeleteClient({
  one,
  onClose,
}: {
  readonly one: ClientWorkspace;
  readonly onClose: () => void;
}) {
  const remove = useAct('deleteClient');
  return (
    <Confirm
      isOpen
      title={words.deleteTitle(one.name)}
      action={words.delete}
      typed={one.name}
      isBusy={remove.isPending}
      error={remove.error?.message}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(
          { path: { id: one.id }, base: one },
          {
            onSuccess: () => {
              tellDone(words.deleted(one.name));
              onClose();
            },
          },
        )
      }
    >
      {words.deleteText}
    </Confirm>
  );
}

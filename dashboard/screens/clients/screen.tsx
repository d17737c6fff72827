// Clients: the workspaces of an agency's clients, with their usage and nothing else.

import { useState } from 'react';
import { Link } from 'wouter';
import type { ClientWorkspace } from '../../api/generated.ts';
import { useList, useRead } from '../../api/queries.ts';
import { useRefusal } from '../../api/session-context.tsx';
import { actionsColumn } from '../../kit/actions-column.tsx';
import { ListScreen } from '../../kit/list-screen.tsx';
import { SearchParam, useSearchQuery } from '../../kit/params.tsx';
import { useActions } from '../../kit/use-actions.tsx';
import { orgPath, useQueryParam, withParams } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Copyable } from '../../ui/code.tsx';
import { count } from '../../ui/figure.tsx';
import { useShortcuts } from '../../ui/keys.ts';
import { useIsNarrow } from '../../ui/media.ts';
import { Note } from '../../ui/note.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { counted } from '../../words/counted.ts';
import { openClient, removeClient } from './actions.ts';
import { CreateClient } from './create-client.tsx';
import { ClientDetails } from './details.tsx';
import { words } from './words.ts';

export default function Clients() {
  const [q] = useQueryParam('q');
  const scope = useRefusal('admin');
  const org = useRead('readOrg', {});
  const isClient = org.data !== undefined && org.data.parentOrgId !== null;
  const refused = isClient ? words.isClient : scope;
  const list = useList('listClients', { query: useSearchQuery() });
  const [opened, setOpened] = useQueryParam('client');
  const tools = useActions<ClientWorkspace>();
  const [isCreating, setCreating] = useState(false);
  const create = () => refused === undefined && setCreating(true);
  useShortcuts([{ keys: 'c', label: words.create, run: create }]);
  return (
    <>
      <ListScreen
        label={words.title}
        actions={
          <Button kind="primary" icon="plus" refused={refused} onClick={create}>
            {words.create}
          </Button>
        }
        bar={
          <>
            <Note icon="info">
              {isClient ? words.isClient : words.isolation}{' '}
              {!isClient && <Link to={orgPath('billing')}>{words.invoice}</Link>}
            </Note>
            <SearchParam label={words.search} />
          </>
        }
        list={list}
        counted={counted.clients}
        columns={columns}
        to={({ id }) => withParams(orgPath('clients'), { ...(q && { q }), client: id })}
        empty={{
          icon: 'clients',
          title: words.empty,
          text: words.emptyText,
          curl: `curl ${location.origin}/v1/org/clients -H "authorization: Bearer $ENGAGE_KEY" --json '{"name":"Harbour Coffee"}'`,
        }}
      />
      <ClientDetails
        one={list.items?.find(({ id }) => id === opened)}
        refused={refused}
        onDelete={(one) => {
          setOpened(undefined);
          tools.run(removeClient, one);
        }}
        onClose={() => setOpened(undefined)}
      />
      {tools.dialog}
      {isCreating && <CreateClient onClose={() => setCreating(false)} />}
    </>
  );
}

const columns: readonly Column<ClientWorkspace>[] = [
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
    cell: (one) => <Created one={one} />,
  },
  actionsColumn(({ name }) => words.actions(name), [openClient, removeClient], {
    width: '40px',
    narrow: 'side',
  }),
];

/** On a phone a row has place for its usage alone. */
function Created({ one: { usage, createdAt } }: { readonly one: ClientWorkspace }) {
  if (!useIsNarrow()) return <Time at={createdAt} />;
  return words.usageOf(count(usage.mau), count(usage.emails.delivered));
}

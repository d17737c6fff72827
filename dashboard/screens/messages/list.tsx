// The tables of messages and of templates.

import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Message } from '../../api/generated.ts';
import { useFetchAhead, useList } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath, useQueryParam } from '../../ui/address.ts';
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx';
import { SearchBox } from '../../ui/input.tsx';
import { useShortcuts } from '../../ui/keys.ts';
import { Menu } from '../../ui/menu.tsx';
import { Empty } from '../../ui/note.tsx';
import { useCursorRows } from '../../ui/rows.ts';
import { ScreenHead } from '../../ui/screen.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { TabPanel, Tabs, useTab } from '../../ui/tabs.tsx';
import { counted } from '../../words/counted.ts';
import { createCurl } from './curl.ts';
import { MiniLook } from './mini-look.tsx';
import { RemoveDialog, useDuplicate } from './row-actions.tsx';
import { languagesColumn, textColumn, updatedColumn } from './shared-columns.tsx';
import { Templates } from './template-list.tsx';
import { words } from './words.ts';

const tabs = [
  { id: 'messages', label: words.tabs.messages },
  { id: 'templates', label: words.tabs.templates },
] as const;

export function MessageList() {
  const app = useApp();
  const tab = useTab(tabs);
  const [, go] = useLocation();
  const refused = useRefusal('write');
  const isTemplates = tab === 'templates';
  const target = isTemplates
    ? appPath(app.id, 'messages', 'templates', 'new')
    : appPath(app.id, 'messages', 'new');
  const label = isTemplates ? words.createTemplate : words.create;
  useShortcuts([{ keys: 'c', label, run: () => refused ?? go(target) }]);
  return (
    <>
      <ScreenHead
        title={words.title}
        actions={
          <Button kind="primary" icon="plus" refused={refused} onClick={() => go(target)}>
            {label}
          </Button>
        }
      />
      <div className="screen-bar">
        <Tabs label={words.views.label} tabs={tabs} />
      </div>
      <TabPanel id={isTemplates ? 'templates' : 'messages'} isFilling>
        {isTemplates ? <Templates /> : <SavedMessages />}
      </TabPanel>
    </>
  );
}

function SavedMessages() {
  const app = useApp();
  const [q, setQ] = useQueryParam('q');
  const ahead = useFetchAhead();
  const list = useList('listMessages', {
    path: { appId: app.id },
    query: { order: 'newest', ...(q === undefined ? {} : { q }) },
  });
  const rows = useCursorRows<Message>(list);
  const [removing, setRemoving] = useState<Message>();
  const refused = useRefusal('write');
  const duplicate = useDuplicate();
  const columns: readonly Column<Message>[] = [
    {
      id: 'message',
      head: words.columns.message,
      width: 'minmax(0, 3fr)',
      narrow: 'title',
      cell: (one) => (
        <span className="message-cell">
          <MiniLook message={one} />
          <span className="ellipsis">{one.name ?? one.title ?? words.unnamed}</span>
        </span>
      ),
    },
    textColumn,
    languagesColumn,
    updatedColumn,
    {
      id: 'more',
      head: '',
      width: '32px',
      cell: (one) => (
        <Menu
          trigger={<IconButton label={words.columns.more} icon="more" size="small" />}
          items={[
            { label: words.open, icon: 'edit', to: appPath(app.id, 'messages', one.id) },
            { label: words.duplicate, icon: 'copy', refused, onChoose: () => duplicate(one) },
            {
              label: words.remove,
              icon: 'trash',
              isDanger: true,
              refused,
              onChoose: () => setRemoving(one),
            },
          ]}
        />
      ),
    },
  ];
  return (
    <>
      <div className="screen-bar">
        <SearchBox label={words.search} value={q ?? ''} onChange={setQ} />
      </div>
      <div className="screen-fill">
        <Table
          label={words.tabs.messages}
          counted={counted.messages}
          rows={rows}
          columns={columns}
          keyOf={(one) => one.id}
          to={(one) => appPath(app.id, 'messages', one.id)}
          onNear={(one) => ahead('readMessage', { path: { appId: app.id, id: one.id } })}
          empty={
            q === undefined ? (
              <Empty
                icon="messages"
                title={words.empty}
                action={
                  <ButtonLink kind="primary" to={appPath(app.id, 'messages', 'new')} icon="plus">
                    {words.create}
                  </ButtonLink>
                }
                curl={createCurl(app.id)}
              >
                {words.emptyText}
              </Empty>
            ) : (
              <Empty icon="search" title={words.emptySearch}>
                {words.emptySearchText}
              </Empty>
            )
          }
        />
      </div>
      {removing !== undefined && (
        <RemoveDialog kind="message" row={removing} onClose={() => setRemoving(undefined)} />
      )}
    </>
  );
}

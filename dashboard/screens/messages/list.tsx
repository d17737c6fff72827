// The tables of messages and of templates.

import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Message, MessageTemplate } from '../../api/generated.ts';
import { useFetchAhead, useList } from '../../api/queries.ts';
import { appPath, useQueryParam } from '../../frame/address.ts';
import { useShortcuts } from '../../frame/keys.ts';
import { useApp, useRefusal } from '../../frame/session-context.tsx';
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx';
import { SearchBox } from '../../ui/input.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Empty } from '../../ui/note.tsx';
import { useCursorRows } from '../../ui/rows.ts';
import { ScreenHead } from '../../ui/screen.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { TabPanel, Tabs, useTab } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { createCurl, createTemplateCurl } from './curl.ts';
import { MiniLook, plainText } from './mini-look.tsx';
import { RemoveDialog, useDuplicate } from './row-actions.tsx';
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
      head: words.columns.more,
      width: '72px',
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

function Templates() {
  const app = useApp();
  const [q, setQ] = useQueryParam('q');
  const list = useList('listMessageTemplates', {
    path: { appId: app.id },
    query: { order: 'newest', ...(q === undefined ? {} : { q }) },
  });
  const rows = useCursorRows<MessageTemplate>(list);
  const columns: readonly Column<MessageTemplate>[] = [
    {
      id: 'handle',
      head: words.columns.handle,
      width: 'minmax(0, 2fr)',
      narrow: 'title',
      cell: (one) => (
        <span className="message-cell">
          <MiniLook message={one} />
          <code className="ellipsis">{one.name}</code>
        </span>
      ),
    },
    textColumn,
    languagesColumn,
    updatedColumn,
  ];
  return (
    <>
      <div className="screen-bar">
        <SearchBox label={words.search} value={q ?? ''} onChange={setQ} />
      </div>
      <div className="screen-fill">
        <Table
          label={words.tabs.templates}
          rows={rows}
          columns={columns}
          keyOf={(one) => one.id}
          to={(one) => appPath(app.id, 'messages', 'templates', one.id)}
          empty={
            <Empty
              icon="messages"
              title={words.emptyTemplates}
              action={
                <ButtonLink
                  kind="primary"
                  to={appPath(app.id, 'messages', 'templates', 'new')}
                  icon="plus"
                >
                  {words.createTemplate}
                </ButtonLink>
              }
              curl={createTemplateCurl(app.id)}
            >
              {words.emptyTemplatesText}
            </Empty>
          }
        />
      </div>
    </>
  );
}

type Row = Message | MessageTemplate;

const textColumn: Column<Row> = {
  id: 'text',
  head: words.columns.text,
  width: 'minmax(0, 4fr)',
  narrow: 'sub',
  cell: ({ title, body }) => {
    const shown = [title, plainText(body)].filter(Boolean).join(' · ');
    return <span className="soft ellipsis">{shown === '' ? words.noText : shown}</span>;
  },
};

const languagesColumn: Column<Row> = {
  id: 'languages',
  head: words.columns.languages,
  width: '130px',
  cell: ({ localizations = {} }) => (
    <span className="soft ellipsis">{Object.keys(localizations).join(', ')}</span>
  ),
};

const updatedColumn: Column<Row> = {
  id: 'updated',
  head: words.columns.updated,
  width: '130px',
  narrow: 'side',
  cell: ({ updatedAt }) => <Time at={updatedAt} />,
};

// The tables of messages and of templates.

import type { Message } from '../../api/generated.ts';
import { useList } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { CreateLink, ListPane } from '../../kit/list-screen.tsx';
import { useSearchQuery } from '../../kit/params.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import type { Column } from '../../ui/table.tsx';
import { TabPanel, Tabs, useTab } from '../../ui/tabs.tsx';
import { counted } from '../../words/counted.ts';
import { MiniLook } from './mini-look.tsx';
import { duplicate, open, remove } from './row-actions.tsx';
import { languagesColumn, menuColumn, textColumn, updatedColumn } from './shared-columns.tsx';
import { createTemplate, Templates } from './template-list.tsx';
import { words } from './words.ts';

const tabs = [
  { id: 'messages', label: words.tabs.messages },
  { id: 'templates', label: words.tabs.templates },
] as const;

const create = <CreateLink label={words.create} to={['messages', 'new']} />;

export function MessageList() {
  const tab = useTab(tabs);
  const isTemplates = tab === 'templates';
  return (
    <>
      <ScreenHead title={words.title} actions={isTemplates ? createTemplate : create} />
      <div className="screen-bar">
        <Tabs label={words.views.label} tabs={tabs} />
      </div>
      <TabPanel id={tab} isFilling>
        {isTemplates ? <Templates /> : <SavedMessages />}
      </TabPanel>
    </>
  );
}

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
  menuColumn([open('messages'), duplicate, remove]),
];

const example =
  '{"name": "Welcome", "title": "Welcome", "body": "Good to have you, {{ first_name }}"}';

function SavedMessages() {
  const app = useApp();
  return (
    <ListPane
      label={words.tabs.messages}
      search={words.search}
      list={useList('listMessages', { path: { appId: app.id }, query: useSearchQuery() })}
      counted={counted.messages}
      columns={columns}
      to={({ id }) => ['messages', id]}
      reads="readMessage"
      noneFound={{ title: words.emptySearch, children: words.emptySearchText }}
      empty={{
        icon: 'messages',
        title: words.empty,
        text: words.emptyText,
        action: create,
        curl: { path: 'messages', body: example, lines: 3 },
      }}
    />
  );
}

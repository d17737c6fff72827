// The table of templates: what backends send by its handle.

import type { MessageTemplate } from '../../api/generated.ts';
import { useList } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { CreateLink, ListPane } from '../../kit/list-screen.tsx';
import { useSearchQuery } from '../../kit/params.tsx';
import type { Column } from '../../ui/table.tsx';
import { counted } from '../../words/counted.ts';
import { MiniLook } from './mini-look.tsx';
import { open, removeTemplate, use } from './row-actions.tsx';
import { languagesColumn, menuColumn, textColumn, updatedColumn } from './shared-columns.tsx';
import { words } from './words.ts';

export const createTemplate = (
  <CreateLink label={words.createTemplate} to={['messages', 'templates', 'new']} />
);

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
  menuColumn([open('messages', 'templates'), use, removeTemplate]),
];

export function Templates() {
  const app = useApp();
  return (
    <ListPane
      label={words.tabs.templates}
      search={words.search}
      list={useList('listMessageTemplates', { path: { appId: app.id }, query: useSearchQuery() })}
      counted={counted.templates}
      columns={columns}
      to={({ id }) => ['messages', 'templates', id]}
      noneFound={{ title: words.emptyTemplateSearch, children: words.emptySearchText }}
      empty={{
        icon: 'messages',
        title: words.emptyTemplates,
        text: words.emptyTemplatesText,
        action: createTemplate,
        curl: {
          path: 'message-templates',
          body: '{"name": "sign-in-code", "body": "{{ code }} is your code"}',
          lines: 3,
        },
      }}
    />
  );
}

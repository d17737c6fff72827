// The table of templates: what backends send by its handle.

import { useState } from 'react';
import type { MessageTemplate } from '../../api/generated.ts';
import { useList } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath, useQueryParam } from '../../ui/address.ts';
import { ButtonLink, IconButton } from '../../ui/button.tsx';
import { SearchBox } from '../../ui/input.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Empty } from '../../ui/note.tsx';
import { useCursorRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { counted } from '../../words/counted.ts';
import { createTemplateCurl } from './curl.ts';
import { MiniLook } from './mini-look.tsx';
import { RemoveDialog } from './row-actions.tsx';
import { languagesColumn, textColumn, updatedColumn } from './shared-columns.tsx';
import { words } from './words.ts';

export function Templates() {
  const app = useApp();
  const [q, setQ] = useQueryParam('q');
  const list = useList('listMessageTemplates', {
    path: { appId: app.id },
    query: { order: 'newest', ...(q === undefined ? {} : { q }) },
  });
  const rows = useCursorRows<MessageTemplate>(list);
  const [removing, setRemoving] = useState<MessageTemplate>();
  const refused = useRefusal('write');
  const templatePath = (id: string) => appPath(app.id, 'messages', 'templates', id);
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
    {
      id: 'more',
      head: '',
      width: '32px',
      cell: (one) => (
        <Menu
          trigger={<IconButton label={words.columns.more} icon="more" size="small" />}
          items={[
            { label: words.open, icon: 'edit', to: templatePath(one.id) },
            {
              label: words.use,
              icon: 'plus',
              to: appPath(app.id, 'messages', 'new', `template.${one.id}`),
            },
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
          label={words.tabs.templates}
          counted={counted.templates}
          rows={rows}
          columns={columns}
          keyOf={(one) => one.id}
          to={(one) => templatePath(one.id)}
          empty={
            q !== undefined ? (
              <Empty icon="search" title={words.emptyTemplateSearch}>
                {words.emptySearchText}
              </Empty>
            ) : (
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
            )
          }
        />
      </div>
      {removing !== undefined && (
        <RemoveDialog kind="template" row={removing} onClose={() => setRemoving(undefined)} />
      )}
    </>
  );
}

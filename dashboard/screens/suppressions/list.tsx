// The suppressions as a table; a row leads to the people with its address.

import type { Suppression } from '../../api/generated.ts';
import { useApp } from '../../api/session-context.tsx';
import { curlOf } from '../../kit/list-screen.tsx';
import { FilterParam, SearchParam } from '../../kit/params.tsx';
import { appPath, withParams } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/note.tsx';
import { type Rows, Table } from '../../ui/table.tsx';
import { channelNames } from '../../words/channels.ts';
import { counted } from '../../words/counted.ts';
import { columns } from './columns.tsx';
import { words } from './words.ts';

const channels = Object.entries(channelNames).map(([value, label]) => ({ value, label }));

export function SuppressionList({
  rows,
  isFiltered,
  refused,
  onAdd,
}: {
  readonly rows: Rows<Suppression>;
  readonly isFiltered: boolean;
  readonly refused: string | undefined;
  readonly onAdd: () => void;
}) {
  const app = useApp();
  const body = '{"channel":"email","address":"ada@example.com"}';
  return (
    <>
      <div className="screen-bar">
        <FilterParam
          name="channel"
          label={words.channel}
          none={words.anyChannel}
          choices={channels}
        />
        <SearchParam label={words.find} />
      </div>
      <div className="screen-fill">
        <Table
          label={words.title}
          counted={counted.addresses}
          rows={rows}
          columns={columns}
          keyOf={(one) => `${one.identity} ${one.address}`}
          to={(one) => withParams(appPath(app.id, 'people'), { q: one.address })}
          empty={
            isFiltered ? (
              <Empty icon="search" title={words.emptyFiltered} />
            ) : (
              <Empty
                icon="suppressions"
                title={words.empty}
                action={
                  <Button refused={refused} onClick={onAdd}>
                    {words.add}
                  </Button>
                }
                curl={curlOf(app.id, { path: 'suppressions', body })}
              >
                {words.emptyText}
              </Empty>
            )
          }
        />
      </div>
    </>
  );
}

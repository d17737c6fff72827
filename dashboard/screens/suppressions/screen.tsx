// Addresses that get no messages: who, since when and why; adding and taking back. Above them, what
// may be an opt-out.

import { useState } from 'react';
import type { Channel, Suppression } from '../../api/generated.ts';
import { useAct, useList } from '../../api/queries.ts';
import { appPath, useQueryParam, withParams } from '../../frame/address.ts';
import { useShortcuts } from '../../frame/keys.ts';
import { useApp, useRefusal } from '../../frame/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectBox } from '../../ui/choices.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { SearchBox } from '../../ui/input.tsx';
import { useIsNarrow } from '../../ui/media.ts';
import { Empty, Grey } from '../../ui/note.tsx';
import { useCursorRows } from '../../ui/rows.ts';
import { ScreenHead } from '../../ui/screen.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { channelNames } from '../../words/channels.ts';
import { counted } from '../../words/counted.ts';
import { optOutBy, optOutNote } from '../../words/opt-outs.ts';
import { AddSuppression } from './add.tsx';
import { Doubtful } from './doubtful.tsx';
import { channelsOf, InShort, OptOutFacts } from './facts.tsx';
import { words } from './words.ts';

const any = '';

export default function Suppressions() {
  const app = useApp();
  const path = { appId: app.id };
  const refused = useRefusal('write');
  const [channel, setChannel] = useQueryParam('channel');
  const [q, setQ] = useQueryParam('q');
  const [isAdding, setAdding] = useState(false);
  const [asked, setAsked] = useState<Suppression>();
  const isNarrow = useIsNarrow();
  const list = useList('listSuppressions', {
    path,
    query: {
      ...(channel === undefined ? {} : { channel: channel as Channel }),
      ...(q === undefined || q === '' ? {} : { q }),
    },
  });
  const rows = useCursorRows<Suppression>(list);
  const doubtful = useList('listDoubtful', { path, query: {} });
  const remove = useAct('deleteSuppression');
  useShortcuts([{ keys: 'c', label: words.add, run: () => refused ?? setAdding(true) }]);
  const columns: readonly Column<Suppression>[] = [
    { id: 'address', head: words.address, cell: (one) => one.address, narrow: 'title' },
    {
      id: 'channels',
      head: words.channels,
      cell: (one) => (isNarrow ? <InShort of={one} /> : channelsOf(one)),
      narrow: 'sub',
    },
    { id: 'scope', head: words.scope, width: '130px', cell: ({ scope }) => words.scopes[scope] },
    {
      id: 'source',
      head: words.source,
      width: '190px',
      cell: optOutBy,
    },
    { id: 'reason', head: words.reason, cell: optOutNote },
    {
      id: 'since',
      head: words.since,
      width: '110px',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      id: 'remove',
      head: '',
      width: '104px',
      cell: (one) => (
        <Button size="small" refused={refused} onClick={() => setAsked(one)}>
          {words.remove}
        </Button>
      ),
      narrow: 'side',
    },
  ];
  return (
    <>
      <ScreenHead
        title={words.title}
        actions={
          <Button kind="primary" icon="plus" refused={refused} onClick={() => setAdding(true)}>
            {words.add}
          </Button>
        }
      />
      {/* Waits for the doubtful opt-outs, which would move the list down. */}
      {doubtful.isLoading ? (
        <div className="screen-fill">
          <Grey />
        </div>
      ) : (
        <>
          <Doubtful list={doubtful} />
          <div className="screen-bar">
            <SelectBox
              isAuto
              label={words.channel}
              choices={[
                { value: any, label: words.anyChannel },
                ...Object.entries(channelNames).map(([value, label]) => ({ value, label })),
              ]}
              value={channel ?? any}
              onChange={(value) => setChannel(value || undefined)}
            />
            <SearchBox label={words.find} value={q ?? ''} onChange={setQ} />
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
                q === undefined && channel === undefined ? (
                  <Empty
                    icon="suppressions"
                    title={words.empty}
                    action={
                      <Button refused={refused} onClick={() => setAdding(true)}>
                        {words.add}
                      </Button>
                    }
                    curl={`curl -X POST ${location.origin}/v1/apps/${app.id}/suppressions -H "authorization: Bearer $ENGAGE_KEY" -H "content-type: application/json" -d '{"channel":"email","address":"ada@example.com"}'`}
                  >
                    {words.emptyText}
                  </Empty>
                ) : (
                  <Empty icon="search" title={words.emptyFiltered} />
                )
              }
            />
          </div>
        </>
      )}
      <AddSuppression isOpen={isAdding} onClose={() => setAdding(false)} />
      <Confirm
        title={words.removeTitle(asked?.address ?? '')}
        action={words.remove}
        isOpen={asked !== undefined}
        isBusy={remove.isPending}
        error={remove.error?.message}
        onClose={() => setAsked(undefined)}
        onConfirm={() => {
          const [first] = asked?.channels ?? [];
          if (asked === undefined || first === undefined) return;
          remove.mutate(
            { path, query: { channel: first, address: asked.address }, base: asked },
            {
              onSuccess: () => {
                tellDone(words.removed);
                setAsked(undefined);
              },
            },
          );
        }}
      >
        <div className="stack">
          {asked !== undefined && <OptOutFacts of={asked} />}
          <p>{asked?.identity === 'phone' ? words.removePhone : words.removeText}</p>
        </div>
      </Confirm>
    </>
  );
}

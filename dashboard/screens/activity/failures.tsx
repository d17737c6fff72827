// Messages that failed and may be sent again: by reason, some, or all.

import { useState } from 'react';
import type { DeadLetter } from '../../api/generated.ts';
import { useAct, useList } from '../../api/queries.ts';
import { appPath, useQueryParam } from '../../frame/address.ts';
import { useApp, useRefusal } from '../../frame/session-context.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { count } from '../../ui/figure.tsx';
import { Empty } from '../../ui/note.tsx';
import { useCursorRows, useSelection } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { reasonWords } from '../../words/reasons.ts';
import { words } from './words.ts';

export function Failures() {
  const app = useApp();
  const [reason, setReason] = useQueryParam('reason');
  const [isAsking, setAsking] = useState(false);
  const refused = useRefusal('send');
  const selection = useSelection();
  const list = useList(
    'listDeadLetters',
    { path: { appId: app.id }, query: reason === undefined ? {} : { reason } },
    { everyMs: 10_000 },
  );
  const rows = useCursorRows<DeadLetter>(list);
  const redrive = useAct('redriveDeadLetters', ['listDeadLetters', 'readDeliveryFailures']);
  const chosen = [...selection.keys];
  const what =
    chosen.length > 0
      ? { ids: chosen }
      : reason === undefined
        ? { all: true as const }
        : { reason };
  const action =
    chosen.length > 0
      ? words.redriveSome(count(chosen.length))
      : reason === undefined
        ? words.redriveAll
        : words.redriveReason(reasonWords(reason));
  return (
    <>
      <div className="screen-bar">
        {reason !== undefined && (
          <Button size="small" icon="close" onClick={() => setReason(undefined)}>
            {reasonWords(reason)}
          </Button>
        )}
        <span className="grow" />
        {rows.total !== 0 && (
          <Button icon="refresh" refused={refused} onClick={() => setAsking(true)}>
            {action}
          </Button>
        )}
      </div>
      <div className="screen-fill">
        <Table
          label={words.failures}
          rows={rows}
          columns={columns}
          keyOf={({ id }) => id}
          to={({ sendId, lane, subscriberId }) =>
            lane === 'transactional'
              ? appPath(app.id, 'activity', sendId)
              : appPath(app.id, 'people', subscriberId ?? '')
          }
          selection={selection}
          selectionActions={
            <Button size="small" onClick={selection.clear}>
              {words.clear}
            </Button>
          }
          empty={
            <Empty icon="check" title={words.noFailures}>
              {words.noFailuresText}
            </Empty>
          }
        />
      </div>
      <Confirm
        title={words.redriveTitle}
        action={action}
        isOpen={isAsking}
        isBusy={redrive.isPending}
        error={redrive.error?.message}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          redrive.mutate(
            { path: { appId: app.id }, body: what },
            {
              onSuccess: ({ redriven }) => {
                tellDone(words.redriven(count(redriven)));
                selection.clear();
                setAsking(false);
              },
            },
          )
        }
      >
        {words.redriveText}
      </Confirm>
    </>
  );
}

const columns: readonly Column<DeadLetter>[] = [
  {
    id: 'reason',
    head: words.reason,
    width: 'minmax(0, 2fr)',
    cell: ({ text }) => text,
    narrow: 'title',
  },
  { id: 'lane', head: words.lane, width: '120px', cell: ({ lane }) => words.lanes[lane] },
  {
    id: 'channel',
    head: words.channel,
    width: '100px',
    cell: ({ channel }) => channel,
    narrow: 'sub',
  },
  {
    id: 'attempts',
    head: words.attempts,
    width: '80px',
    isNumber: true,
    cell: ({ attempts }) => count(attempts),
  },
  {
    id: 'state',
    head: words.outcome,
    width: '120px',
    cell: ({ recoveredAt, redrivenAt }) => {
      if (recoveredAt !== null) return <Badge tone="good">{words.recovered}</Badge>;
      if (redrivenAt !== null) return <Badge tone="notice">{words.wasRedriven}</Badge>;
      return <Badge tone="bad">{words.open}</Badge>;
    },
    narrow: 'side',
  },
  {
    id: 'when',
    head: words.when,
    width: '110px',
    cell: ({ at }) => <Time at={at} />,
    narrow: 'side-sub',
  },
];

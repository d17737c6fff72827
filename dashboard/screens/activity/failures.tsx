// Messages that failed and may be sent again: by reason, some, or all.

import { useState } from 'react';
import type { DeadLetter } from '../../api/generated.ts';
import { pollEveryMs, useTopics } from '../../api/live.ts';
import { useList } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { given } from '../../kit/params.tsx';
import { appPath, useQueryParam } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { count } from '../../ui/figure.tsx';
import { useCursorRows, useSelection } from '../../ui/rows.ts';
import { Table } from '../../ui/table.tsx';
import { counted } from '../../words/counted.ts';
import { FailureBar } from './failure-bar.tsx';
import { failureColumns } from './failure-columns.tsx';
import { FailureReasons, mayRepeat, useFailures } from './failure-reasons.tsx';
import { NoFailures } from './no-failures.tsx';
import { type Asked, RedriveDialog } from './redrive-dialog.tsx';
import { words } from './words.ts';

type Lane = DeadLetter['lane'];

export function Failures() {
  const app = useApp();
  const [reason, setReason] = useQueryParam('reason');
  const [lane, setLane] = useQueryParam('lane');
  const [asked, setAsked] = useState<Asked>();
  const refused = useRefusal('send');
  const selection = useSelection();
  const failures = useFailures() ?? [];
  const isServed = useTopics(app.id, ['limits', 'newest-event']);
  const list = useList(
    'listDeadLetters',
    {
      path: { appId: app.id },
      query: given({ reason, lane: lane as Lane | undefined }),
    },
    { everyMs: !isServed && pollEveryMs },
  );
  const rows = useCursorRows<DeadLetter>(list);
  return (
    <>
      <FailureBar failures={failures} refused={refused} onRedrive={setAsked} />
      <div className="screen-fill failures">
        <FailureReasons failures={failures} reason={reason} onRedrive={setAsked} />
        <Table
          label={words.failures}
          counted={counted.failures}
          rows={rows}
          columns={failureColumns}
          keyOf={({ id }) => id}
          to={({ sendId, lane: of, subscriberId }) =>
            of === 'transactional'
              ? appPath(app.id, 'activity', sendId)
              : appPath(app.id, 'people', subscriberId ?? '')
          }
          selection={selection}
          selectionActions={
            <SelectionActions
              selection={selection}
              items={list.items}
              refused={refused}
              onRedrive={setAsked}
            />
          }
          empty={
            <NoFailures
              isFiltered={reason !== undefined || lane !== undefined}
              onClear={() => {
                setReason(undefined);
                setLane(undefined);
              }}
            />
          }
        />
      </div>
      <RedriveDialog asked={asked} onClose={() => setAsked(undefined)} onDone={selection.clear} />
    </>
  );
}

/** Sends the chosen ones again, or unselects them. */
function SelectionActions({
  selection,
  items,
  refused,
  onRedrive,
}: {
  readonly selection: ReturnType<typeof useSelection>;
  readonly items: readonly DeadLetter[] | undefined;
  readonly refused: string | undefined;
  readonly onRedrive: (asked: Asked) => void;
}) {
  return (
    <>
      <Button
        size="small"
        icon="refresh"
        refused={refused}
        onClick={() =>
          onRedrive({
            what: { ids: [...selection.keys] },
            action: words.redriveSome(count(selection.keys.size)),
            mayRepeat: (items ?? []).some((one) => selection.keys.has(one.id) && mayRepeat(one)),
          })
        }
      >
        {words.redriveSelected}
      </Button>
      <Button size="small" onClick={selection.clear}>
        {words.unselect}
      </Button>
    </>
  );
}

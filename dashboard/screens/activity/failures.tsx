// Messages that failed and may be sent again: by reason, some, or all.

import { useState } from 'react';
import { Link } from 'wouter';
import type { DeadLetter } from '../../api/generated.ts';
import { pollEveryMs, useTopics } from '../../api/live.ts';
import { useList } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { NameOf } from '../../person/person-name.tsx';
import { appPath, useQueryParam } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectBox } from '../../ui/choices.tsx';
import { count } from '../../ui/figure.tsx';
import { Empty } from '../../ui/note.tsx';
import { useCursorRows, useSelection } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { channelName } from '../../words/channels.ts';
import { counted } from '../../words/counted.ts';
import { reasonText } from '../../words/send-reasons.ts';
import { FailureReasons, mayRepeat, openOf, useFailures } from './failure-reasons.tsx';
import { type Asked, RedriveDialog } from './redrive-dialog.tsx';
import { words } from './words.ts';

const any = '';

type Lane = DeadLetter['lane'];

const lanes = (Object.keys(words.lanes) as Lane[]).map((value) => ({
  value,
  label: words.lanes[value],
}));

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
      query: {
        ...(reason === undefined ? {} : { reason }),
        ...(lane === undefined ? {} : { lane: lane as Lane }),
      },
    },
    { everyMs: !isServed && pollEveryMs },
  );
  const rows = useCursorRows<DeadLetter>(list);
  const open = openOf(failures, reason);
  const reasons = [...new Set([...failures.map((one) => one.reason), ...(reason ? [reason] : [])])];
  return (
    <>
      <div className="screen-bar">
        <SelectBox
          isAuto
          label={words.reason}
          choices={[
            { value: any, label: words.anyReason },
            ...reasons.map((value) => ({ value, label: reasonText(value) })),
          ]}
          value={reason ?? any}
          onChange={(value) => setReason(value || undefined)}
        />
        <SelectBox
          isAuto
          label={words.lane}
          choices={[{ value: any, label: words.anyLane }, ...lanes]}
          value={lane ?? any}
          onChange={(value) => setLane(value || undefined)}
        />
        <span className="grow" />
        {open > 0 && (
          <Button
            kind="primary"
            icon="refresh"
            refused={refused}
            onClick={() =>
              setAsked({
                what: reason === undefined ? { all: true, open } : { reason, open },
                action: words.redriveSome(count(open)),
                mayRepeat: failures
                  .filter((one) => reason === undefined || one.reason === reason)
                  .some((one) => one.count > one.recovered && mayRepeat(one)),
              })
            }
          >
            {reason === undefined
              ? words.redriveAll(count(open))
              : words.redriveReason(count(open))}
          </Button>
        )}
      </div>
      <div className="screen-fill failures">
        <FailureReasons failures={failures} reason={reason} onRedrive={setAsked} />
        <Table
          label={words.failures}
          counted={counted.failures}
          rows={rows}
          columns={columns}
          keyOf={({ id }) => id}
          to={({ sendId, lane: of, subscriberId }) =>
            of === 'transactional'
              ? appPath(app.id, 'activity', sendId)
              : appPath(app.id, 'people', subscriberId ?? '')
          }
          selection={selection}
          selectionActions={
            <>
              <Button
                size="small"
                icon="refresh"
                refused={refused}
                onClick={() =>
                  setAsked({
                    what: { ids: [...selection.keys] },
                    action: words.redriveSome(count(selection.keys.size)),
                    mayRepeat: (list.items ?? []).some(
                      (one) => selection.keys.has(one.id) && mayRepeat(one),
                    ),
                  })
                }
              >
                {words.redriveSelected}
              </Button>
              <Button size="small" onClick={selection.clear}>
                {words.unselect}
              </Button>
            </>
          }
          empty={
            reason === undefined && lane === undefined ? (
              <Empty icon="check" title={words.noFailures}>
                {words.noFailuresText}
              </Empty>
            ) : (
              <Empty
                icon="filter"
                title={words.noFailuresFiltered}
                action={
                  <Button
                    onClick={() => {
                      setReason(undefined);
                      setLane(undefined);
                    }}
                  >
                    {words.clear}
                  </Button>
                }
              />
            )
          }
        />
      </div>
      <RedriveDialog asked={asked} onClose={() => setAsked(undefined)} onDone={selection.clear} />
    </>
  );
}

/** Of a campaign's message, with the way to the campaign. */
function Lane({ letter: { lane, campaignId } }: { readonly letter: DeadLetter }) {
  const app = useApp();
  if (campaignId === null) return words.lanes[lane];
  return <Link to={appPath(app.id, 'campaigns', campaignId)}>{words.lanes[lane]}</Link>;
}

const columns: readonly Column<DeadLetter>[] = [
  {
    id: 'reason',
    head: words.reason,
    width: 'minmax(0, 1.4fr)',
    cell: ({ reason, channel, text }) => <span title={text}>{reasonText(reason, channel)}</span>,
    narrow: 'title',
  },
  {
    id: 'detail',
    head: words.detail,
    width: 'minmax(0, 2fr)',
    cell: ({ detail }) => <span title={detail}>{detail}</span>,
  },
  {
    id: 'who',
    head: words.who,
    width: 'minmax(0, 1.2fr)',
    cell: ({ subscriberId }) =>
      subscriberId === null ? words.deleted : <NameOf subscriberId={subscriberId} />,
  },
  {
    id: 'lane',
    head: words.lane,
    width: '110px',
    cell: (one) => <Lane letter={one} />,
  },
  {
    id: 'channel',
    head: words.channel,
    width: '110px',
    cell: ({ channel }) => channelName(channel),
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
    head: words.state,
    width: '132px',
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

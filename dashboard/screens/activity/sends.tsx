// Transactional sends, newest first. The list follows what happens until it is paused.

import { useState } from 'react';
import type { Channel, ListedSend } from '../../api/generated.ts';
import { useFetchAhead, useList } from '../../api/queries.ts';
import { appPath, useQueryParam } from '../../frame/address.ts';
import { useShortcuts } from '../../frame/keys.ts';
import { useApp } from '../../frame/session-context.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectBox } from '../../ui/choices.tsx';
import { Empty } from '../../ui/note.tsx';
import { useCursorRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { channelNames } from '../../words/channels.ts';
import { type Outcome, outcomeTones, outcomeWords } from '../../words/outcomes.ts';
import { reasonWords } from '../../words/reasons.ts';
import { words } from './words.ts';

const everyMs = 3_000;
const any = '';

const outcomes = (['pending', 'delivered', 'bounced', 'failed', 'suppressed'] as const).map(
  (value) => ({ value, label: outcomeWords[value] }),
);
const channels = Object.entries(channelNames).map(([value, label]) => ({ value, label }));

export function Sends() {
  const app = useApp();
  const [status, setStatus] = useQueryParam('status');
  const [channel, setChannel] = useQueryParam('channel');
  const [isPaused, setPaused] = useState(false);
  const fetchAhead = useFetchAhead();
  const list = useList(
    'listNotifications',
    {
      path: { appId: app.id },
      query: {
        ...(status === undefined ? {} : { status: status as Exclude<Outcome, 'holdout'> }),
        ...(channel === undefined ? {} : { channel: channel as Channel }),
      },
    },
    { everyMs: isPaused ? false : everyMs },
  );
  useShortcuts([
    {
      keys: ' ',
      label: isPaused ? words.resume : words.pause,
      run: () => setPaused(!isPaused),
    },
  ]);
  const rows = useCursorRows<ListedSend>(list);
  const isFiltered = status !== undefined || channel !== undefined;
  return (
    <>
      <div className="screen-bar">
        <SelectBox
          isAuto
          label={words.outcomeFilter}
          choices={[{ value: any, label: words.anyOutcome }, ...outcomes]}
          value={status ?? any}
          onChange={(value) => setStatus(value || undefined)}
        />
        <SelectBox
          isAuto
          label={words.channelFilter}
          choices={[{ value: any, label: words.anyChannel }, ...channels]}
          value={channel ?? any}
          onChange={(value) => setChannel(value || undefined)}
        />
        <span className="grow" />
        <Badge tone={isPaused ? 'off' : 'good'}>{isPaused ? words.paused : words.live}</Badge>
        <Button
          size="small"
          icon={isPaused ? 'play' : 'pause'}
          onClick={() => setPaused(!isPaused)}
        >
          {isPaused ? words.resume : words.pause}
        </Button>
      </div>
      <div className="screen-fill">
        <Table
          label={words.sends}
          rows={rows}
          columns={columns}
          keyOf={({ id }) => id}
          to={({ id }) => appPath(app.id, 'activity', id)}
          onNear={({ id }) =>
            fetchAhead('readNotification', {
              path: { appId: app.id, id },
              query: { story: 'true' },
            })
          }
          empty={
            isFiltered ? (
              <Empty icon="filter" title={words.emptyFiltered} />
            ) : (
              <Empty icon="activity" title={words.empty} curl={exampleCurl(app.id)}>
                {words.emptyText}
              </Empty>
            )
          }
        />
      </div>
    </>
  );
}

const columns: readonly Column<ListedSend>[] = [
  {
    id: 'message',
    head: words.message,
    width: 'minmax(0, 2fr)',
    cell: ({ title, templateId, id }) => title ?? templateId ?? id,
    narrow: 'title',
  },
  {
    id: 'who',
    head: words.who,
    cell: ({ externalUserId, subscriberId }) => externalUserId ?? subscriberId ?? words.deleted,
    narrow: 'sub',
  },
  {
    id: 'channels',
    head: words.channels,
    cell: (send) => send.channels.map((one) => channelNames[one]).join(', '),
  },
  {
    id: 'outcome',
    head: words.outcome,
    width: '120px',
    cell: ({ status }) => <Badge tone={outcomeTones[status]}>{outcomeWords[status]}</Badge>,
    narrow: 'side',
  },
  {
    id: 'reason',
    head: words.reason,
    cell: ({ outcomes: some }) => {
      const reasons = some.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));
      return [...new Set(reasons)].map(reasonWords).join(', ');
    },
  },
  {
    id: 'when',
    head: words.when,
    width: '110px',
    cell: ({ acceptedAt }) => <Time at={acceptedAt} />,
    narrow: 'side-sub',
  },
];

function exampleCurl(appId: string): string {
  return [
    `curl ${location.origin}/v1/apps/${appId}/notifications \\`,
    "  -H 'authorization: Bearer <API_KEY>' -H 'content-type: application/json' \\",
    `  -d '{"externalUserId": "customer-42", "title": "Your order is on its way", "body": "It arrives tomorrow."}'`,
  ].join('\n');
}

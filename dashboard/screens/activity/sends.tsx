// Transactional sends, newest first. The list follows what happens until it is paused.

import { useMemo } from 'react';
import type { Channel, ListedSend } from '../../api/generated.ts';
import { pollEveryMs, useTopic } from '../../api/live.ts';
import { useFetchAhead, useList } from '../../api/queries.ts';
import { storyOfSend } from '../../api/send-story.ts';
import { useApp } from '../../api/session-context.tsx';
import { given } from '../../kit/params.tsx';
import { NameOf } from '../../person/person-name.tsx';
import { appPath, useQueryParam } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { useHold } from '../../ui/hold.ts';
import { useShortcuts } from '../../ui/keys.ts';
import { Empty } from '../../ui/note.tsx';
import { useCursorRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { channelNames } from '../../words/channels.ts';
import { counted } from '../../words/counted.ts';
import { type Outcome, outcomeTones, outcomeWords } from '../../words/outcomes.ts';
import { reasonText } from '../../words/send-reasons.ts';
import { SendFilters } from './send-filters.tsx';
import { isPeriod, startOf } from './since.ts';
import { words } from './words.ts';

export function Sends() {
  const app = useApp();
  const [status] = useQueryParam('status');
  const [channel] = useQueryParam('channel');
  const [template] = useQueryParam('template');
  const [since] = useQueryParam('since');
  const fetchAhead = useFetchAhead();
  const from = useMemo(() => (isPeriod(since) ? startOf(since, Date.now()) : undefined), [since]);
  const query = given({
    status: status as Exclude<Outcome, 'accepted' | 'holdout'> | undefined,
    channel: channel as Channel | undefined,
    template,
    from,
  });
  const isServed = useTopic(app.id, 'activity');
  const list = useList(
    'listNotifications',
    { path: { appId: app.id }, query },
    { everyMs: !isServed && pollEveryMs },
  );
  const { items, isPaused, waiting, isMore, toggle } = useHold(list.items, JSON.stringify(query));
  useShortcuts([{ keys: ' ', label: isPaused ? words.resume : words.pause, run: toggle }]);
  const rows = useCursorRows<ListedSend>({ ...list, items });
  const isFiltered = [status, channel, template, since].some((one) => one !== undefined);
  return (
    <>
      <div className="screen-bar">
        <SendFilters />
        <span className="grow" />
        <div className="row">
          <span role="status">
            <Badge tone={isPaused ? 'off' : 'good'}>
              {isPaused ? words.waiting(waiting, isMore) : words.live}
            </Badge>
          </span>
          <Button size="small" icon={isPaused ? 'play' : 'pause'} onClick={toggle}>
            {isPaused ? words.resume : words.pause}
          </Button>
        </div>
      </div>
      <div className="screen-fill">
        <Table
          label={words.sends}
          counted={counted.sends}
          rows={rows}
          columns={columns}
          keyOf={({ id }) => id}
          to={({ id }) => appPath(app.id, 'activity', id)}
          onNear={({ id }) => fetchAhead('readNotification', storyOfSend(app.id, id))}
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
    cell: ({ title, templateId, id, test }) => (
      <>
        {title ?? templateId ?? id} {test === true && <Badge tone="accent">{words.test}</Badge>}
      </>
    ),
    narrow: 'title',
  },
  {
    id: 'who',
    head: words.who,
    width: 'minmax(0, 1.4fr)',
    cell: ({ externalUserId, subscriberId }) =>
      subscriberId == null ? (
        (externalUserId ?? words.deleted)
      ) : (
        <NameOf subscriberId={subscriberId} externalUserId={externalUserId} />
      ),
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
    width: 'minmax(0, 1.4fr)',
    cell: ({ outcomes: some }) => {
      const reasons = some.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));
      return [...new Set(reasons)].map((reason) => reasonText(reason)).join(', ');
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
    '  -H "authorization: Bearer $ENGAGE_KEY" -H \'content-type: application/json\' \\',
    `  -d '{"externalUserId": "customer-42", "title": "Your order is on its way", "body": "It arrives tomorrow."}'`,
  ].join('\n');
}

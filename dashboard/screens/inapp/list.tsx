// The table of in-app messages, with what people did with them.

import type { InAppMessage } from '../../api/generated.ts';
import { useList, useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { CreateLink, ListScreen } from '../../kit/list-screen.tsx';
import { Badge } from '../../ui/badge.tsx';
import { count, rate } from '../../ui/figure.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { counted } from '../../words/counted.ts';
import type { Tone } from '../../words/tone.ts';
import { feedCurl } from './curl.ts';
import { words } from './words.ts';

const create = <CreateLink label={words.create} to={['inapp', 'new']} />;

export function InAppList() {
  const app = useApp();
  const query = { order: 'newest' } as const;
  return (
    <ListScreen
      label={words.title}
      actions={create}
      list={useList('listInAppMessages', { path: { appId: app.id }, query })}
      counted={counted.inApp}
      columns={columns}
      to={({ id }) => ['inapp', id]}
      empty={{
        icon: 'inapp',
        title: words.empty,
        text: words.emptyText,
        action: create,
        curl: feedCurl(),
      }}
    />
  );
}

const columns: readonly Column<InAppMessage>[] = [
  {
    id: 'message',
    head: words.columns.message,
    width: 'minmax(0, 3fr)',
    narrow: 'title',
    cell: (one) => <MessageName id={one.messageId} />,
  },
  {
    id: 'state',
    head: words.columns.state,
    width: '100px',
    narrow: 'side',
    cell: (one) => <StateBadge one={one} />,
  },
  {
    id: 'show',
    head: words.columns.show,
    width: '150px',
    narrow: 'sub',
    cell: ({ show }) => <span className="soft">{words.shows[show]}</span>,
  },
  {
    id: 'viewed',
    head: words.columns.viewed,
    width: '100px',
    isNumber: true,
    cell: ({ counts }) => count(counts.viewed),
  },
  {
    id: 'clicked',
    head: words.columns.clicked,
    width: '130px',
    isNumber: true,
    cell: ({ counts }) => <Share part={counts.clicked} all={counts.viewed} />,
  },
  {
    id: 'dismissed',
    head: words.columns.dismissed,
    width: '130px',
    isNumber: true,
    cell: ({ counts }) => <Share part={counts.dismissed} all={counts.viewed} />,
  },
  {
    id: 'period',
    head: words.columns.period,
    width: '130px',
    narrow: 'side-sub',
    cell: ({ endAt }) =>
      endAt === null ? <span className="soft">{words.forever}</span> : <Time at={endAt} />,
  },
];

function Share({ part, all }: { readonly part: number; readonly all: number }) {
  return (
    <>
      {count(part)} {all > 0 && <span className="soft">{rate(part, all)}</span>}
    </>
  );
}

function MessageName({ id }: { readonly id: string }) {
  const app = useApp();
  const read = useRead('readMessage', { path: { appId: app.id, id } });
  const name = read.data?.name ?? read.data?.title ?? id;
  return <span className="ellipsis">{name}</span>;
}

const tones: Readonly<Record<keyof typeof words.states, Tone>> = {
  live: 'good',
  later: 'notice',
  over: 'off',
};

function StateBadge({ one }: { readonly one: InAppMessage }) {
  const nowMs = useNow();
  const isOver = one.endAt !== null && Date.parse(one.endAt) <= nowMs;
  const isLater = one.startAt !== null && Date.parse(one.startAt) > nowMs;
  const state = isOver ? 'over' : isLater ? 'later' : 'live';
  return <Badge tone={tones[state]}>{words.states[state]}</Badge>;
}

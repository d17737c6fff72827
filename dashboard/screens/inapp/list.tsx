// The table of in-app messages, with what people did with them.

import { useLocation } from 'wouter';
import type { InAppMessage } from '../../api/generated.ts';
import { useList, useRead } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { count, rate } from '../../ui/figure.tsx';
import { useShortcuts } from '../../ui/keys.ts';
import { Empty } from '../../ui/note.tsx';
import { useCursorRows } from '../../ui/rows.ts';
import { ScreenHead } from '../../ui/screen.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { counted } from '../../words/counted.ts';
import type { Tone } from '../../words/tone.ts';
import { feedCurl } from './curl.ts';
import { words } from './words.ts';

export function InAppList() {
  const app = useApp();
  const [, go] = useLocation();
  const refused = useRefusal('write');
  const list = useList('listInAppMessages', {
    path: { appId: app.id },
    query: { order: 'newest' },
  });
  const rows = useCursorRows<InAppMessage>(list);
  const create = appPath(app.id, 'inapp', 'new');
  useShortcuts([{ keys: 'c', label: words.create, run: () => refused ?? go(create) }]);
  return (
    <>
      <ScreenHead
        title={words.title}
        actions={
          <Button kind="primary" icon="plus" refused={refused} onClick={() => go(create)}>
            {words.create}
          </Button>
        }
      />
      <div className="screen-fill">
        <Table
          label={words.title}
          counted={counted.inApp}
          rows={rows}
          columns={columns}
          keyOf={(one) => one.id}
          to={(one) => appPath(app.id, 'inapp', one.id)}
          empty={
            <Empty
              icon="inapp"
              title={words.empty}
              action={
                <ButtonLink kind="primary" icon="plus" to={create}>
                  {words.create}
                </ButtonLink>
              }
              curl={feedCurl()}
            >
              {words.emptyText}
            </Empty>
          }
        />
      </div>
    </>
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

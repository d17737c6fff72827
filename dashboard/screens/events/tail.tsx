// The stream of events, newest first, of all names or one.

import { Link } from 'wouter';
import type { Event } from '../../api/generated.ts';
import { pollEveryMs, useTopic } from '../../api/live.ts';
import { useList } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { NameOf } from '../../person/person-name.tsx';
import { appPath, useQueryParam, withParams } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Copyable } from '../../ui/code.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EventBox } from '../../ui/event-box.tsx';
import { Facts } from '../../ui/figure.tsx';
import { useHold } from '../../ui/hold.ts';
import { useShortcuts } from '../../ui/keys.ts';
import { Empty } from '../../ui/note.tsx';
import { useCursorRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { counted } from '../../words/counted.ts';
import { Snippets } from './snippets.tsx';
import { words } from './words.ts';

const topicCharsMax = 128;

export function Tail() {
  const app = useApp();
  const path = { appId: app.id };
  const [name, setName] = useQueryParam('name');
  const [openId, setOpen] = useQueryParam('event');
  const isServed = useTopic(app.id, topicOf(name));
  const list = useList(
    'listEvents',
    { path, query: name === undefined ? {} : { name } },
    { everyMs: !isServed && pollEveryMs },
  );
  const { items, isPaused, toggle } = useHold(list.items, name ?? '');
  useShortcuts([{ keys: ' ', label: isPaused ? words.resume : words.pause, run: toggle }]);
  const rows = useCursorRows<Event>({ ...list, items });
  const open = list.items?.find(({ id }) => id === openId);
  return (
    <>
      <div className="screen-bar">
        <div className="search-box">
          <EventBox
            label={words.filter}
            placeholder={words.filter}
            value={name ?? ''}
            onChange={(value) => setName(value || undefined)}
          />
        </div>
        <span className="grow" />
        <Badge tone={isPaused ? 'off' : 'good'}>{isPaused ? words.paused : words.live}</Badge>
        <Button size="small" icon={isPaused ? 'play' : 'pause'} onClick={toggle}>
          {isPaused ? words.resume : words.pause}
        </Button>
      </div>
      <div className="screen-fill">
        <Table
          label={words.tail}
          counted={counted.events}
          rows={rows}
          columns={columns}
          keyOf={({ id }) => id}
          to={({ id }) => withParams(appPath(app.id, 'events'), { name, event: id })}
          empty={
            name === undefined ? (
              <Empty icon="events" title={words.empty} action={<Snippets />}>
                {words.emptyText}
              </Empty>
            ) : (
              <Empty icon="filter" title={words.emptyFiltered(name)} />
            )
          }
        />
      </div>
      <Dialog
        title={open?.name ?? words.detail}
        kind="drawer"
        isOpen={open !== undefined}
        onClose={() => setOpen(undefined)}
      >
        {open !== undefined && <OneEvent appId={app.id} event={open} />}
      </Dialog>
    </>
  );
}

/** A name with a comma cannot be told apart in a list of topics, and a long one is none. */
function topicOf(name: string | undefined): string {
  const isTopic = name !== undefined && name.length <= topicCharsMax && !/[\s,]/.test(name);
  return isTopic ? `events:${name}` : 'events';
}

const columns: readonly Column<Event>[] = [
  { id: 'name', head: words.name, cell: ({ name }) => name, narrow: 'title' },
  {
    id: 'who',
    head: words.who,
    cell: (one) => <NameOf {...one} />,
    narrow: 'sub',
  },
  {
    id: 'props',
    head: words.props,
    width: 'minmax(0, 2fr)',
    cell: ({ props }) =>
      Object.entries(props)
        .map(
          ([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
        )
        .join(', '),
  },
  {
    id: 'when',
    head: words.when,
    width: '110px',
    cell: ({ at }) => <Time at={at} />,
    narrow: 'side',
  },
];

function OneEvent({ appId, event }: { readonly appId: string; readonly event: Event }) {
  const linked = [
    [words.campaign, 'campaigns', event.campaignId],
    [words.journey, 'journeys', event.journeyId],
    [words.send, 'activity', event.sendId],
  ] as const;
  return (
    <>
      <Facts
        items={[
          [
            words.person,
            <Link key="p" to={appPath(appId, 'people', event.subscriberId)}>
              <NameOf {...event} />
            </Link>,
          ],
          [words.at, <Time key="a" at={event.at} />],
          [words.receivedAt, <Time key="r" at={event.receivedAt} />],
          ...(event.channel === null ? [] : [[words.channel, event.channel] as const]),
          ...linked.flatMap(([label, screen, id]) =>
            id === null
              ? []
              : [
                  [
                    label,
                    <Link key={screen} to={appPath(appId, screen, id)}>
                      {id}
                    </Link>,
                  ] as const,
                ],
          ),
          [words.id, <Copyable key="i" text={event.id} />],
        ]}
      />
      <h3>{words.props}</h3>
      {Object.keys(event.props).length === 0 ? (
        <p className="soft">{words.noProps}</p>
      ) : (
        <Facts
          items={Object.entries(event.props).map(([key, value]) => [
            key,
            typeof value === 'string' ? value : JSON.stringify(value),
          ])}
        />
      )}
    </>
  );
}

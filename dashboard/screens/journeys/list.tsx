// The list of journeys, each with who is in it and how many converted.

import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Journey } from '../../api/generated.ts';
import { useLiveRead } from '../../api/live.ts';
import { useFetchAhead, useList } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath, useQueryParam } from '../../ui/address.ts';
import { ArchiveSelected } from '../../ui/archive-selected.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { count, rate } from '../../ui/figure.tsx';
import { SearchBox } from '../../ui/input.tsx';
import { useShortcuts } from '../../ui/keys.ts';
import { useIsNarrow } from '../../ui/media.ts';
import { Empty } from '../../ui/note.tsx';
import { useCursorRows, useSelection } from '../../ui/rows.ts';
import { ScreenHead } from '../../ui/screen.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Tabs, useTab } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { counted } from '../../words/counted.ts';
import { words as common } from '../../words/en.ts';
import { Starters } from './start.tsx';
import { Trigger } from './trigger.tsx';
import { words } from './words.ts';

const tabs = [
  { id: 'all', label: words.tabs.all },
  { id: 'live', label: words.tabs.live },
  { id: 'off', label: words.tabs.off },
  { id: 'archived', label: words.tabs.archived },
] as const;

const filterOf = {
  all: {},
  live: { active: 'true' },
  off: { active: 'false' },
  archived: { archived: 'true' },
} as const;

export function JourneyList() {
  const app = useApp();
  const [, go] = useLocation();
  const [q, setQ] = useQueryParam('q');
  const tab = useTab(tabs);
  const refused = useRefusal('write');
  const ahead = useFetchAhead();
  const target = appPath(app.id, 'journeys', 'new');
  useShortcuts([{ keys: 'c', label: words.create, run: () => go(target) }]);
  const list = useList('listJourneys', {
    path: { appId: app.id },
    query: {
      order: 'newest',
      ...filterOf[tab],
      ...(q === undefined ? {} : { q }),
    },
  });
  const [byId] = useState(() => new Map<string, Journey>());
  for (const one of list.items ?? []) byId.set(one.id, one);
  const rows = useCursorRows<Journey>(list);
  const selection = useSelection();
  const isNarrow = useIsNarrow();
  const chosen = [...selection.keys];
  const live = chosen.filter((id) => byId.get(id)?.active === true);
  const isFiltered = q !== undefined || tab !== 'all';
  return (
    <>
      <ScreenHead
        title={words.title}
        actions={
          refused === undefined ? (
            <ButtonLink kind="primary" icon="plus" to={target}>
              {words.create}
            </ButtonLink>
          ) : (
            <Button kind="primary" icon="plus" refused={refused}>
              {words.create}
            </Button>
          )
        }
      />
      <div className="screen-bar">
        <Tabs label={words.tabs.label} tabs={tabs} />
        <SearchBox label={words.search} value={q ?? ''} onChange={setQ} />
      </div>
      <div className="screen-fill" id="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        <Table
          key={`${tab} ${q ?? ''}`}
          label={words.title}
          counted={counted.journeys}
          rows={rows}
          columns={columns}
          keyOf={({ id }) => id}
          to={({ id }) => appPath(app.id, 'journeys', id)}
          onNear={({ id }) => ahead('readJourney', { path: { appId: app.id, id } })}
          {...(isNarrow || tab === 'archived' ? {} : { selection })}
          selectionActions={
            <>
              <ArchiveSelected
                operation="archiveJourney"
                ids={chosen}
                refused={live.length > 0 ? words.archiveSomeLive(live.length) : undefined}
                archived={words.archivedMany}
                onDone={selection.clear}
              />
              <Button size="small" kind="quiet" onClick={selection.clear}>
                {common.selected.clear}
              </Button>
            </>
          }
          empty={
            isFiltered ? (
              <Empty icon="search" title={q === undefined ? words.emptyTab : words.emptyFound} />
            ) : (
              <Empty
                icon="journeys"
                title={words.empty}
                action={<Starters />}
                curl={`curl -X POST ${location.origin}/v1/apps/${app.id}/journeys -H "authorization: Bearer $ENGAGE_KEY" -H "content-type: application/json" -d '{"name":"Welcome","triggerEvent":"signup","steps":[{"id":"hello","type":"send","message":{"title":"Hello","body":"Hi {{ first_name }}"}}]}'`}
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

const columns: readonly Column<Journey>[] = [
  {
    id: 'name',
    head: words.name,
    width: 'minmax(160px, 1.4fr)',
    cell: ({ name }) => name,
    narrow: 'title',
  },
  {
    id: 'state',
    head: words.state,
    width: '92px',
    cell: ({ active }) => (
      <Badge tone={active ? 'good' : 'off'}>{active ? words.live : words.off}</Badge>
    ),
    narrow: 'side',
  },
  {
    id: 'trigger',
    head: words.trigger,
    width: 'minmax(0, 1.6fr)',
    cell: (journey) => (
      <span className="soft">
        <Trigger {...journey} />
      </span>
    ),
    narrow: 'sub',
  },
  {
    id: 'inFlow',
    head: words.inFlow,
    width: '92px',
    isNumber: true,
    cell: ({ id, active }) => <Figure id={id} of="inFlow" isLive={active} />,
  },
  {
    id: 'enrolled',
    head: words.enrolled,
    width: '92px',
    isNumber: true,
    cell: ({ id, active }) => <Figure id={id} of="enrolled" isLive={active} />,
  },
  {
    id: 'converted',
    head: words.converted,
    width: '132px',
    isNumber: true,
    cell: ({ id, active }) => <Figure id={id} of="converted" isLive={active} />,
  },
  {
    id: 'updated',
    head: words.updated,
    width: '112px',
    cell: ({ updatedAt }) => <Time at={updatedAt} />,
    narrow: 'side-sub',
  },
];

function Figure({
  id,
  of,
  isLive,
}: {
  readonly id: string;
  readonly of: 'inFlow' | 'enrolled' | 'converted';
  readonly isLive: boolean;
}) {
  const app = useApp();
  const { data } = useLiveRead(
    app.id,
    'readJourneyStats',
    { path: { appId: app.id, id } },
    { topics: isLive ? [`journey:${id}`] : [], isLive: () => isLive },
  );
  if (data === undefined) return null;
  if (data.enrolled === 0) return <span className="soft">{count(data[of])}</span>;
  if (of !== 'converted') return count(data[of]);
  return (
    <>
      {count(data.converted)} <span className="soft">{rate(data.converted, data.enrolled)}</span>
    </>
  );
}

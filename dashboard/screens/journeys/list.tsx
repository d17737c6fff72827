// The list of journeys, each with who is in it and how many converted.

import { useState } from 'react';
import type { Journey } from '../../api/generated.ts';
import { useLiveRead } from '../../api/live.ts';
import { useList } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { CreateLink, ListScreen } from '../../kit/list-screen.tsx';
import { SearchParam, useSearchQuery } from '../../kit/params.tsx';
import { ArchiveSelected } from '../../ui/archive-selected.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { count, rate } from '../../ui/figure.tsx';
import { useIsNarrow } from '../../ui/media.ts';
import { useSelection } from '../../ui/rows.ts';
import type { Column } from '../../ui/table.tsx';
import { Tabs, useTab } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { actionWords } from '../../words/actions.ts';
import { counted } from '../../words/counted.ts';
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

/** A whole journey, for who reads the API. */
const example =
  '{"name":"Welcome","triggerEvent":"signup","steps":[{"id":"hello","type":"send","message":{"title":"Hello","body":"Hi {{ first_name }}"}}]}';

export function JourneyList() {
  const app = useApp();
  const tab = useTab(tabs);
  const query = { ...useSearchQuery(), ...filterOf[tab] };
  const list = useList('listJourneys', { path: { appId: app.id }, query });
  const [byId] = useState(() => new Map<string, Journey>());
  for (const one of list.items ?? []) byId.set(one.id, one);
  const selection = useSelection();
  const isNarrow = useIsNarrow();
  const chosen = [...selection.keys];
  const live = chosen.filter((id) => byId.get(id)?.active === true);
  return (
    <ListScreen
      label={words.title}
      actions={<CreateLink label={words.create} to={['journeys', 'new']} />}
      bar={
        <>
          <Tabs label={words.tabs.label} tabs={tabs} />
          <SearchParam label={words.search} />
        </>
      }
      tab={{ id: tab, name: 'tab' }}
      list={list}
      counted={counted.journeys}
      columns={columns}
      to={({ id }) => ['journeys', id]}
      reads="readJourney"
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
            {actionWords.clear}
          </Button>
        </>
      }
      noneFound={{ title: words.emptyFound }}
      empty={
        tab === 'all'
          ? {
              icon: 'journeys',
              title: words.empty,
              text: words.emptyText,
              action: <Starters />,
              curl: { path: 'journeys', body: example },
            }
          : { icon: 'search', title: words.emptyTab }
      }
    />
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

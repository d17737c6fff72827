// The list of campaigns: state, audience, funnel, and how fast or why not. Up to ten can be
// compared.

import { useState } from 'react';
import { useLocation } from 'wouter';
import { hrefOf } from '../../api/client.ts';
import type { Campaign } from '../../api/generated.ts';
import { pollEveryMs, useTopic } from '../../api/live.ts';
import { useList } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { CreateLink, ListScreen } from '../../kit/list-screen.tsx';
import { SearchParam, useSearchQuery } from '../../kit/params.tsx';
import { appPath, withParams } from '../../ui/address.ts';
import { ArchiveSelected } from '../../ui/archive-selected.tsx';
import { Button } from '../../ui/button.tsx';
import { DownloadLink } from '../../ui/download.tsx';
import { useShortcuts } from '../../ui/keys.ts';
import { useIsNarrow } from '../../ui/media.ts';
import { useSelection } from '../../ui/rows.ts';
import type { Selection } from '../../ui/table.tsx';
import { type TabOf, Tabs, useTab } from '../../ui/tabs.tsx';
import { actionWords } from '../../words/actions.ts';
import { stateWords } from '../../words/campaign.ts';
import { counted } from '../../words/counted.ts';
import { columns } from './columns.tsx';
import { mayArchive } from './row-menu.tsx';
import { words } from './words.ts';

const comparedMax = 10;

type Tab = 'all' | Campaign['state'] | 'archived';

const tabs: readonly TabOf<Tab>[] = [
  { id: 'all', label: words.tabs.all },
  ...(['draft', 'scheduled', 'sending', 'paused', 'completed', 'canceled', 'failed'] as const).map(
    (id) => ({ id, label: stateWords[id] }),
  ),
  { id: 'archived', label: words.tabs.archived },
];

const create = <CreateLink label={words.create} to={['campaigns', 'new']} />;

export function CampaignList() {
  const app = useApp();
  const tab = useTab(tabs, 'state');
  const selection = useSelection();
  const isNarrow = useIsNarrow();
  const [byId] = useState(() => new Map<string, Campaign>());
  const isServed = useTopic(app.id, 'campaigns');
  const query = { ...useSearchQuery(), ...filterOf(tab) };
  const list = useList(
    'listCampaigns',
    { path: { appId: app.id }, query },
    { everyMs: (items) => !isServed && items.some(isMoving) && pollEveryMs },
  );
  for (const one of list.items ?? []) byId.set(one.id, one);
  const chosen = [...selection.keys].flatMap((id) => byId.get(id) ?? []);
  const compare = useCompare([...selection.keys]);
  useShortcuts([{ keys: 'v', label: words.compare, run: () => compare.refused ?? compare.run() }]);
  return (
    <ListScreen
      label={words.title}
      actions={create}
      head={
        <div className="screen-bar">
          <Tabs label={words.tabs.label} tabs={tabs} name="state" />
        </div>
      }
      bar={
        <>
          <SearchParam label={words.search} />
          <span className="grow" />
          <DownloadLink href={hrefOf('exportCampaigns', { query: { appId: app.id } })}>
            {words.exportAll}
          </DownloadLink>
        </>
      }
      tab={{ id: tab, name: 'state' }}
      list={list}
      counted={counted.campaigns}
      columns={columns}
      to={({ id }) => ['campaigns', id]}
      reads="readCampaignOfApp"
      {...(isNarrow ? {} : { selection })}
      selectionActions={
        <SelectionActions selection={selection} chosen={chosen} compare={compare} />
      }
      noneFound={{ title: words.noneFound }}
      empty={
        tab === 'all'
          ? {
              icon: 'campaigns',
              title: words.none,
              text: words.noneText,
              action: create,
              curl: { path: 'campaigns', body: '{"messageId":"msg_…"}' },
            }
          : { icon: 'campaigns', title: words.noneThere }
      }
    />
  );
}

/** Compares the chosen ones, or archives them. */
function SelectionActions({
  selection,
  chosen,
  compare,
}: {
  readonly selection: Selection;
  readonly chosen: readonly Campaign[];
  readonly compare: ReturnType<typeof useCompare>;
}) {
  const running = chosen.filter((one) => !mayArchive(one));
  return (
    <>
      <Button size="small" icon="insights" refused={compare.refused} onClick={compare.run}>
        {words.compare}
      </Button>
      <ArchiveSelected
        operation="archiveCampaignOfApp"
        ids={[...selection.keys]}
        refused={running.length > 0 ? words.archiveRunning(running.length) : undefined}
        archived={words.done.archivedMany}
        onDone={selection.clear}
      />
      <Button size="small" kind="quiet" onClick={selection.clear}>
        {actionWords.clear}
      </Button>
    </>
  );
}

function filterOf(tab: Tab) {
  if (tab === 'archived') return { archived: 'true' } as const;
  return tab === 'all' ? {} : { state: tab };
}

/** Its state changes by itself soon. */
function isMoving({ state, nextAt }: Campaign): boolean {
  if (state === 'sending') return true;
  return state === 'scheduled' && nextAt !== null && Date.parse(nextAt) < Date.now() + 60_000;
}

function useCompare(ids: readonly string[]) {
  const app = useApp();
  const [, go] = useLocation();
  const tooMany = ids.length > comparedMax ? words.compareTen(ids.length) : undefined;
  return {
    refused: ids.length < 2 ? words.compareTwo : tooMany,
    run: () => go(withParams(appPath(app.id, 'compare'), { ids: ids.join(',') })),
  };
}

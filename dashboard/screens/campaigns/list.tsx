// The list of campaigns: state, audience, funnel, and how fast or why not. Up to ten can be
// compared.

import { useState } from 'react';
import { useLocation } from 'wouter';
import { hrefOf } from '../../api/client.ts';
import type { Campaign } from '../../api/generated.ts';
import { pollEveryMs, useTopic } from '../../api/live.ts';
import { useFetchAhead, useList } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath, useQueryParam, withParams } from '../../ui/address.ts';
import { ArchiveSelected } from '../../ui/archive-selected.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { DownloadLink } from '../../ui/download.tsx';
import { SearchBox } from '../../ui/input.tsx';
import { useShortcuts } from '../../ui/keys.ts';
import { useIsNarrow } from '../../ui/media.ts';
import { Empty } from '../../ui/note.tsx';
import { useCursorRows, useSelection } from '../../ui/rows.ts';
import { ScreenHead } from '../../ui/screen.tsx';
import { Table } from '../../ui/table.tsx';
import { type TabOf, TabPanel, Tabs, useTab } from '../../ui/tabs.tsx';
import { stateWords } from '../../words/campaign.ts';
import { counted } from '../../words/counted.ts';
import { words as common } from '../../words/en.ts';
import { may } from './actions.ts';
import { columns } from './columns.tsx';
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

export function CampaignList() {
  const app = useApp();
  const [, go] = useLocation();
  const [q, setQ] = useQueryParam('q');
  const tab = useTab(tabs, 'state');
  const ahead = useFetchAhead();
  const selection = useSelection();
  const isNarrow = useIsNarrow();
  const [byId] = useState(() => new Map<string, Campaign>());
  const target = appPath(app.id, 'campaigns', 'new');
  const isServed = useTopic(app.id, 'campaigns');
  const list = useList('listCampaigns', queryOf(app.id, tab, q), {
    everyMs: (items) => !isServed && items.some(isMoving) && pollEveryMs,
  });
  for (const one of list.items ?? []) byId.set(one.id, one);
  const rows = useCursorRows<Campaign>(list);
  const chosen = [...selection.keys];
  const running = chosen.flatMap((id) => byId.get(id) ?? []).filter((one) => !may(one).archive);
  const compareTo = withParams(appPath(app.id, 'compare'), { ids: chosen.join(',') });
  const refused = useCompareRefusal(chosen.length);
  useShortcuts([
    { keys: 'c', label: words.create, run: () => go(target) },
    { keys: 'v', label: words.compare, run: () => refused === undefined && go(compareTo) },
  ]);
  return (
    <>
      <ScreenHead title={words.title} actions={<Create to={target} />} />
      <div className="screen-bar">
        <Tabs label={words.tabs.label} tabs={tabs} name="state" />
      </div>
      <div className="screen-bar campaign-bar">
        <SearchBox label={words.search} value={q ?? ''} onChange={setQ} />
        <span className="grow" />
        <DownloadLink href={hrefOf('exportCampaigns', { query: { appId: app.id } })}>
          {words.exportAll}
        </DownloadLink>
      </div>
      <div className="screen-fill">
        <TabPanel id={tab} name="state">
          <Table
            key={`${tab} ${q ?? ''}`}
            label={words.title}
            counted={counted.campaigns}
            rows={rows}
            columns={columns}
            keyOf={({ id }) => id}
            to={({ id }) => appPath(app.id, 'campaigns', id)}
            onNear={({ id }) => ahead('readCampaignOfApp', { path: { appId: app.id, id } })}
            {...(isNarrow ? {} : { selection })}
            selectionActions={
              <>
                <Button
                  size="small"
                  icon="insights"
                  refused={refused}
                  onClick={() => go(compareTo)}
                >
                  {words.compare}
                </Button>
                <ArchiveSelected
                  operation="archiveCampaignOfApp"
                  ids={chosen}
                  refused={running.length > 0 ? words.archiveRunning(running.length) : undefined}
                  archived={words.done.archivedMany}
                  onDone={selection.clear}
                />
                <Button size="small" kind="quiet" onClick={selection.clear}>
                  {common.selected.clear}
                </Button>
              </>
            }
            empty={<NothingYet tab={tab} q={q} />}
          />
        </TabPanel>
      </div>
    </>
  );
}

function queryOf(appId: string, tab: Tab, q: string | undefined) {
  return {
    path: { appId },
    query: {
      order: 'newest' as const,
      ...(tab === 'all' ? {} : tab === 'archived' ? { archived: 'true' as const } : { state: tab }),
      ...(q === undefined ? {} : { q }),
    },
  };
}

/** Its state changes by itself soon. */
function isMoving({ state, nextAt }: Campaign): boolean {
  if (state === 'sending') return true;
  return state === 'scheduled' && nextAt !== null && Date.parse(nextAt) < Date.now() + 60_000;
}

function useCompareRefusal(chosen: number): string | undefined {
  if (chosen < 2) return words.compareTwo;
  return chosen > comparedMax ? words.compareTen(chosen) : undefined;
}

function Create({ to }: { readonly to: string }) {
  const refused = useRefusal('write');
  return refused === undefined ? (
    <ButtonLink kind="primary" icon="plus" to={to}>
      {words.create}
    </ButtonLink>
  ) : (
    <Button kind="primary" icon="plus" refused={refused}>
      {words.create}
    </Button>
  );
}

function NothingYet({ tab, q }: { readonly tab: Tab; readonly q: string | undefined }) {
  const app = useApp();
  if (q !== undefined) return <Empty icon="search" title={words.noneFound} />;
  if (tab !== 'all') return <Empty icon="campaigns" title={words.noneThere} />;
  return (
    <Empty
      icon="campaigns"
      title={words.none}
      action={<Create to={appPath(app.id, 'campaigns', 'new')} />}
      curl={`curl -X POST ${location.origin}/v1/apps/${app.id}/campaigns -H "authorization: Bearer $ENGAGE_KEY" -H "content-type: application/json" -d '{"messageId":"msg_…"}'`}
    >
      {words.noneText}
    </Empty>
  );
}

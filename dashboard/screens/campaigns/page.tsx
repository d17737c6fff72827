// One campaign after it was sent or scheduled: what happens now, what became of it, and the people.

import { useEffect } from 'react';
import type { Campaign, CampaignStats } from '../../api/generated.ts';
import { useLiveRead } from '../../api/live.ts';
import { useApp } from '../../api/session-context.tsx';
import { ActionButton } from '../../kit/action-view.tsx';
import { useActions } from '../../kit/use-actions.tsx';
import { appPath } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import { useShortcuts } from '../../ui/keys.ts';
import { late } from '../../ui/late.tsx';
import { ErrorNote, Grey } from '../../ui/note.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { type TabOf, TabPanel, Tabs, useTab } from '../../ui/tabs.tsx';
import { noteUndo } from '../../ui/undo-hints.ts';
import { useFollow } from './follow.ts';
import { Guarded, isGuarded } from './guarded.tsx';
import { Links } from './links.tsx';
import { Overview } from './overview.tsx';
import { Plan } from './plan.tsx';
import { Recipients } from './recipients.tsx';
import { pause, RowMenu, resume } from './row-menu.tsx';
import { StateBadge, StateSentence } from './state.tsx';
import { words } from './words.ts';

const CampaignMessage = late(
  () => import('./message.tsx').then((file) => file.CampaignMessage),
  () => <Grey rows={10} />,
);

const copiesKeptMs = 30 * 86_400_000;

type Tab = 'overview' | 'message' | 'people' | 'links' | 'plan';

const tabs: readonly TabOf<Tab>[] = [
  { id: 'overview', label: words.page.overview },
  { id: 'message', label: words.page.message },
  { id: 'people', label: words.page.people },
  { id: 'links', label: words.page.links },
  { id: 'plan', label: words.page.plan },
];

export function CampaignPage({ campaign }: { readonly campaign: Campaign }) {
  const app = useApp();
  const hasStarted = campaign.startedAt !== null;
  const stats = useLiveRead(
    app.id,
    'readCampaignStats',
    { path: { appId: app.id, id: campaign.id } },
    { topics: [`campaign:${campaign.id}`], isLive: ({ state }) => state === 'sending' },
  );
  useFollow(campaign, stats.data);
  // Whoever looks at it can take it back, also after somebody else's send.
  const isUndoable = campaign.undoUntil !== null;
  useEffect(() => {
    if (isUndoable) noteUndo({ appId: app.id, id: campaign.id });
  }, [isUndoable, app.id, campaign.id]);
  const shownTabs = hasStarted ? tabs : tabs.filter(({ id }) => id === 'plan' || id === 'message');
  const tab = useTab(shownTabs);
  return (
    <>
      <ScreenHead
        title={campaign.name}
        crumb={{ to: appPath(app.id, 'campaigns'), label: words.title }}
        aside={
          <>
            <StateBadge state={campaign.state} />
            {campaign.archivedAt !== null && <Badge tone="off">{words.tabs.archived}</Badge>}
          </>
        }
        actions={<Actions campaign={campaign} />}
      />
      <div className="screen-body">
        <div className="stack campaign-page">
          {isGuarded(campaign) && <Guarded campaign={campaign} stats={stats.data} />}
          <StateSentence campaign={campaign} stats={stats.data} />
          {stats.error !== undefined && (
            <ErrorNote error={stats.error} onAgain={() => void stats.refetch()} />
          )}
          <Tabs label={words.page.label} tabs={shownTabs} />
          <TabPanel id={tab}>
            {tab === 'overview' && <Overview campaign={campaign} stats={stats.data} />}
            {tab === 'message' && (
              <CampaignMessage campaign={campaign} occurrences={keptOf(stats.data)} />
            )}
            {tab === 'people' && <Recipients campaign={campaign} stats={stats.data} />}
            {tab === 'links' && <Links campaign={campaign} />}
            {tab === 'plan' && <Plan campaign={campaign} />}
          </TabPanel>
        </div>
      </div>
    </>
  );
}

/** The occurrences whose copies are kept, the newest first. */
function keptOf(stats: CampaignStats | undefined): readonly number[] {
  const sinceMs = Date.now() - copiesKeptMs;
  return (stats?.occurrences ?? [])
    .filter(({ endedAt }) => endedAt === null || Date.parse(endedAt) > sinceMs)
    .map(({ number }) => number);
}

/** The one thing to do now is a button; the rest is in the menu. */
function Actions({ campaign }: { readonly campaign: Campaign }) {
  const { refused, run } = useActions<Campaign>();
  const next = campaign.state === 'paused' ? resume : pause;
  const isThere = next.isFor?.(campaign) !== false;
  useShortcuts([
    {
      keys: 'p',
      label: next.label,
      run: () => isThere && refused(next, campaign) === undefined && run(next, campaign),
    },
  ]);
  return (
    <>
      <RowMenu campaign={campaign} />
      <ActionButton action={pause} thing={campaign} />
      <ActionButton action={resume} thing={campaign} kind="primary" />
    </>
  );
}

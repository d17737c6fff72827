// The columns of the list of campaigns.

import type { Campaign } from '../../api/generated.ts';
import { useApp } from '../../api/session-context.tsx';
import { count } from '../../ui/figure.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { AudienceText } from './audience.tsx';
import { FunnelBars } from './funnel-bars.tsx';
import { RowMenu } from './row-menu.tsx';
import { ShortProgress, StateBadge } from './state.tsx';
import { useRowStats } from './stats.ts';
import { words } from './words.ts';

export const columns: readonly Column<Campaign>[] = [
  {
    id: 'name',
    head: words.name,
    width: 'minmax(180px, 2fr)',
    cell: ({ name }) => name,
    narrow: 'title',
  },
  {
    id: 'state',
    head: words.stateHead,
    width: '104px',
    cell: (campaign) => <State campaign={campaign} />,
    narrow: 'side',
  },
  {
    id: 'audience',
    head: words.audience,
    width: 'minmax(110px, 1.2fr)',
    cell: (campaign) => <Audience campaign={campaign} />,
  },
  {
    id: 'funnel',
    head: words.funnelHead,
    width: '252px',
    cell: (campaign) => <Funnel campaign={campaign} />,
  },
  {
    id: 'progress',
    head: words.progressHead,
    width: 'minmax(140px, 1.6fr)',
    cell: (campaign) => <Progress campaign={campaign} />,
    narrow: 'sub',
  },
  {
    id: 'created',
    head: words.created,
    width: '88px',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    id: 'menu',
    head: '',
    width: '32px',
    cell: (campaign) => <RowMenu campaign={campaign} />,
    narrow: 'side-sub',
  },
];

interface Cell {
  readonly campaign: Campaign;
}

function State({ campaign }: Cell) {
  const stats = useRowStats(useApp().id, campaign);
  return <StateBadge state={stats.data?.state ?? campaign.state} />;
}

function Audience({ campaign }: Cell) {
  const stats = useRowStats(useApp().id, campaign);
  return (
    <>
      {stats.data !== undefined && stats.data.occurrences.length > 0 && (
        <>{count(stats.data.audience)} </>
      )}
      <span className="soft">
        <AudienceText segmentId={campaign.segmentId} filter={campaign.filter} />
      </span>
    </>
  );
}

function Funnel({ campaign }: Cell) {
  const { data } = useRowStats(useApp().id, campaign);
  return data === undefined || data.sent === 0 ? (
    <span className="soft">{words.noFunnel}</span>
  ) : (
    <FunnelBars stats={data} />
  );
}

function Progress({ campaign }: Cell) {
  const { data } = useRowStats(useApp().id, campaign);
  return (
    <span className="soft">
      <ShortProgress campaign={campaign} stats={data} />
    </span>
  );
}

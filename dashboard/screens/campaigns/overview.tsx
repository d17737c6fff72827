// What became of a campaign: progress, funnel, people over time, and the same by channel, variant
// and occurrence.

import type { Campaign, CampaignStats } from '../../api/generated.ts';
import { Bar, count } from '../../ui/figure.tsx';
import { Later } from '../../ui/later.tsx';
import { Grey } from '../../ui/note.tsx';
import { Time } from '../../ui/time.tsx';
import { ByChannel, ByOccurrence, ByVariant } from './breakdown.tsx';
import { Failures } from './failures.tsx';
import { Funnel } from './funnel.tsx';
import { Lift } from './lift.tsx';
import { OverTime } from './over-time.tsx';
import { Reasons } from './reasons.tsx';
import { words } from './words.ts';

export function Overview({
  campaign,
  stats,
}: {
  readonly campaign: Campaign;
  readonly stats: CampaignStats | undefined;
}) {
  if (stats === undefined) return <Grey rows={10} />;
  return (
    <>
      <Progress stats={stats} />
      {stats.failed > 0 && <Failures campaign={campaign} failed={stats.failed} />}
      <div className="campaign-columns">
        <Funnel campaign={campaign} stats={stats} />
        <OverTime campaign={campaign} />
      </div>
      <Later>
        <Below campaign={campaign} stats={stats} />
      </Later>
    </>
  );
}

/** Why not, by how much it helped, and the figures by channel, variant and occurrence. */
function Below({
  campaign,
  stats,
}: {
  readonly campaign: Campaign;
  readonly stats: CampaignStats;
}) {
  return (
    <>
      <div className="columns">
        {stats.suppressed > 0 && (
          <Reasons title={words.page.notSent} reasons={stats.suppressedBy} />
        )}
        {Object.keys(stats.deferredBy).length > 0 && (
          <Reasons title={words.page.deferred} reasons={stats.deferredBy} />
        )}
        {stats.fallback.eligible > 0 && (
          <Reasons
            title={words.page.fallback(count(stats.fallback.eligible), count(stats.fallback.sent))}
            empty={words.page.noneSuppressed}
            reasons={stats.fallback.suppressedBy}
          />
        )}
      </div>
      <Lift stats={stats} hasGoal={campaign.goal !== null} />
      <ByChannel stats={stats} />
      <ByVariant campaign={campaign} stats={stats} />
      <ByOccurrence campaign={campaign} stats={stats} />
    </>
  );
}

function Progress({ stats: { progress, state } }: { readonly stats: CampaignStats }) {
  if (progress === null || progress.total === 0 || state === 'scheduled') return null;
  const { done, total, ratePerSecond, expectedEnd } = progress;
  return (
    <section className="campaign-progress" aria-label={words.page.progress}>
      <Bar label={words.page.progress} part={done} all={total} />
      <p className="row-between soft">
        <span>{words.page.doneOf(count(done), count(total))}</span>
        {state === 'sending' && (
          <span>
            {words.state.rate(ratePerSecond)}
            {expectedEnd !== null && (
              <>
                {words.page.endsBefore} <Time at={expectedEnd} />
              </>
            )}
          </span>
        )}
      </p>
    </section>
  );
}

// Campaigns that are being sent, with their rate and end, and what is planned next.

import { Link } from 'wouter';
import type { CampaignStats } from '../../api/generated.ts';
import { topicsOfCampaigns, useLiveRead } from '../../api/live.ts';
import { appPath } from '../../ui/address.ts';
import { Bar, count } from '../../ui/figure.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { slowedDown } from '../../words/slowed-down.ts';
import { words } from './words.ts';

const shownMax = 10;

export function useSending(appId: string) {
  const path = { appId };
  const campaigns = { topics: ['campaigns'], isLive: () => true };
  const sending = useLiveRead(
    appId,
    'listCampaigns',
    // As what needs a person asks for it, so that both have one answer.
    { path, query: { state: 'sending', order: 'newest', limit: shownMax } },
    campaigns,
  );
  const planned = useLiveRead(
    appId,
    'listCampaigns',
    { path, query: { state: 'scheduled', limit: shownMax } },
    campaigns,
  );
  const ids = (sending.data?.items ?? []).map(({ id }) => id);
  const stats = useLiveRead(
    appId,
    'compareCampaigns',
    { query: { ids: ids.join(',') } },
    {
      topics: topicsOfCampaigns(ids),
      isLive: () => true,
      enabled: ids.length > 0,
      keepPrevious: true,
    },
  );
  return {
    some: stats.data?.items ?? [],
    next: planned.data?.items ?? [],
    isLoading: sending.isLoading || planned.isLoading || stats.isLoading,
  };
}

export function Sending({ appId }: { readonly appId: string }) {
  const { some, next } = useSending(appId);
  if (some.length === 0 && next.length === 0) return null;
  return (
    <section className="card" aria-labelledby="sending">
      <div className="card-head">
        <h2 id="sending">{some.length > 0 ? words.sending : words.planned}</h2>
      </div>
      <ul className="needs">
        {some.map(({ campaignId, name, progress }) => (
          <li key={campaignId}>
            <div className="grow stack-tight">
              <div className="row-between">
                <Link to={appPath(appId, 'campaigns', campaignId)}>{name}</Link>
                {progress !== null && (
                  <span className="soft">
                    {words.progress(count(progress.done), count(progress.total))},{' '}
                    {words.perSecond(progress.ratePerSecond)}
                    {progress.expectedEnd !== null && (
                      <>
                        , {words.ends} <Time at={progress.expectedEnd} />
                      </>
                    )}
                  </span>
                )}
              </div>
              {progress !== null && <Bar label={name} part={progress.done} all={progress.total} />}
              <Waits progress={progress} />
            </div>
          </li>
        ))}
        {next.map(({ id, name, nextAt }) => (
          <li key={id}>
            <div className="grow row-between">
              <Link to={appPath(appId, 'campaigns', id)}>{name}</Link>
              <span className="soft">
                <Time at={nextAt} />
              </span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Why it is slow or rests. What has no end of its own stands among what needs a person. */
function Waits({ progress }: Pick<CampaignStats, 'progress'>) {
  const nowMs = useNow();
  const waiting = progress?.waitingFor;
  if (waiting == null) return null;
  if (waiting.reason === 'throttled')
    return <span className="soft">{words.throttled(waiting.text)}</span>;
  if (waiting.since !== null)
    return <span className="soft">{slowedDown(waiting.text, waiting, nowMs)}</span>;
  return (
    <span className="soft">
      {words.waits(waiting.text, waiting.people ?? undefined)}
      {waiting.until !== null && (
        <>
          {' '}
          {words.goesOn} <Time at={waiting.until} />
        </>
      )}
    </span>
  );
}

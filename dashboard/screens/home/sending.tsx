// Campaigns that are being sent, with their rate and end, and what is planned next.

import { Link } from 'wouter';
import { useRead } from '../../api/queries.ts';
import { appPath } from '../../frame/address.ts';
import { Bar, count } from '../../ui/figure.tsx';
import { Time } from '../../ui/time.tsx';
import { words } from './words.ts';

const shownMax = 10;

export function Sending({ appId }: { readonly appId: string }) {
  const path = { appId };
  const sending = useRead(
    'listCampaigns',
    { path, query: { state: 'sending', limit: shownMax } },
    { everyMs: 5_000 },
  );
  const planned = useRead(
    'listCampaigns',
    { path, query: { state: 'scheduled', limit: shownMax } },
    { everyMs: 30_000 },
  );
  const ids = (sending.data?.items ?? []).map(({ id }) => id);
  const stats = useRead(
    'compareCampaigns',
    { query: { ids: ids.join(',') } },
    { enabled: ids.length > 0, everyMs: 2_000, keepPrevious: true },
  );
  const some = stats.data?.items ?? [];
  const next = planned.data?.items ?? [];
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
                    {words.perSecond(count(Math.round(progress.ratePerSecond)))}
                    {progress.expectedEnd !== null && (
                      <>
                        , {words.ends} <Time at={progress.expectedEnd} />
                      </>
                    )}
                  </span>
                )}
              </div>
              {progress !== null && <Bar label={name} part={progress.done} all={progress.total} />}
              {progress?.waitingFor?.until != null && (
                <span className="soft">
                  {words.waits(progress.waitingFor.text)} <Time at={progress.waitingFor.until} />
                </span>
              )}
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

// What waits for a person: campaigns that cannot go on by themselves, and messages that failed.

import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { appPath, withParams } from '../../frame/address.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { count } from '../../ui/figure.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { IconName } from '../../ui/icon-paths.ts';
import { Time } from '../../ui/time.tsx';
import { words } from './words.ts';

const shownMax = 10;

interface Need {
  readonly key: string;
  readonly icon: IconName;
  readonly title: string;
  readonly text: ReactNode;
  readonly to: string;
  readonly action: string;
}

export function Needs({ appId }: { readonly appId: string }) {
  const path = { appId };
  const every = { everyMs: 10_000 };
  const of = (state: 'paused' | 'failed' | 'sending') => ({
    path,
    query: { state, limit: shownMax },
  });
  const paused = useRead('listCampaigns', of('paused'), every);
  const failed = useRead('listCampaigns', of('failed'), every);
  const sending = useRead('listCampaigns', of('sending'), every);
  const ids = (sending.data?.items ?? []).map(({ id }) => id);
  const stats = useRead(
    'compareCampaigns',
    { query: { ids: ids.join(',') } },
    { enabled: ids.length > 0, ...every },
  );
  const failures = useRead('readDeliveryFailures', { query: { appId, days: 7, limit: 5 } }, every);

  const needs: Need[] = [];
  for (const [state, list] of [
    ['paused', paused],
    ['failed', failed],
  ] as const)
    for (const { id, name, stateReason } of list.data?.items ?? [])
      needs.push({
        key: id,
        icon: state === 'paused' ? 'pause' : 'warning',
        title: words[state](name),
        text: stateReason ?? '',
        to: appPath(appId, 'campaigns', id),
        action: words.open,
      });
  for (const { campaignId, name, progress } of stats.data?.items ?? []) {
    const waiting = progress?.waitingFor;
    // What has an end goes on by itself.
    if (waiting === null || waiting === undefined || waiting.until !== null) continue;
    needs.push({
      key: `wait ${campaignId}`,
      icon: 'clock',
      title: words.stuck(name),
      text: waiting.text,
      to: appPath(appId, 'campaigns', campaignId),
      action: words.open,
    });
  }
  for (const { reason, channel, count: all, recovered, lastAt } of failures.data?.items ?? []) {
    if (all === recovered) continue;
    needs.push({
      key: `${reason} ${channel}`,
      icon: 'warning',
      title: words.failuresOf(all - recovered),
      text: (
        <>
          {channel}: {reason.replaceAll('_', ' ')}, <Time at={lastAt} />
          {recovered > 0 && <>; {words.recovered(count(recovered))}</>}
        </>
      ),
      to: withParams(appPath(appId, 'activity'), { tab: 'failures', reason }),
      action: words.sees,
    });
  }
  if (needs.length === 0) return null;
  return (
    <section className="card" aria-labelledby="needs">
      <div className="card-head">
        <h2 id="needs">{words.needs}</h2>
      </div>
      <ul className="needs">
        {needs.slice(0, shownMax).map(({ key, icon, title, text, to, action }) => (
          <li key={key}>
            <Icon name={icon} />
            <div className="grow">
              <strong>{title}</strong>
              <div className="soft">{text}</div>
            </div>
            <ButtonLink size="small" to={to}>
              {action}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

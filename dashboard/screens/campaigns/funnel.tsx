// The funnel of people: each counted once, each number a link to the people behind it. Every share
// is one of the people sent to, as in the comparison; who was not sent it has none.

import { Link } from 'wouter';
import type { Campaign, CampaignStats } from '../../api/generated.ts';
import { useApp } from '../../api/session-context.tsx';
import { appPath, withParams } from '../../ui/address.ts';
import { Bar, count, rate } from '../../ui/figure.tsx';
import { funnelWords } from '../../words/campaign.ts';
import { words } from './words.ts';

type Step = keyof typeof funnelWords;

const down: readonly Step[] = ['sent', 'delivered', 'opened', 'clicked'];
const lost: readonly Step[] = ['suppressed', 'bounced', 'failed'];
const left: readonly Step[] = ['unsubscribed', 'complained'];
/** Outcomes that the list of recipients can be asked for. */
const listed: ReadonlySet<Step> = new Set([
  'delivered',
  'opened',
  'clicked',
  'converted',
  'suppressed',
  'bounced',
  'failed',
  ...left,
]);

export function Funnel({
  campaign,
  stats,
}: {
  readonly campaign: Campaign;
  readonly stats: CampaignStats;
}) {
  const { audience, sent, holdout } = stats;
  const steps = campaign.goal === null ? down : [...down, 'converted' as const];
  return (
    <section className="card">
      <div className="card-head">
        <h2>{words.page.funnel}</h2>
        <span className="soft">
          {words.page.ofSent(
            count(sent),
            count(audience),
            holdout.size > 0 ? count(holdout.size) : undefined,
          )}
        </span>
      </div>
      <div className="card-body stack">
        <ol className="campaign-funnel">
          {steps.map((step) => (
            <FunnelRow key={step} campaign={campaign} step={step} value={stats[step]} sent={sent} />
          ))}
        </ol>
        {stats.accepted !== undefined && (
          <p className="soft">{words.page.accepted(count(stats.accepted))}</p>
        )}
        {(
          [
            [words.page.lost, lost],
            [words.page.left, left],
          ] as const
        ).map(([label, losses]) => (
          <ol key={label} className="campaign-funnel lost" aria-label={label}>
            {losses.map((step) => (
              <FunnelRow
                key={step}
                campaign={campaign}
                step={step}
                value={stats[step]}
                sent={sent}
                isLoss
              />
            ))}
          </ol>
        ))}
      </div>
    </section>
  );
}

function FunnelRow({
  campaign,
  step,
  value,
  sent,
  isLoss = false,
}: {
  readonly campaign: Campaign;
  readonly step: Step;
  readonly value: number;
  readonly sent: number;
  readonly isLoss?: boolean;
}) {
  const app = useApp();
  const name = funnelWords[step];
  return (
    <li>
      <span>
        {listed.has(step) && value > 0 ? (
          <Link
            to={withParams(appPath(app.id, 'campaigns', campaign.id), {
              tab: 'people',
              outcome: step,
            })}
          >
            {name}
          </Link>
        ) : (
          name
        )}
      </span>
      {step === 'suppressed' ? (
        <span />
      ) : (
        <Bar label={name} part={value} all={sent} {...(isLoss ? { tone: 'bad' as const } : {})} />
      )}
      <strong className="number">{count(value)}</strong>
      <span className="number soft">{step === 'suppressed' ? '' : rate(value, sent)}</span>
    </li>
  );
}

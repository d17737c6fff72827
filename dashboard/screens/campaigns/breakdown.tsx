// The same numbers by channel, by variant and by occurrence.

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Campaign, CampaignStats } from '../../api/generated.ts';
import { useApp } from '../../api/session-context.tsx';
import { appPath, withParams } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import { count, rate } from '../../ui/figure.tsx';
import { Time } from '../../ui/time.tsx';
import { funnelWords } from '../../words/campaign.ts';
import { channelName } from '../../words/channels.ts';
import { MessageName } from './audience.tsx';
import { words } from './words.ts';

const ofChannels = ['sent', 'delivered', 'bounced', 'failed', 'suppressed'] as const;
const ofPeople = [
  ...(['sent', 'delivered', 'opened', 'clicked', 'converted', 'failed'] as const),
  ...(['unsubscribed', 'complained'] as const),
] as const;

interface Numbers {
  readonly stats: CampaignStats;
}

export function ByChannel({ stats: { byChannel } }: Numbers) {
  const channels = Object.entries(byChannel);
  if (channels.length === 0) return null;
  return (
    <Breakdown
      title={words.page.byChannel}
      note={words.page.devices}
      heads={[words.page.channel, ...ofChannels.map((one) => funnelWords[one])]}
    >
      {channels.map(([channel, numbers]) => (
        <tr key={channel}>
          <th scope="row">{channelName(channel)}</th>
          {ofChannels.map((one) => (
            <td key={one} className="end">
              {count(numbers[one])}
              {one !== 'sent' && one !== 'suppressed' && (
                <small>{rate(numbers[one], numbers.sent)}</small>
              )}
            </td>
          ))}
        </tr>
      ))}
    </Breakdown>
  );
}

export function ByVariant({ campaign, stats }: Numbers & { readonly campaign: Campaign }) {
  const app = useApp();
  const variants = Object.entries(stats.byVariant);
  if (variants.length === 0) return null;
  const winner = stats.occurrences[0]?.winner;
  return (
    <Breakdown
      title={words.page.byVariant}
      note={words.page.rates}
      heads={[words.page.variant, words.page.message, ...ofPeople.map((one) => funnelWords[one])]}
      texts={2}
    >
      {variants.map(([id, numbers]) => {
        const messageId = campaign.variants?.find((one) => one.id === id)?.messageId;
        return (
          <tr key={id}>
            <th scope="row">
              <Link
                to={withParams(appPath(app.id, 'campaigns', campaign.id), {
                  tab: 'people',
                  variant: id,
                })}
              >
                {id}
              </Link>{' '}
              {winner === id && <Badge tone="good">{words.page.winner}</Badge>}
            </th>
            <td>{messageId === undefined ? null : <MessageName id={messageId} />}</td>
            <PeopleCells numbers={numbers} />
          </tr>
        );
      })}
    </Breakdown>
  );
}

export function ByOccurrence({ campaign, stats }: Numbers & { readonly campaign: Campaign }) {
  const app = useApp();
  const { occurrences } = stats;
  if (occurrences.length === 0 || campaign.schedule.type !== 'recurring') return null;
  return (
    <Breakdown
      title={words.page.byOccurrence}
      note={words.page.rates}
      heads={[
        words.page.occurrence,
        words.page.started,
        funnelWords.audience,
        ...ofPeople.map((one) => funnelWords[one]),
      ]}
      texts={2}
    >
      {occurrences.map((one) => (
        <tr key={one.number}>
          <th scope="row">
            <Link
              to={withParams(appPath(app.id, 'campaigns', campaign.id), {
                tab: 'people',
                occurrence: String(one.number),
              })}
            >
              {words.page.number(one.number)}
            </Link>
          </th>
          <td>
            <Time at={one.startedAt} />
          </td>
          <td className="end">{count(one.audience)}</td>
          <PeopleCells numbers={one} />
        </tr>
      ))}
    </Breakdown>
  );
}

function PeopleCells({
  numbers,
}: {
  readonly numbers: Readonly<Record<(typeof ofPeople)[number], number>>;
}) {
  return ofPeople.map((one) => (
    <td key={one} className="end">
      {count(numbers[one])}
      {one !== 'sent' && <small>{rate(numbers[one], numbers.sent)}</small>}
    </td>
  ));
}

function Breakdown({
  title,
  note,
  heads,
  texts = 1,
  children,
}: {
  readonly title: string;
  readonly note?: string;
  readonly heads: readonly string[];
  /** How many of the first columns are no numbers. */
  readonly texts?: number;
  readonly children: ReactNode;
}) {
  return (
    <section className="card">
      <div className="card-head">
        <h2>{title}</h2>
        {note !== undefined && <span className="soft">{note}</span>}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="scroll-x" tabIndex={0} aria-label={title}>
        <table className="plain-table numbers">
          <thead>
            <tr>
              {heads.map((head, at) => (
                <th scope="col" key={head} className={at < texts ? undefined : 'end'}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </section>
    </section>
  );
}

// Shares of the people a campaign was sent to, each with its 95% interval, and which of several
// campaigns is shown to be the best: chance alone must not look like a better campaign.

import type { Funnel } from './funnel.ts';
import { type Lift, liftOf, type Share, shareWithInterval } from './lift.ts';

/** What a rate counts, and which is better. */
const better = {
  delivered: 'more',
  opened: 'more',
  clicked: 'more',
  converted: 'more',
  bounced: 'less',
  failed: 'less',
  unsubscribed: 'less',
  complained: 'less',
} as const satisfies Partial<Record<keyof Funnel, 'more' | 'less'>>;

export type RateName = keyof typeof better;
export const rateNames = Object.keys(better) as readonly RateName[];

/** All have one denominator, the count that `of` names; `converted` is `null` without a goal. */
export type Rates = Readonly<Record<Exclude<RateName, 'converted'>, Share>> & {
  readonly of: 'sent';
  readonly converted: Share | null;
};

/** `null` while the message was sent to nobody. */
export function ratesOf(counts: Funnel, hasGoal: boolean): Rates | null {
  const { sent } = counts;
  if (sent === 0) return null;
  const shares = Object.fromEntries(
    rateNames.map((name) => [
      name,
      shareWithInterval({ size: sent, converted: Math.min(counts[name], sent) }),
    ]),
  ) as Readonly<Record<RateName, Share>>;
  return { of: 'sent', ...shares, converted: hasGoal ? shares.converted : null };
}

interface Compared extends Funnel {
  readonly campaignId: string;
  readonly rates: Rates | null;
  readonly lift: Lift | null;
}

type Best = Readonly<Record<RateName | 'lift', string | null>>;

/**
 * By rate the id of the best campaign, if the 95% interval of its difference to each other one
 * leaves out 0. The best lift has an interval above 0 and above those of all others.
 */
export function bestOfCampaigns(all: readonly Compared[]): Best {
  const rates = Object.fromEntries(rateNames.map((name) => [name, bestRate(all, name)]));
  return { ...(rates as Readonly<Record<RateName, string | null>>), lift: bestLift(all) };
}

function bestRate(all: readonly Compared[], name: RateName): string | null {
  const known = all.filter(({ rates }) => rates !== null && rates[name] !== null);
  const isShown = (one: Compared) =>
    known.every((other) => one === other || isBetter(one, other, name));
  return (known.length < 2 ? undefined : known.find(isShown))?.campaignId ?? null;
}

function isBetter(one: Compared, other: Compared, name: RateName): boolean {
  const group = (of: Compared) => ({ size: of.sent, converted: Math.min(of[name], of.sent) });
  const difference = liftOf(group(one), group(other));
  if (difference === null) return false;
  return better[name] === 'more' ? difference.low > 0 : difference.high < 0;
}

function bestLift(all: readonly Compared[]): string | null {
  const known = all.flatMap(({ campaignId, lift }) =>
    lift === null ? [] : [{ campaignId, ...lift }],
  );
  const best = known.find(
    (one) => one.low > 0 && known.every((other) => one === other || one.low > other.high),
  );
  return known.length < 2 ? null : (best?.campaignId ?? null);
}

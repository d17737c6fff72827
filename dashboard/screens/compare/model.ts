// The rows of a comparison, the one shown to be best in each, and the file. No DOM types here.

import type { AnswerOf } from '../../api/client.ts';
import type { CampaignStats } from '../../api/generated.ts';
import { csvText } from '../../ui/csv.ts';
import { funnelWords } from '../../words/campaign.ts';
import { words } from './words.ts';

type Comparison = AnswerOf<'compareCampaigns'>;
type RateName = Exclude<keyof NonNullable<CampaignStats['rates']>, 'of'>;

interface Value {
  readonly value: number;
  /** The 95% interval, of a share or of a difference. */
  readonly interval?: readonly [low: number, high: number];
}

export interface CompareRow {
  readonly name: string;
  readonly unit: 'people' | 'share' | 'points';
  /** By campaign; `null` where it cannot be said. */
  readonly values: readonly (Value | null)[];
  /** The place of the campaign that is shown to be the best; -1 where none is. */
  readonly best: number;
}

export function compareRows({ items, best }: Comparison): readonly CompareRow[] {
  const placeOf = (id: string | null) => items.findIndex(({ campaignId }) => campaignId === id);
  const people = (name: keyof typeof funnelWords): CompareRow => ({
    name: funnelWords[name],
    unit: 'people',
    values: items.map((stats) => (isMeant(stats, name) ? { value: stats[name] } : null)),
    best: -1,
  });
  const heldOut: CompareRow = {
    name: words.heldOut,
    unit: 'people',
    values: items.map(({ holdout }) => ({ value: holdout.size })),
    best: -1,
  };
  const rate = (name: RateName): CompareRow => ({
    name: words.rates[name],
    unit: 'share',
    values: items.map(({ rates }) => {
      const one = rates?.[name] ?? null;
      return one === null ? null : { value: one.share, interval: [one.low, one.high] };
    }),
    best: placeOf(best[name]),
  });
  return [
    people('audience'),
    ...(items.some(({ holdout }) => holdout.size > 0) ? [heldOut] : []),
    people('suppressed'),
    people('sent'),
    ...rated.flatMap((name) => [people(name), rate(name)]),
    {
      name: words.lift,
      unit: 'points',
      values: items.map(({ lift }) =>
        lift === null ? null : { value: lift.difference, interval: [lift.low, lift.high] },
      ),
      best: placeOf(best.lift),
    },
  ];
}

/** Without a goal nobody can convert: a 0 there would say that nobody did. */
function isMeant({ rates }: CampaignStats, name: keyof typeof funnelWords): boolean {
  return name !== 'converted' || rates === null || rates.converted !== null;
}

const rated = [
  ...(['delivered', 'opened', 'clicked', 'converted'] as const),
  ...(['bounced', 'failed', 'unsubscribed', 'complained'] as const),
];

/** Rates name what they are shares of, and have the bounds of their interval below. */
export function csvOf(names: readonly string[], rows: readonly CompareRow[]): string {
  const lines = rows.flatMap(({ name, unit, values }) => {
    const head = unit === 'share' ? words.ofSent(name) : name;
    const line = [head, ...values.map((one) => one?.value ?? null)];
    if (unit === 'people') return [line];
    const bound = (at: 0 | 1) => values.map((one) => one?.interval?.[at] ?? null);
    return [line, [words.low(head), ...bound(0)], [words.high(head), ...bound(1)]];
  });
  return csvText([[words.campaign, ...names], ...lines]);
}

/** Names that stay apart where two campaigns are called the same. */
export function namesApart(names: readonly string[]): readonly string[] {
  return names.map((name, at) => {
    const nth = names.slice(0, at + 1).filter((one) => one === name).length;
    const isAlone = names.filter((one) => one === name).length === 1;
    return isAlone ? name : words.twin(name, nth);
  });
}

/** Sums over hours since the start, so that campaigns of different days lie on one another. */
export function alignedByHour(
  campaigns: readonly { readonly startMs: number; readonly items: readonly Bucket[] }[],
): { readonly xs: readonly number[]; readonly values: readonly (readonly (number | null)[])[] } {
  const hourMs = 3_600_000;
  const hours = Math.max(0, ...campaigns.map(({ items }) => items.length));
  const xs = Array.from({ length: hours }, (_, hour) => hour);
  const values = campaigns.map(({ startMs, items }) => {
    const begin = Math.floor(startMs / hourMs);
    const line: (number | null)[] = xs.map(() => null);
    let sum = 0;
    for (const { atMs, value } of items) {
      sum += value;
      const hour = Math.floor(atMs / hourMs) - begin;
      if (hour >= 0 && hour < hours) line[hour] = sum;
    }
    return line;
  });
  return { xs, values };
}

interface Bucket {
  readonly atMs: number;
  readonly value: number;
}

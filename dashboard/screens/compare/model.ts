// The rows of a comparison, the best in each, and the file. No DOM types here.

import type { CampaignStats } from '../../api/generated.ts';
import { funnelWords } from '../../words/campaign.ts';
import { words } from './words.ts';

export interface CompareRow {
  readonly name: string;
  readonly isRate: boolean;
  /** By campaign; `null` where it cannot be said. */
  readonly values: readonly (number | null)[];
  /** Which campaigns are best; none where all are equal or nothing is better. */
  readonly best: ReadonlySet<number>;
}

type Better = 'more' | 'less' | 'neither';

export function compareRows(all: readonly CampaignStats[]): readonly CompareRow[] {
  const row = (
    name: string,
    better: Better,
    isRate: boolean,
    value: (stats: CampaignStats) => number | null,
  ): CompareRow => {
    const values = all.map(value);
    return { name, isRate, values, best: bestOf(values, better) };
  };
  const { rates } = words;
  return [
    row(funnelWords.audience, 'neither', false, ({ audience }) => audience),
    row(funnelWords.sent, 'neither', false, ({ sent }) => sent),
    row(funnelWords.delivered, 'neither', false, ({ delivered }) => delivered),
    row(rates.deliveryRate, 'more', true, ({ delivered, sent }) => share(delivered, sent)),
    row(funnelWords.opened, 'neither', false, ({ opened }) => opened),
    row(rates.openRate, 'more', true, ({ opened, delivered }) => share(opened, delivered)),
    row(funnelWords.clicked, 'neither', false, ({ clicked }) => clicked),
    row(rates.clickRate, 'more', true, ({ clicked, delivered }) => share(clicked, delivered)),
    row(funnelWords.converted, 'neither', false, ({ converted }) => converted),
    row(rates.conversionRate, 'more', true, ({ converted, sent }) => share(converted, sent)),
    row(funnelWords.bounced, 'neither', false, ({ bounced }) => bounced),
    row(rates.bounceRate, 'less', true, ({ bounced, sent }) => share(bounced, sent)),
    row(funnelWords.suppressed, 'neither', false, ({ suppressed }) => suppressed),
    row(funnelWords.failed, 'less', false, ({ failed, sent }) => (sent === 0 ? null : failed)),
    row(funnelWords.unsubscribed, 'neither', false, ({ unsubscribed }) => unsubscribed),
    row(rates.unsubscribeRate, 'less', true, (one) => share(one.unsubscribed, one.delivered)),
    row(funnelWords.complained, 'neither', false, ({ complained }) => complained),
    row(rates.complaintRate, 'less', true, (one) => share(one.complained, one.delivered)),
    row(rates.lift, 'more', true, ({ lift }) => lift?.difference ?? null),
  ];
}

function share(part: number, all: number): number | null {
  return all === 0 ? null : part / all;
}

export function bestOf(values: readonly (number | null)[], better: Better): ReadonlySet<number> {
  const known = values.filter((value) => value !== null);
  const best = better === 'more' ? Math.max(...known) : Math.min(...known);
  const isEven = known.every((value) => value === best);
  if (better === 'neither' || known.length < 2 || isEven) return new Set();
  return new Set(values.flatMap((value, at) => (value === best ? [at] : [])));
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

// The numbers of a warm-up as bars, one a day. Steps are large, so heights go by their logarithm.

import { count } from '../../ui/figure.tsx';
import { warmUpWords as text } from './warm-up-words.ts';

export function Curve({
  days,
  today,
}: {
  readonly days: readonly { readonly max: number }[];
  /** Counts from 1. */
  readonly today?: number | undefined;
}) {
  const first = days[0];
  const last = days.at(-1);
  if (first === undefined || last === undefined) return null;
  const most = Math.log(1 + Math.max(...days.map(({ max }) => max)));
  const label = text.curve(days.length, count(first.max), count(last.max));
  return (
    <figure className="warm-curve">
      <svg viewBox={`0 0 ${days.length * 4} 32`} preserveAspectRatio="none" role="img">
        <title>{label}</title>
        {days.map(({ max }, at) => {
          const height = Math.max(1, (Math.log(1 + max) / most) * 32);
          const kind = at + 1 === today ? 'now' : at + 1 < (today ?? 0) ? 'past' : 'next';
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a day is its place
              key={at}
              className={kind}
              x={at * 4 + 0.5}
              y={32 - height}
              width={3}
              height={height}
            />
          );
        })}
      </svg>
      <figcaption className="soft">{label}</figcaption>
    </figure>
  );
}

// Whether the campaign had an effect: those who got it against the control group, with the
// interval.

import type { CampaignStats } from '../../api/generated.ts';
import { count, Facts } from '../../ui/figure.tsx';
import { points } from '../../ui/percents.ts';
import { words } from './words.ts';

type Group = CampaignStats['holdout'];

export function Lift({
  stats,
  hasGoal,
}: {
  readonly stats: CampaignStats;
  readonly hasGoal: boolean;
}) {
  const { holdout, treated, lift } = stats;
  if (holdout.size === 0) return null;
  return (
    <section className="card">
      <div className="card-head">
        <h2>{words.lift.title}</h2>
      </div>
      <div className="card-body stack">
        <p>
          {hasGoal
            ? lift === null
              ? words.lift.notYet
              : liftSentence(lift)
            : words.lift.noGoal(count(holdout.size))}
        </p>
        {treated !== null && (
          <Facts
            items={[
              [words.lift.treated, groupText(treated)],
              [words.lift.holdout, groupText(holdout)],
              ...(lift === null
                ? []
                : [
                    [
                      words.lift.difference,
                      words.lift.interval(
                        points(lift.difference),
                        points(lift.low),
                        points(lift.high),
                      ),
                    ] as const,
                  ]),
            ]}
          />
        )}
        {lift !== null && stats.occurrences.length > 1 && (
          <p className="soft">{words.lift.several}</p>
        )}
      </div>
    </section>
  );
}

function groupText({ size, converted, conversionRate }: Group): string {
  return words.lift.group(count(converted ?? 0), count(size), conversionRate ?? 0);
}

/** The difference between the treated and the control group as a sentence. */
function liftSentence({
  difference,
  low,
  high,
}: {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
}): string {
  if (low <= 0 && high >= 0) return words.lift.none(points(low), points(high));
  const text = points(Math.abs(difference)).replace('+', '');
  return difference > 0 ? words.lift.more(text) : words.lift.less(text);
}

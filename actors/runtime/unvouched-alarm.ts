// Warns the operator when too many of an app's active people are ones that nobody vouched for: they
// are on the tenant's invoice, and a stranger may have made them. One line when the share becomes
// too large, and the next only after it was well.

import type { Millis, Ordinal } from '../../engine/base/brand.ts';
import type { Log } from '../../engine/observe/log.ts';
import { utcMonthOf } from '../../engine/time/utc-month.ts';
import type { MonthlyActive } from '../tenants/usage/monthly-active.ts';

/** Fewer people are no flood: in a small app a few visitors make a large share. */
const peopleMin = 1_000;
/** Of the threshold; below it a share is well again, so that one around it is told once. */
const wellShare = 0.9;

type Watched = readonly [Ordinal, { readonly monthlyActive: MonthlyActive }];

export class UnvouchedAlarm {
  readonly #percent: number | undefined;
  readonly #log: Pick<Log, 'warn'>;
  #ill = new Set<Ordinal>();

  /** `percent`: of an app's active people; `undefined` for no alarm. */
  constructor(percent: number | undefined, log: Pick<Log, 'warn'>) {
    this.#percent = percent;
    this.#log = log;
  }

  /** How many apps are above the threshold. */
  get apps(): number {
    return this.#ill.size;
  }

  /** Looks at all apps of a shard. Costs a scan of the bits of each. */
  look(apps: Iterable<Watched>, nowMs: Millis): void {
    if (this.#percent === undefined) return;
    const month = utcMonthOf(nowMs);
    const ill = new Set<Ordinal>();
    for (const [app, { monthlyActive }] of apps) {
      if (!monthlyActive.mayHaveUnvouched) continue;
      const people = monthlyActive.count(month);
      const unvouched = monthlyActive.countUnvouched(month);
      if (this.#isIll(app, people, unvouched, this.#percent)) ill.add(app);
      if (!ill.has(app) || this.#ill.has(app)) continue;
      const [some, all] = [unvouched, people].map((count) => count.toLocaleString('en'));
      this.#log.warn(
        { evt: 'people.unvouched', app, count: unvouched },
        `${some} of ${all} people active this month are known by requests without a key alone; a stranger may be inventing them`,
      );
    }
    this.#ill = ill;
  }

  #isIll(app: Ordinal, people: number, unvouched: number, percent: number): boolean {
    const share = people === 0 ? 0 : (100 * unvouched) / people;
    if (share >= percent && unvouched >= peopleMin) return true;
    // Of a month that has just begun, nobody can tell.
    return this.#ill.has(app) && (people < peopleMin || share >= percent * wellShare);
  }
}

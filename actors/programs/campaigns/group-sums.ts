// Adds up the groups of several occurrences: the held-out, the treated, and those of each variant.

import { type HoldoutCounts, noGroup } from './holdout.ts';
import { conversionRate, type GroupCounts, liftOf } from './lift.ts';
import type { Comparison, Group } from './protocol.ts';

export class GroupSums {
  #size = 0;
  #isCounted = false;
  readonly #held = noGroup();
  readonly #treated = noGroup();
  readonly #variants = new Map<string, ReturnType<typeof noGroup>>();

  add({ holdout, groups }: { readonly holdout: number; readonly groups?: HoldoutCounts }): void {
    this.#size += holdout;
    if (groups === undefined || !groups.hasGoal) return;
    this.#isCounted = true;
    addGroup(this.#held, groups.held);
    addGroup(this.#treated, groups.treated);
    for (const [variant, counts] of groups.variants) {
      const sum = this.#variants.get(variant) ?? noGroup();
      this.#variants.set(variant, sum);
      addGroup(sum, counts);
    }
  }

  comparison(): Comparison {
    if (!this.#isCounted) {
      const holdout = { size: this.#size, converted: null, conversionRate: null };
      return { holdout, treated: null, lift: null };
    }
    // Occurrences that began before this was counted have a size alone.
    const holdout = { ...groupOf(this.#held), size: this.#size };
    return { holdout, treated: groupOf(this.#treated), lift: liftOf(this.#treated, this.#held) };
  }

  comparisonOf(variant: string): Omit<Comparison, 'holdout'> {
    if (!this.#isCounted) return { treated: null, lift: null };
    const treated = this.#variants.get(variant) ?? noGroup();
    return { treated: groupOf(treated), lift: liftOf(treated, this.#held) };
  }
}

function groupOf(counts: GroupCounts): Group {
  return { ...counts, conversionRate: conversionRate(counts) };
}

function addGroup(into: ReturnType<typeof noGroup>, more: GroupCounts): void {
  into.size += more.size;
  into.converted += more.converted;
}

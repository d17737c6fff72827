// Who was meant to get an occurrence, who was held out of it, and who of them reached the goal.
// Both groups stay as drawn at the start and share one time: from the start until the goal's hours
// after the last send. So nothing but the campaign differs, whoever could be sent to.

import { Bitset } from '../../../engine/base/bitset.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { isInSample, variantFor } from './bucketing.ts';
import type { GroupCounts } from './lift.ts';
import type { CampaignRecord } from './records.ts';

export interface HoldoutCounts {
  /** Otherwise nobody converts. */
  readonly hasGoal: boolean;
  readonly held: GroupCounts;
  readonly treated: GroupCounts;
  /** Of the treated. People outside a sample have no variant until one wins. */
  readonly variants: readonly (readonly [string, GroupCounts])[];
}

export interface HoldoutSnapshot extends HoldoutCounts {
  readonly heldPeople: Uint8Array;
  readonly treatedPeople: Uint8Array;
  readonly convertedPeople: Uint8Array;
  readonly lastSentMs: Millis;
}

type Counting = { -readonly [Name in keyof GroupCounts]: number };
type Drawn = Pick<CampaignRecord, 'number' | 'variants' | 'experiment'>;

export class Holdout {
  readonly #held: Bitset;
  readonly #treated: Bitset;
  readonly #converted: Bitset;
  readonly #hasGoal: boolean;
  readonly #counts: { readonly held: Counting; readonly treated: Counting };
  readonly #variants: Map<string, Counting>;
  lastSentMs: Millis;

  private constructor(from: HoldoutSnapshot) {
    this.#held = Bitset.restore(from.heldPeople);
    this.#treated = Bitset.restore(from.treatedPeople);
    this.#converted = Bitset.restore(from.convertedPeople);
    this.#hasGoal = from.hasGoal;
    this.#counts = { held: { ...from.held }, treated: { ...from.treated } };
    this.#variants = new Map(from.variants.map(([id, counts]) => [id, { ...counts }]));
    this.lastSentMs = from.lastSentMs;
  }

  static begin(
    campaign: Drawn & Pick<CampaignRecord, 'goal'>,
    treated: Bitset,
    held: Bitset,
    startedMs: Millis,
  ): Holdout {
    const one = new Holdout({
      hasGoal: campaign.goal !== undefined,
      heldPeople: held.snapshot(),
      treatedPeople: treated.snapshot(),
      convertedPeople: new Uint8Array(0),
      held: { size: held.count(), converted: 0 },
      treated: { size: treated.count(), converted: 0 },
      variants: [],
      lastSentMs: startedMs,
    });
    if (campaign.variants !== undefined)
      treated.forEach((person) => {
        const variant = isInSample(campaign, person) ? drawnFor(campaign, person) : undefined;
        if (variant !== undefined) one.#of(variant).size++;
      });
    return one;
  }

  /** `names`: the ordinals of everyone who is this person by now; each counts for themselves. */
  convert(
    campaign: Drawn,
    winner: string | null,
    names: readonly PersonOrdinal[],
    { atMs, sinceMs, spanMs }: { readonly atMs: Millis; sinceMs: Millis; spanMs: Millis },
  ): void {
    if (atMs < sinceMs || atMs > this.lastSentMs + spanMs) return;
    for (const name of names) {
      if (this.#converted.test(name)) continue;
      if (this.#held.test(name)) this.#counts.held.converted++;
      else if (this.#treated.test(name)) {
        this.#counts.treated.converted++;
        const isDrawn = winner !== null || isInSample(campaign, name);
        const variant = isDrawn ? variantFor(campaign, { winner }, name) : undefined;
        if (variant !== undefined) this.#of(variant).converted++;
      } else continue;
      this.#converted.set(name);
    }
  }

  /** The next held-out person at or after `from`; -1 at the end. */
  nextHeld(from: PersonOrdinal): PersonOrdinal | -1 {
    return this.#held.nextFrom(from);
  }

  hasConverted(person: PersonOrdinal): boolean {
    return this.#converted.test(person);
  }

  /** Everyone treated outside the sample belongs to the winner. */
  choose(campaign: Drawn, winner: string): void {
    const counts = this.#of(winner);
    this.#treated.forEach((person) => {
      if (isInSample(campaign, person)) return;
      counts.size++;
      if (this.#converted.test(person)) counts.converted++;
    });
  }

  counts(): HoldoutCounts {
    return {
      hasGoal: this.#hasGoal,
      held: { ...this.#counts.held },
      treated: { ...this.#counts.treated },
      variants: [...this.#variants].map(([id, counts]) => [id, { ...counts }] as const),
    };
  }

  snapshot(): HoldoutSnapshot {
    return {
      ...this.counts(),
      heldPeople: this.#held.snapshot(),
      treatedPeople: this.#treated.snapshot(),
      convertedPeople: this.#converted.snapshot(),
      lastSentMs: this.lastSentMs,
    };
  }

  static restore(from: HoldoutSnapshot): Holdout {
    return new Holdout(from);
  }

  #of(variant: string): Counting {
    let counts = this.#variants.get(variant);
    if (counts === undefined) this.#variants.set(variant, (counts = noGroup()));
    return counts;
  }
}

function drawnFor(campaign: Drawn, person: PersonOrdinal): string | undefined {
  return variantFor(campaign, { winner: null }, person);
}

export function noGroup(): Counting {
  return { size: 0, converted: 0 };
}

// While a sender domain warms up, the most engaged people get their turn first: mailbox providers
// judge a new sender by how its first emails are received. Who is engaged is looked up once an hour,
// from columns; it takes some milliseconds for a million people.

import type { Bitset } from '../../../engine/base/bitset.ts';
import { hourMs, type Millis } from '../../../engine/base/brand.ts';
import { clear, copyOut, scratchSets } from '../../../engine/columns/sets.ts';
import { keptCutOf } from '../../audiences/segments/evaluate.ts';
import type { TraitsReads } from '../../audiences/segments/reads.ts';

/** Days within which someone was active; people without such a day come last. */
const engagedDays = [7, 30] as const;

/** One after the other; `undefined`: everybody. */
type Passes = readonly (Bitset | undefined)[];

const ofHours = new WeakMap<object, { readonly hour: number; readonly passes: Passes }>();

export function engagedFirst(traits: TraitsReads, nowMs: Millis): Passes {
  const hour = Math.floor(nowMs / hourMs);
  const known = ofHours.get(traits);
  if (known?.hour === hour) return known.passes;
  const sets = scratchSets();
  sets.begin(traits.next, 2);
  const [into, spare] = [sets.at(0), sets.at(1)];
  const engaged = engagedDays.map((days) => {
    clear(into);
    traits.activity.addAfter(keptCutOf(days, nowMs, traits), into, spare);
    return copyOut(into);
  });
  const passes = [...engaged, undefined];
  ofHours.set(traits, { hour, passes });
  return passes;
}

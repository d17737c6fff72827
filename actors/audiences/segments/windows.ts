// The windows of a filter: each condition that looks back, and the instants that it is measured
// from. Whoever asks when such a condition begins or ends to hold (the clock of followed segments,
// and what events may move) reads them here.

import { countsAsActivity } from '../../events/names.ts';
import { eachCondition, type Filter, windowDaysOf } from './filter.ts';
import type { LastSeen } from './last-seen.ts';
import type { TraitsReads } from './reads.ts';

/**
 * A condition says something else of whoever has an instant within its window than of everybody
 * else.
 */
export interface Window {
  readonly days: number;
  /** Whether an event of this name puts an instant into the column. */
  isMovedBy(event: string): boolean;
  /** The instants; `undefined` where nobody did it so often, and while nobody knows. */
  columnIn(traits: TraitsReads): LastSeen | undefined;
  /** False while the column is being filled. */
  isKnownIn(traits: TraitsReads): boolean;
}

/** Found out once for each filter. */
const known = new WeakMap<Filter, readonly Window[]>();

/** Every window of a filter. */
export function windowsOf(filter: Filter): readonly Window[] {
  let windows = known.get(filter);
  if (windows === undefined) {
    windows = findWindows(filter);
    known.set(filter, windows);
  }
  return windows;
}

function findWindows(filter: Filter): Window[] {
  const windows: Window[] = [];
  const isKnownIn = () => true;
  eachCondition(filter, (condition) => {
    const days = windowDaysOf(condition);
    if (days === undefined) return;
    if ('event' in condition) {
      const { event } = condition;
      const atLeast = ('atLeast' in condition ? condition.atLeast : undefined) ?? 1;
      const isMovedBy = (name: string) => name === event;
      windows.push(
        atLeast === 1
          ? { days, isMovedBy, columnIn: ({ events }) => events.get(event), isKnownIn }
          : {
              days,
              isMovedBy,
              columnIn: (traits) => traits.timesOf(event)?.rank(atLeast),
              isKnownIn: (traits) => traits.timesOf(event) !== undefined,
            },
      );
      return;
    }
    const columnIn = ({ activity }: TraitsReads) => activity;
    windows.push({ days, isMovedBy: countsAsActivity, columnIn, isKnownIn });
    if ('inactiveForDays' in condition)
      windows.push({
        days,
        isMovedBy: () => false,
        columnIn: ({ created }) => created,
        isKnownIn,
      });
  });
  return windows;
}

// The windows of a filter: each condition that looks back, and the instants it is measured from.
// The clock of followed segments and the reviews of events use them.

import { countsAsActivity } from '../../events/ingest/names.ts';
import { eachCondition, type Filter, windowDaysOf } from './filter.ts';
import type { LastSeen } from './last-seen.ts';
import type { TraitsReads } from './reads.ts';

/** The condition differs between people with an instant in the window and all others. */
export interface Window {
  readonly days: number;
  /** Whether an event of this name adds an instant to the column. */
  isMovedBy(event: string): boolean;
  /** `undefined` if nobody did it so often, or the column is not known yet. */
  columnIn(traits: TraitsReads): LastSeen | undefined;
  /** False while the column is being filled. */
  isKnownIn(traits: TraitsReads): boolean;
}

const known = new WeakMap<Filter, readonly Window[]>();

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

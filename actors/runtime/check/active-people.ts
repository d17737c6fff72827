// Counts the active people of the running month once more, from the stored events, and compares
// with the meter: invoices are made of it. The stream may know fewer: erasures and retention remove
// events, and never what was counted.

import type { Ages } from '../../../engine/actor/message.ts';
import {
  dayMs,
  type Millis,
  type Ordinal,
  type PersonOrdinal,
} from '../../../engine/base/brand.ts';
import { utcMonthOf, utcMonthStart, utcMonthText } from '../../../engine/time/utc-month.ts';
import type { PartitionSnapshot } from '../../../storage/partition-snapshot.ts';
import { newestHistory } from '../../events/history/event-history.ts';
import { countsInMonth } from '../../events/ingest/names.ts';
import { isByMachine } from '../../events/log/machine-mark.ts';
import { isMarkedReported } from '../../events/log/test-mark.ts';
import type { BlockSource } from '../../events/read/read.ts';
import { StoredWalk } from '../../events/read/stored-walk.ts';
import { keptFromMs } from '../../tenants/accounts/records.ts';
import { eventsOf } from '../facts.ts';
import type { AppState, PartitionState } from '../state.ts';
import type { Problems } from './problems.ts';
import type { ActivePeople } from './protocol.ts';
import { messageOf } from './records.ts';

export function checkActivePeople(
  snapshot: PartitionSnapshot,
  state: PartitionState,
  nowMs: Millis,
  problems: Problems,
  tick: (what: string) => void,
): ActivePeople {
  const month = utcMonthOf(nowMs);
  const sum = { month: utcMonthText(month), metered: 0, counted: 0 };
  for (const [owner, app] of state.apps) {
    tick(`active people of ${app.record.id}`);
    const metered = app.monthlyActive.count(month);
    sum.metered += metered;
    try {
      const counted = countAgain(snapshot, owner, app, utcMonthStart(month));
      sum.counted += counted;
      if (counted === metered || (counted < metered && mayBeGone(app, state.ages, nowMs))) continue;
      problems.add(
        `${app.record.id}: the meter has ${metered} active people in ${sum.month}, and the stored events have ${counted}`,
      );
    } catch (error) {
      problems.add(`${app.record.id}: its events cannot be counted: ${messageOf(error)}`);
    }
  }
  return sum;
}

function countAgain(
  snapshot: PartitionSnapshot,
  owner: Ordinal,
  { people }: AppState,
  fromMs: Millis,
): number {
  const active = new Set<PersonOrdinal>();
  const walk = new StoredWalk(owner, logOf(snapshot), newestHistory(snapshot.path), {
    isSet: false,
  });
  // The month is that of acceptance, so an event of any time may count.
  walk.all({ fromMs: 0 }, (events, from, to) => {
    for (let row = from; row < to; row++) {
      const person = events.person(row);
      // Of an erased person nobody knows any more which ordinals were one.
      if (people.erased.has(person)) continue;
      if (events.receivedAtMs(row) < fromMs || !countsInMonth(events.name(row))) continue;
      if (isByMachine(events.name(row), events, row)) continue;
      if (events.name(row) !== 'delivered' || !isMarkedReported(events.metaJson(row)))
        active.add(people.canonical(person));
    }
  });
  return active.size;
}

/** Whether events of this month may have been removed. */
function mayBeGone({ people, traits, settings }: AppState, ages: Ages, nowMs: Millis): boolean {
  const fromMs = keptFromMs(settings, ages, nowMs) + dayMs;
  return (
    fromMs > utcMonthStart(utcMonthOf(nowMs)) || people.erasedWithin(0, traits.next).length > 0
  );
}

function logOf(snapshot: PartitionSnapshot): BlockSource {
  const { oldestSeq, newestSeq } = snapshot;
  return {
    durableSeq: newestSeq,
    oldestSeq,
    eventsOf,
    blocks(from, limit) {
      const found: { readonly seq: number; readonly block: Uint8Array }[] = [];
      for (const one of snapshot.blocks(from)) {
        found.push(one);
        if (found.length === limit) break;
      }
      return found;
    },
  };
}

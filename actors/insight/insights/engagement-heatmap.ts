// The hours of the week at which people receive, open and click messages, in their local time. A
// person's current zone applies to all their events, since past zones are not stored; without one
// the app's applies. A delivery that was later corrected is not counted.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { zoneOf } from '../../../engine/time/civil-time.ts';
import { isMarkedMachine } from '../../events/log/machine-mark.ts';
import { noPerson, SeenPeople } from '../../events/read/seen-people.ts';
import type { StoredWalk } from '../../events/read/stored-walk.ts';
import { lastDays } from './buckets.ts';
import { hoursOfWeek, LocalHours } from './local-hours.ts';
import type { Facts, Heatmap } from './protocol.ts';
import { standingReceipts } from './standing-receipts.ts';
import { isOfTest } from './test-sends.ts';

const engagements = ['opened', 'clicked'] as const;

/** Answers `insight.heatmap`. `comparedMax` is for tests. */
export function engagementHeatmap(facts: Facts, walk: StoredWalk, comparedMax?: number): Heatmap {
  const buckets = lastDays('day', facts.span, facts.nowMs, zoneOf(facts.timezone));
  const people = new SeenPeople(facts);
  const clocks = new Clocks(facts);
  const noCounts = () => new Float64Array(hoursOfWeek);
  const counts = { delivered: noCounts(), opened: noCounts(), clicked: noCounts() };
  const count = (of: Float64Array, person: PersonOrdinal, atMs: Millis) => {
    const cell = clocks.of(person).cellOf(atMs);
    of[cell] = (of[cell] as number) + 1;
  };
  const { fromMs, endMs } = buckets;
  walk.all({ fromMs, names: engagements }, (events, from, to) => {
    for (let row = from; row < to; row++) {
      const name = events.name(row);
      if (name !== 'opened' && name !== 'clicked') continue;
      const atMs = events.atMs(row);
      if (atMs < fromMs || atMs >= endMs) continue;
      const person = people.of(events.person(row));
      if (person === noPerson || isOfTest(events, row)) continue;
      if (!isMarkedMachine(events.metaJson(row))) count(counts[name], person, atMs);
    }
  });
  standingReceipts(
    walk,
    people,
    buckets,
    (status, person, atMs) => {
      if (status === 'delivered') count(counts.delivered, person, atMs);
    },
    comparedMax,
  );
  return {
    cells: Array.from({ length: hoursOfWeek }, (_, cell) => ({
      weekday: Math.floor(cell / 24),
      hour: cell % 24,
      delivered: counts.delivered[cell] as number,
      opened: counts.opened[cell] as number,
      clicked: counts.clicked[cell] as number,
    })),
  };
}

/** Each person's local clock. */
class Clocks {
  /** By code of the zone; 0 is the app's. */
  readonly #byCode: readonly LocalHours[];
  readonly #codeOf: Uint16Array;

  constructor({ timezone, zones }: Pick<Facts, 'timezone' | 'zones'>) {
    this.#byCode = [timezone, ...(zones?.names ?? [])].map((zone) => new LocalHours(zoneOf(zone)));
    this.#codeOf = zones?.codeOf ?? new Uint16Array();
  }

  of(person: PersonOrdinal): LocalHours {
    return this.#byCode[this.#codeOf[person] ?? 0] as LocalHours;
  }
}

// Until when it is quiet for a person: while their wall clock shows `start` to before `end`. When
// clocks go back, quiet hours that ended may begin again; when clocks skip `end`, they end with the
// gap.

import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import type { QuietHours } from '../../tenants/accounts/records.ts';
import { timeOfDayMs, wallTimeMs } from './local-time.ts';
import { offsetSpan } from './offset-spans.ts';

/** An end before the start is on the next day. */
type Hours = Pick<QuietHours, 'start' | 'end'>;

/** Cached zones, in all spellings. */
const zonesMax = 1_000;

/**
 * The first instant that is not quiet; `undefined` if it is not quiet now. A start equal to the
 * end, which the settings refuse, is never quiet.
 */
export function quietUntil(hours: Hours, zone: string, nowMs: Millis): Millis | undefined {
  return untilMs(timeOfDayMs(hours.start), timeOfDayMs(hours.end), zone, nowMs);
}

/** Quiet hours at one instant for many people; computed once per zone. */
export class QuietClock {
  readonly #startMs: Millis;
  readonly #endMs: Millis;
  readonly #nowMs: Millis;
  /** By zone; null where it is not quiet. */
  readonly #known = new Map<string, Millis | null>();

  constructor(hours: Hours, nowMs: Millis) {
    this.#startMs = timeOfDayMs(hours.start);
    this.#endMs = timeOfDayMs(hours.end);
    this.#nowMs = nowMs;
  }

  /** See `quietUntil`. */
  untilIn(zone: string): Millis | undefined {
    let until = this.#known.get(zone);
    if (until === undefined) {
      until = untilMs(this.#startMs, this.#endMs, zone, this.#nowMs) ?? null;
      if (this.#known.size >= zonesMax) this.#known.clear();
      this.#known.set(zone, until);
    }
    return until ?? undefined;
  }
}

function untilMs(startMs: Millis, endMs: Millis, zone: string, nowMs: Millis): Millis | undefined {
  const lengthMs = (endMs - startMs + dayMs) % dayMs;
  for (let atMs = nowMs; ; ) {
    const sinceStartMs = (wallTimeMs(zone, atMs) - startMs + dayMs) % dayMs;
    if (sinceStartMs >= lengthMs) return atMs === nowMs ? undefined : atMs;
    const until = atMs + lengthMs - sinceStartMs;
    const changeMs = offsetSpan(zone, atMs).untilMs;
    if (until < changeMs) return until;
    // The clock changes first: continue with what it shows then.
    atMs = changeMs;
  }
}

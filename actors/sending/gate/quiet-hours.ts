// Until when somebody is not to be disturbed. It is quiet while their wall clock reads from `start`
// to before `end`, whatever the clock was put through. What a reader would get wrong: on the night
// when clocks go back, hours that ended may begin again, and when they go forward over `end`, they
// end with the gap. Nobody is written to while their own clock says not to.

import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import type { QuietHours } from '../../tenants/accounts/records.ts';
import { timeOfDayMs, wallTimeMs } from './local-time.ts';
import { offsetSpan } from './offset-spans.ts';

/**
 * The hours alone; whose zone they are read in is for the caller to know. An end before the start
 * is on the next day.
 */
export type Hours = Pick<QuietHours, 'start' | 'end'>;

/** Zones, in all spellings, that a clock remembers. */
const zonesMax = 1_000;

/**
 * When the quiet hours end that hold at `nowMs` in a zone, to the first instant at which it is not
 * quiet; undefined when it is not quiet now. A start equal to the end, which the settings refuse,
 * is never quiet.
 */
export function quietUntil(hours: Hours, zone: string, nowMs: Millis): Millis | undefined {
  return untilMs(timeOfDayMs(hours.start), timeOfDayMs(hours.end), zone, nowMs);
}

/** Quiet hours at one instant for many people: each zone is worked out once. */
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

  /** As `quietUntil` has it. */
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
    // The clock changes before they end, or as they do: look again at what it reads then.
    atMs = changeMs;
  }
}

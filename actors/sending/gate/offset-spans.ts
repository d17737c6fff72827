// Stretches of time over which the offset of a zone stays as it is: within one, a wall clock is a
// sum. The library finds the changes, and what it found is kept here. What a reader would get
// wrong: zones change by law and their tables come with Node, so a replay may see others. What
// follows from them belongs into entries; `apply` never asks.

import { Temporal } from 'temporal-polyfill';
import { dayMs, type Millis } from '../../../engine/base/brand.ts';

export interface OffsetSpan {
  readonly fromMs: Millis;
  /** Excluded; the next stretch begins there. */
  readonly untilMs: Millis;
  /** East of UTC. */
  readonly offsetMs: Millis;
}

/** Zones that are kept, in all spellings; there are some 450, and more spellings than zones. */
const zonesMax = 1_000;
/** Pages of a zone that are kept, and their length, which is nobody's business but this file's. */
const pagesMax = 8;
const pageMs: Millis = 400 * dayMs;

const always: OffsetSpan = { fromMs: -Infinity, untilMs: Infinity, offsetMs: 0 };
const utc = { at: () => always };
const zones = new Map<string, { at(ms: Millis): OffsetSpan }>();

/**
 * A stretch that an instant lies in and over which a zone's offset is one. It may end where nothing
 * changes. Anything that is no zone is UTC, as in `engine/time/civil-time.ts`. The first question
 * about a zone takes some 0.6 ms, further ones less than 0.1 µs.
 */
export function offsetSpan(zone: string, atMs: Millis): OffsetSpan {
  let spans = zones.get(zone);
  if (spans === undefined) {
    const name = nameOf(zone);
    spans = name === undefined ? utc : new OffsetSpans(name);
    if (zones.size >= zonesMax) zones.clear();
    zones.set(zone, spans);
  }
  return spans.at(atMs);
}

/** The stretches of one zone, found a page of time at once. */
class OffsetSpans {
  readonly #name: string;
  readonly #pages = new Map<number, readonly OffsetSpan[]>();
  #last: OffsetSpan = { fromMs: 0, untilMs: 0, offsetMs: 0 };

  constructor(name: string) {
    this.#name = name;
  }

  at(ms: Millis): OffsetSpan {
    const last = this.#last;
    if (ms >= last.fromMs && ms < last.untilMs) return last;
    const found = this.#page(Math.floor(ms / pageMs)).find(({ untilMs }) => ms < untilMs);
    return (this.#last = found ?? always);
  }

  #page(number: number): readonly OffsetSpan[] {
    const known = this.#pages.get(number);
    if (known !== undefined) return known;
    const endMs = (number + 1) * pageMs;
    const spans: OffsetSpan[] = [];
    let from: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(
      number * pageMs,
    ).toZonedDateTimeISO(this.#name);
    while (from !== null && from.epochMilliseconds < endMs) {
      // The polyfill looks ahead for three years beyond the machine's clock or beyond `from`,
      // whichever is later. A page is shorter than either, so the clock makes no difference.
      const next: Temporal.ZonedDateTime | null = from.getTimeZoneTransition('next');
      spans.push({
        fromMs: from.epochMilliseconds,
        untilMs: Math.min(next?.epochMilliseconds ?? endMs, endMs),
        offsetMs: from.offsetNanoseconds / 1e6,
      });
      from = next;
    }
    if (this.#pages.size >= pagesMax) this.#pages.clear();
    this.#pages.set(number, spans);
    return spans;
  }
}

/**
 * A zone's name in ICU's spelling, since the library keeps each spelling that it is given for good.
 */
function nameOf(zone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    // RangeError is the only answer there is to an unknown zone.
    return undefined;
  }
}

// Spans of time with one UTC offset of a zone, cached from the library. Zone data changes with
// Node, so a replay may get other spans: `apply` must never ask, and what follows from them belongs
// into entries.

import { Temporal } from 'temporal-polyfill';
import { dayMs, type Millis } from '../../../engine/base/brand.ts';

interface OffsetSpan {
  readonly fromMs: Millis;
  /** Excluded; the next span begins there. */
  readonly untilMs: Millis;
  /** East of UTC. */
  readonly offsetMs: Millis;
}

/** Cached zones; there are about 450, and more spellings. */
const zonesMax = 1_000;
/** Cached pages of a zone, and their length. */
const pagesMax = 8;
const pageMs: Millis = 400 * dayMs;

const always: OffsetSpan = { fromMs: -Infinity, untilMs: Infinity, offsetMs: 0 };
const utc = { at: () => always };
const zones = new Map<string, { at(ms: Millis): OffsetSpan }>();

/**
 * A span that contains an instant. It may end without a change. An unknown zone is UTC, as in
 * `engine/time/civil-time.ts`. The first call for a zone takes about 0.6 ms, later ones less than
 * 0.1 µs.
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
      // The polyfill looks ahead three years from the machine's clock or from `from`, whichever is
      // later. A page is shorter, so the clock makes no difference.
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

/** In ICU's spelling: the library keeps every spelling it gets forever. */
function nameOf(zone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    // Intl throws RangeError for unknown zones.
    return undefined;
  }
}

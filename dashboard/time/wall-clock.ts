// Wall clocks and instants in a time zone. A clock that is put forward skips times of day; one that
// is put back shows some twice.

interface InstantOfWall {
  readonly atMs: number;
  /**
   * `skipped`: the zone's clock never shows this time, and the instant is as much later as the
   * clock was put forward. `twice`: it shows it twice, and the instant is the first.
   */
  readonly kind: 'exact' | 'skipped' | 'twice';
}

const formats = new Map<string, Intl.DateTimeFormat>();
const dayMs = 86_400_000;

/** "2026-11-24T09:30" in a zone, as an input of the browser has it; to the minute. */
export function wallOf(atMs: number, timeZone: string): string {
  return new Date(atMs + offsetMs(atMs, timeZone)).toISOString().slice(0, 16);
}

/** `undefined` for a text that is no time. */
export function instantOfWall(wall: string, timeZone: string): InstantOfWall | undefined {
  const asUtcMs = Date.parse(`${wall}Z`);
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(wall) || Number.isNaN(asUtcMs)) return undefined;
  const beforeMs = offsetMs(asUtcMs - dayMs, timeZone);
  const afterMs = offsetMs(asUtcMs + dayMs, timeZone);
  const found = [...new Set([beforeMs, afterMs])]
    .map((offset) => asUtcMs - offset)
    .filter((atMs) => atMs + offsetMs(atMs, timeZone) === asUtcMs);
  const [first] = found;
  if (first === undefined) return { atMs: asUtcMs - beforeMs, kind: 'skipped' };
  return { atMs: Math.min(...found), kind: found.length > 1 ? 'twice' : 'exact' };
}

/** What a zone's clock is ahead of UTC at an instant. */
function offsetMs(atMs: number, timeZone: string): number {
  const wholeMs = Math.floor(atMs / 1_000) * 1_000;
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(wholeMs)
      .map(({ type, value }) => [type, value]),
  );
  const { year, month, day, hour, minute, second } = parts;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) - wholeMs;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formats.set(timeZone, format);
  }
  return format;
}

const daysAhead = 366;

/**
 * When a send that recurs at a time of day, "02:30", goes out on the nights of the coming year in
 * which the zone's clock skips that time: at the end of the gap. None for most zones and times.
 */
export function nightsThatSkip(
  timeOfDay: string,
  timeZone: string,
  nowMs: number,
): readonly number[] {
  const found: number[] = [];
  for (let day = 0; day < daysAhead; day++) {
    const atMs = nowMs + day * dayMs;
    // Only around a change of the clock can a time be missing.
    if (offsetMs(atMs, timeZone) === offsetMs(atMs + dayMs, timeZone)) continue;
    for (const dateMs of [atMs, atMs + dayMs]) {
      const night = instantOfWall(
        `${wallOf(dateMs, timeZone).slice(0, 10)}T${timeOfDay}`,
        timeZone,
      );
      if (night?.kind !== 'skipped') continue;
      const endMs = changeBefore(night.atMs, timeZone);
      if (endMs >= nowMs && !found.includes(endMs)) found.push(endMs);
    }
  }
  return found;
}

/** The change of the clock in the hours before an instant, to the minute. */
function changeBefore(atMs: number, timeZone: string): number {
  const minuteMs = 60_000;
  let beforeMs = atMs - dayMs;
  let afterMs = atMs;
  while (afterMs - beforeMs > minuteMs) {
    const middleMs = Math.round((beforeMs + afterMs) / 2 / minuteMs) * minuteMs;
    if (offsetMs(middleMs, timeZone) === offsetMs(atMs, timeZone)) afterMs = middleMs;
    else beforeMs = middleMs;
  }
  return afterMs;
}

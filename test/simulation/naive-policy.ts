// The rules of when marketing may leave, written a second time as plainly as possible: the
// platform's wall clock, and caps counted over everything handed out. Shares no line with the
// product's judge. A cap counts from when it was set.

import type { FrequencyCap, QuietHours } from '../../actors/tenants/accounts/records.ts';
import { hourMs, type Millis } from '../../engine/base/brand.ts';

const clocks = new Map<string, Intl.DateTimeFormat>();

/** What a clock on the wall of somebody in a zone reads, as `HH:mm`. */
function wallClock(zone: string, atMs: Millis): string {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    clocks.set(zone, clock);
  }
  return clock.format(atMs);
}

/**
 * Whether it is quiet for somebody: from `start` to before `end`, over midnight where the end is
 * earlier.
 */
export function isQuiet({ start, end }: QuietHours, zone: string, atMs: Millis): boolean {
  const now = wallClock(zone, atMs);
  return start < end ? start <= now && now < end : now >= start || now < end;
}

interface HandedOut {
  readonly person: number;
  readonly channel: string;
  /** The first of its message to this person. */
  readonly isFirst: boolean;
  readonly atMs: Millis;
}

/** Everything that an app handed out, and since when each of its caps counts. */
export class CapBook {
  readonly #handedOut: HandedOut[] = [];
  readonly #since = new Map<string, { readonly max: number; readonly sinceMs: Millis }>();
  #caps: readonly FrequencyCap[] = [];

  set(caps: readonly FrequencyCap[], atMs: Millis): void {
    this.#caps = caps;
    const most = new Map<string, number>();
    for (const { channel = 'all', max } of caps)
      most.set(channel, Math.max(max, most.get(channel) ?? 0));
    for (const scope of [...this.#since.keys()]) if (!most.has(scope)) this.#since.delete(scope);
    for (const [scope, max] of most) {
      const before = this.#since.get(scope);
      if (before === undefined || before.max < max) this.#since.set(scope, { max, sinceMs: atMs });
    }
  }

  /**
   * The first cap that lets no more through, in words. `isSame` tells people who are one by now.
   */
  reached(one: Omit<HandedOut, 'person'>, isSame: (person: number) => boolean): string | undefined {
    for (const { channel: scope = 'all', max, perHours } of this.#caps) {
      if (scope === 'all' ? !one.isFirst : scope !== one.channel) continue;
      const sinceMs = this.#since.get(scope)?.sinceMs ?? 0;
      const fromMs = Math.max(sinceMs, one.atMs - perHours * hourMs);
      const count = this.#handedOut.filter(
        ({ person, channel, isFirst, atMs }) =>
          atMs > fromMs && isSame(person) && (scope === 'all' ? isFirst : scope === channel),
      ).length;
      if (count >= max) return `${count} of at most ${max} in ${perHours} hours on ${scope}`;
    }
    return undefined;
  }

  add(one: HandedOut): void {
    this.#handedOut.push(one);
  }
}

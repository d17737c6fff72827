// Channels that got worse: of at least fifty attempts in any five minutes, a fifth failed. Said
// once, and again only after five minutes in which that was not so.

import type { Rebase } from '../../../engine/actor/machine.ts';
import { type Millis, minuteMs } from '../../../engine/base/brand.ts';

const windowMinutes = 5;
const windowMs: Millis = windowMinutes * minuteMs;
const attemptsMin = 50;
/** One in so many. */
const failedShare = 5;

/** What ended in one minute. */
interface Minute {
  readonly minute: number;
  attempts: number;
  failed: number;
  readonly reasons: Record<string, number>;
}

interface ChannelMinutes {
  minutes: Minute[];
  /** When it was last bad, while it is said to be. */
  badMs: Millis | null;
}

export type DegradedSnapshot = readonly (readonly [channel: number, ChannelMinutes])[];

/** Attempts that ended; `failed` by reason. */
export interface EndedAttempts {
  readonly channel: number;
  readonly atMs: Millis;
  readonly attempts: number;
  readonly failed: ReadonlyMap<string, number>;
}

interface Degraded {
  readonly attempts: number;
  readonly failed: number;
  readonly sinceMs: Millis;
  readonly reasons: Readonly<Record<string, number>>;
}

export class DegradedChannels {
  readonly #channels: Map<number, ChannelMinutes>;

  constructor(from: DegradedSnapshot = []) {
    this.#channels = new Map(from.map(([channel, one]) => [channel, structuredClone(one)]));
  }

  /** What is to be said about the channel now, if anything. */
  ended({ channel, atMs, attempts, failed }: EndedAttempts): Degraded | undefined {
    const one = this.#channels.get(channel) ?? { minutes: [], badMs: null };
    this.#channels.set(channel, one);
    const minute = Math.floor(atMs / minuteMs);
    one.minutes = one.minutes.filter((other) => other.minute > minute - windowMinutes);
    let last = one.minutes.at(-1);
    if (last === undefined || last.minute < minute) {
      last = { minute, attempts: 0, failed: 0, reasons: {} };
      one.minutes.push(last);
    }
    last.attempts += attempts;
    for (const [reason, count] of failed) {
      last.failed += count;
      last.reasons[reason] = (last.reasons[reason] ?? 0) + count;
    }
    const sum = sumOf(one.minutes);
    const isBad = sum.attempts >= attemptsMin && sum.failed * failedShare >= sum.attempts;
    const wasBad = one.badMs !== null && atMs - one.badMs < windowMs;
    if (isBad) one.badMs = atMs;
    else if (!wasBad) one.badMs = null;
    return isBad && !wasBad ? sum : undefined;
  }

  rebase(to: Rebase): void {
    for (const one of this.#channels.values()) {
      one.minutes = one.minutes.map((minute) => ({
        ...minute,
        minute: Math.floor(to.stamp(minute.minute * minuteMs) / minuteMs),
      }));
      if (one.badMs !== null) one.badMs = to.stamp(one.badMs);
    }
  }

  snapshot(): DegradedSnapshot {
    return [...this.#channels];
  }
}

function sumOf(minutes: readonly Minute[]): Degraded {
  const reasons: Record<string, number> = {};
  let attempts = 0;
  let failed = 0;
  for (const one of minutes) {
    attempts += one.attempts;
    failed += one.failed;
    for (const [reason, count] of Object.entries(one.reasons))
      reasons[reason] = (reasons[reason] ?? 0) + count;
  }
  return { attempts, failed, sinceMs: (minutes[0]?.minute ?? 0) * minuteMs, reasons };
}

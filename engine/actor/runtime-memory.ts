// The runtime's memory beside the machine: timers, dead letters, pending consequences, quarantined
// owners, the newest instant, unconfirmed time. Folded from the log; a part of its own in a
// snapshot.

import type { Millis, Ordinal } from '../base/brand.ts';
import { type RebasedInstants, rebaseOf } from '../time/rebase.ts';
import { TimerWheel, type TimerWheelSnapshot } from '../time/timer-wheel.ts';
import type { Gap, GapMemory, SnapshotPart, TimerSet } from './machine.ts';
import type { Entry, Tell } from './message.ts';

export interface DeadLetter extends Entry {
  readonly kind: 'runtime.dead_letter';
  readonly message: string;
  readonly error: string;
  readonly atMs: Millis;
}

/** A timer that is no longer set. */
export interface TimerFired extends Entry {
  readonly kind: 'timer.fired';
  readonly handle: number;
}

/** A chain's consequences for the next turn; none at its end. */
export interface Carried extends Entry {
  readonly kind: 'runtime.carried';
  readonly tells: readonly Tell[];
}

/** The wall clock moved further than the log or the monotonic clock can say. */
export interface ClockDoubted extends Entry, Gap {
  readonly kind: 'runtime.clock_doubted';
}

/** Who said that the wall clock is right. */
export type ClockSource = 'kernel' | 'provider' | 'running' | 'operator';

export interface ClockConfirmed extends Entry {
  readonly kind: 'runtime.clock_confirmed';
  readonly by: ClockSource;
}

/** From here on instants are earlier than before. */
export interface ClockAccepted extends Entry, RebasedInstants {
  readonly kind: 'runtime.clock_accepted';
}

/** Of the entries that `RuntimeMemory` folds. */
export const runtimeEntryKinds = [
  'timer.set',
  'timer.fired',
  'runtime.dead_letter',
  'runtime.carried',
  'runtime.clock_doubted',
  'runtime.clock_confirmed',
  'runtime.clock_accepted',
] as const;

interface RuntimePart {
  readonly atMs: Millis;
  readonly wheel: TimerWheelSnapshot;
  readonly deadLetters: readonly DeadLetter[];
  readonly carried: readonly Tell[];
  /** Absent in older checkpoints. */
  readonly gaps?: readonly Gap[];
}

const partName = 'runtime';
const deadLettersKept = 100;

export class RuntimeMemory {
  wheel = new TimerWheel();
  deadLetters: DeadLetter[] = [];
  /** From the newest turn. */
  carried: readonly Tell[] = [];
  /**
   * Owners with an entry that a replay could not fold; their messages are not handled. Never
   * persisted: each replay decides, so a release that folds the entry serves them.
   */
  readonly quarantined = new Set<Ordinal>();
  lastMs: Millis = 0;
  readonly ages: GapMemory;

  /** `ages`: shared with the machine. */
  constructor(ages: GapMemory) {
    this.ages = ages;
  }

  /** False if the entry belongs to the machine. */
  apply(entry: Entry): boolean {
    switch (entry.kind) {
      case 'timer.set': {
        const { dueMs, timer, owner, ref } = entry as TimerSet;
        this.wheel.schedule(dueMs, timer, owner, ref[0], ref[1], ref[2], ref[3]);
        return true;
      }
      case 'timer.fired':
        this.wheel.remove((entry as TimerFired).handle);
        return true;
      case 'runtime.dead_letter':
        this.deadLetters.push(entry as DeadLetter);
        if (this.deadLetters.length > deadLettersKept) this.deadLetters.shift();
        return true;
      case 'runtime.carried':
        this.carried = (entry as Carried).tells;
        return true;
      case 'runtime.clock_doubted':
        this.ages.doubt(entry as ClockDoubted);
        return true;
      case 'runtime.clock_confirmed':
        this.ages.confirm();
        return true;
      case 'runtime.clock_accepted': {
        const accepted = entry as ClockAccepted;
        this.ages.confirm();
        this.lastMs = accepted.toMs;
        this.wheel = this.wheel.rescheduled(rebaseOf(accepted).due);
        return true;
      }
      default:
        return false;
    }
  }

  part(): SnapshotPart {
    const value: RuntimePart = {
      atMs: this.lastMs,
      wheel: this.wheel.snapshot(),
      deadLetters: [...this.deadLetters],
      carried: this.carried,
      gaps: this.ages.gaps,
    };
    return { name: partName, value };
  }

  /** Restores its own part; yields the machine's. */
  *restore(parts: Iterable<SnapshotPart>): Generator<SnapshotPart> {
    for (const part of parts) {
      if (part.name !== partName) {
        yield part;
        continue;
      }
      const from = part.value as RuntimePart;
      this.lastMs = from.atMs;
      this.wheel = TimerWheel.restore(from.wheel);
      this.deadLetters = [...from.deadLetters];
      this.carried = from.carried;
      this.ages.restore(from.gaps ?? []);
    }
  }
}

/** For a message, or a replayed entry, that threw. */
export function deadLetterOf(
  owner: Ordinal,
  message: string,
  error: unknown,
  atMs: Millis,
): DeadLetter {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { kind: 'runtime.dead_letter', owner, message, error: text.slice(0, 500), atMs };
}

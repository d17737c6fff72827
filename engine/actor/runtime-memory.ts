// The runtime's own memory of a partition, beside the product's machine: timers, undecidable
// messages, pending consequences, owners in quarantine, and the newest instant. It is a fold of the
// log like everything else, and a part of its own in a snapshot.

import type { Millis, Ordinal } from '../base/brand.ts';
import { TimerWheel, type TimerWheelSnapshot } from '../time/timer-wheel.ts';
import type { SnapshotPart, TimerSet } from './machine.ts';
import type { Entry, Tell } from './message.ts';

/** A message that could not be decided. */
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

/** The consequences that a chain left for the next turn; none at its end. */
export interface Carried extends Entry {
  readonly kind: 'runtime.carried';
  readonly tells: readonly Tell[];
}

interface RuntimePart {
  readonly atMs: Millis;
  readonly wheel: TimerWheelSnapshot;
  readonly deadLetters: readonly DeadLetter[];
  readonly carried: readonly Tell[];
}

const partName = 'runtime';
const deadLettersKept = 100;

/** See the head of this file. */
export class RuntimeMemory {
  wheel = new TimerWheel();
  deadLetters: DeadLetter[] = [];
  /** Consequences left over from the newest turn. */
  carried: readonly Tell[] = [];
  /**
   * Owners with an entry that a replay could not fold: their messages are not handled any more.
   * Never persisted: every replay finds them anew, and a release that can fold the entry serves
   * them again.
   */
  readonly quarantined = new Set<Ordinal>();
  /** The instant of the newest turn. */
  lastMs: Millis = 0;

  /** Folds an entry; false if it belongs to the machine. */
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
    };
    return { name: partName, value };
  }

  /** Restores its own part and passes the machine's on. */
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
    }
  }
}

/** The dead letter of a message, or of an entry in a replay, that threw. */
export function deadLetterOf(
  owner: Ordinal,
  message: string,
  error: unknown,
  atMs: Millis,
): DeadLetter {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { kind: 'runtime.dead_letter', owner, message, error: text.slice(0, 500), atMs };
}

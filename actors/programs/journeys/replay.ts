// Replays one person's events through a journey with the functions of live runs. As in `moving.ts`,
// a wake precedes an event of the same instant, no goal sees the enrolling event, and a converting
// event does not enroll.

import type { Millis } from '../../../engine/base/brand.ts';
import type { Filter } from '../../audiences/segments/filter.ts';
import { enter, handleEvent, type RunOutcome, type WalkResult, wake } from './advance.ts';
import type { OperationIndex, Program } from './program.ts';
import type { Reentry } from './records.ts';
import { around, type WalkedPerson } from './simulate.ts';

/** People may enroll after `fromMs`, up to `untilMs`, where everything ends. */
interface Replay {
  readonly program: Program;
  readonly reentry: Reentry;
  readonly triggerEvent?: string;
  /** The filter of the trigger segment: starting to match enrolls. */
  readonly entry?: Filter;
  readonly fromMs: Millis;
  readonly untilMs: Millis;
}

export interface PastEvent {
  readonly name: string;
  readonly atMs: Millis;
}

interface Replayed {
  readonly enrolled: number;
  readonly completed: number;
  readonly converted: number;
  readonly steps: readonly ReplayedStep[];
}

/** A step was entered, or sent its message. */
export interface ReplayedStep {
  readonly kind: 'entered' | 'sent';
  readonly operation: OperationIndex;
  readonly atMs: Millis;
}

/** `events`: oldest first; those up to `fromMs` are only the person's past. */
export function replay(of: Replay, person: WalkedPerson, events: readonly PastEvent[]): Replayed {
  return new Replaying(of, person).over(events);
}

class Replaying {
  readonly #of: Replay;
  readonly #person: WalkedPerson;
  readonly #steps: ReplayedStep[] = [];
  readonly #ended = { completed: 0, converted: 0, exited: 0 };
  #enrolled = 0;
  /** The current run, if any. */
  #run: Extract<RunOutcome, { kind: 'waits' }> | undefined;
  /** Whether they matched last time; `undefined` before the first event that counts. */
  #isIn: boolean | undefined;

  constructor(of: Replay, person: WalkedPerson) {
    this.#of = of;
    this.#person = person;
  }

  over(events: readonly PastEvent[]): Replayed {
    const { fromMs, untilMs } = this.#of;
    for (const event of events) {
      if (event.atMs > untilMs) break;
      if (event.atMs <= fromMs) {
        this.#person.track(event.name, event.atMs);
        continue;
      }
      this.#isIn ??= this.#matches(fromMs);
      this.#wakeUntil(event.atMs);
      this.#happens(event);
    }
    this.#wakeUntil(untilMs);
    const { completed, converted } = this.#ended;
    return { enrolled: this.#enrolled, completed, converted, steps: this.#steps };
  }

  #happens(event: PastEvent): void {
    const { program, reentry, triggerEvent } = this.#of;
    const { name, atMs } = event;
    this.#person.track(name, atMs);
    const wasIn = this.#isIn;
    this.#isIn = this.#matches(atMs);
    const run = this.#run;
    if (run !== undefined) {
      const converted = handleEvent(program, run, event);
      if (converted !== undefined) this.#take(converted, atMs);
      return;
    }
    const isTrigger = name === triggerEvent || (this.#isIn && !wasIn);
    if (!isTrigger || (reentry === 'once' && this.#enrolled > 0)) return;
    this.#enrolled++;
    this.#take(enter(program, around(this.#person, atMs)), atMs);
    this.#person.track('journey_enrolled', atMs);
  }

  #wakeUntil(atMs: Millis): void {
    while (this.#run !== undefined && this.#run.wakeMs <= atMs) {
      const { operation, wakeMs } = this.#run;
      this.#take(wake(this.#of.program, operation, around(this.#person, wakeMs)), wakeMs);
    }
  }

  #take({ happened, outcome }: WalkResult, atMs: Millis): void {
    for (const { kind, operation } of happened) {
      if (kind === 'sent' || kind === 'entered') this.#steps.push({ kind, operation, atMs });
      if (kind === 'suppressed') this.#person.track(kind, atMs);
    }
    this.#run = outcome.kind === 'waits' ? outcome : undefined;
    if (outcome.kind === 'waits') return;
    this.#ended[outcome.kind]++;
    this.#person.track(`journey_${outcome.kind}`, atMs);
  }

  #matches(atMs: Millis): boolean {
    const { entry } = this.#of;
    return entry !== undefined && this.#person.test(entry, atMs);
  }
}

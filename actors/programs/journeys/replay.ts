// What a journey would have made of one person whose events are known: the very functions that move
// people in a live one, over what happened, in the order of time. What a reader would get wrong: a
// wake goes before an event of its own instant, the event that enrols is not heard by a goal, and
// an event that converts enrols nobody, as in `moving.ts`.

import type { Millis } from '../../../engine/base/brand.ts';
import type { Filter } from '../../audiences/segments/filter.ts';
import { type Advanced, enter, hear, type Outcome, type Surroundings, wake } from './advance.ts';
import type { Program } from './program.ts';
import type { Reentry } from './records.ts';
import type { WalkedPerson } from './simulate.ts';

/** The journey, and when somebody may enrol: after `fromMs`, up to `untilMs`, where all ends. */
interface Replay {
  readonly program: Program;
  readonly reentry: Reentry;
  readonly triggerEvent?: string;
  /** Of the segment that triggers it: whoever begins to match by an event enters. */
  readonly entry?: Filter;
  readonly fromMs: Millis;
  readonly untilMs: Millis;
}

export interface PastEvent {
  readonly name: string;
  readonly atMs: Millis;
}

/** What came of one person. */
interface Replayed {
  readonly enrolled: number;
  readonly completed: number;
  readonly converted: number;
  /** Instants. */
  readonly sends: readonly Millis[];
}

/** `events`: theirs, oldest first; those up to `fromMs` are their past only. */
export function replay(of: Replay, person: WalkedPerson, events: readonly PastEvent[]): Replayed {
  return new Replaying(of, person).over(events);
}

class Replaying {
  readonly #of: Replay;
  readonly #person: WalkedPerson;
  readonly #sends: Millis[] = [];
  readonly #ended = { completed: 0, converted: 0, exited: 0 };
  #enrolled = 0;
  /** Where they stand; nothing when they are not under way. */
  #run: Extract<Outcome, { kind: 'waits' }> | undefined;
  /**
   * Whether they matched when they were last looked at; unknown before the first event of the time
   * that counts.
   */
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
    return { enrolled: this.#enrolled, completed, converted, sends: this.#sends };
  }

  #happens(event: PastEvent): void {
    const { program, reentry, triggerEvent } = this.#of;
    const { name, atMs } = event;
    this.#person.track(name, atMs);
    const wasIn = this.#isIn;
    this.#isIn = this.#matches(atMs);
    const run = this.#run;
    if (run !== undefined) {
      const heard = hear(program, run, event);
      if (heard !== undefined) this.#take(heard, atMs);
      return;
    }
    const isTrigger = name === triggerEvent || (this.#isIn && !wasIn);
    if (!isTrigger || (reentry === 'once' && this.#enrolled > 0)) return;
    this.#enrolled++;
    this.#take(enter(program, this.#around(atMs)), atMs);
    this.#person.track('journey_enrolled', atMs);
  }

  #wakeUntil(atMs: Millis): void {
    while (this.#run !== undefined && this.#run.wakeMs <= atMs) {
      const { operation, wakeMs } = this.#run;
      this.#take(wake(this.#of.program, operation, this.#around(wakeMs)), wakeMs);
    }
  }

  #take({ happened, outcome }: Advanced, atMs: Millis): void {
    for (const { kind } of happened) {
      if (kind === 'sent') this.#sends.push(atMs);
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

  #around(nowMs: Millis): Surroundings {
    return {
      nowMs,
      test: (filter) => this.#person.test(filter, nowMs),
      send: (operation, index) => this.#person.send(operation, index, nowMs),
    };
  }
}

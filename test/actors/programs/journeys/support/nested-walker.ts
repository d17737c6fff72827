// The oracle of journeys: walks the steps as their author nested them, one coroutine a person,
// which stops where the person waits. Slow and plain on purpose; it knows no programs, rows,
// buckets or counters, and shares no code with the product.

import type { Step } from '../../../../../actors/programs/journeys/steps.ts';

/** What the world answers at an instant; the same to both sides. */
export interface World {
  holds(person: number, tag: string, nowMs: number): boolean;
  /** `sent`, `suppressed`, or the instant until which it is held. */
  send(person: number, nowMs: number): 'sent' | 'suppressed' | number;
}

interface Pause {
  readonly untilMs: number;
  readonly step: string;
  readonly goal?: { readonly event: string; readonly sinceMs: number };
}

interface Person {
  readonly way: Generator<Pause, void, void>;
  pause: Pause;
  isLeaving: boolean;
}

const minutesOf = { minutes: 1, hours: 60, days: 1440 };

export class NestedWalker {
  readonly log: string[] = [];
  readonly people = new Map<number, Person>();
  readonly ever = new Set<number>();
  readonly #steps: readonly Step[];
  readonly #world: World;
  #nowMs = 0;

  constructor(steps: readonly Step[], world: World) {
    this.#steps = steps;
    this.#world = world;
  }

  enroll(person: number, nowMs: number): void {
    this.#nowMs = nowMs;
    this.ever.add(person);
    this.#say(person, 'enrolled');
    const way = this.#walk(person, this.#steps);
    this.#resume(person, way);
  }

  /** Wakes everybody who is due, and says until when each of them had waited, in order. */
  wakeAll(nowMs: number): number[] {
    this.#nowMs = nowMs;
    const due = [...this.people]
      .filter(([, { pause }]) => pause.untilMs <= nowMs)
      .sort(([, a], [, b]) => a.pause.untilMs - b.pause.untilMs);
    const instants = due.map(([, { pause }]) => pause.untilMs);
    for (const [person, { way, isLeaving }] of due) {
      if (isLeaving) this.#end(person, 'exited');
      else this.#resume(person, way);
    }
    return instants;
  }

  hear(person: number, event: string, atMs: number, nowMs: number): void {
    this.#nowMs = nowMs;
    const run = this.people.get(person);
    if (run === undefined || run.isLeaving) return;
    const { goal, untilMs } = run.pause;
    if (goal?.event === event && goal.sinceMs <= atMs && atMs < untilMs)
      this.#end(person, 'converted');
  }

  pause(): void {
    for (const run of this.people.values()) run.isLeaving = true;
  }

  #resume(person: number, way: Person['way']): void {
    const { value, done } = way.next();
    if (done || value === undefined) this.#end(person, 'completed');
    else this.people.set(person, { way, pause: value, isLeaving: false });
  }

  #end(person: number, how: string): void {
    this.people.delete(person);
    this.#say(person, how);
  }

  *#walk(person: number, steps: readonly Step[]): Generator<Pause, void, void> {
    for (const step of steps) {
      this.#say(person, `entered ${step.id}`);
      if (step.type === 'wait') {
        const [unit, length] = Object.entries(step).find(([key]) => key in minutesOf) ?? [];
        const minutes = minutesOf[unit as 'days'] * Number(length);
        yield { step: step.id, untilMs: this.#nowMs + minutes * 60_000 };
      } else if (step.type === 'goal') {
        const sinceMs = this.#nowMs;
        const untilMs = sinceMs + step.timeoutHours * 3_600_000;
        yield { step: step.id, untilMs, goal: { event: step.event, sinceMs } };
        this.#say(person, `timed_out ${step.id}`);
      } else if (step.type === 'send') {
        for (;;) {
          const answer = this.#world.send(person, this.#nowMs);
          this.#say(person, `${typeof answer === 'number' ? 'held' : answer} ${step.id}`);
          if (typeof answer !== 'number') break;
          yield { step: step.id, untilMs: answer };
        }
      } else {
        const { tag } = step.filter as { tag: string };
        const holds = this.#world.holds(person, tag, this.#nowMs);
        this.#say(person, `branched ${step.id} ${holds}`);
        yield* this.#walk(person, holds ? step.then : (step.else ?? []));
      }
    }
  }

  #say(person: number, what: string): void {
    this.log.push(`${this.#nowMs} ${person} ${what}`);
  }
}

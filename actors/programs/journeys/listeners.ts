// Which live journeys of an app an event may concern: those that it enrols people in, and those
// with a goal that waits for it. One look-up by name, which for most events finds nothing; whose
// runs those are is then asked by person, never by looking at everybody who is under way. Derived
// from the records and made anew at a start.

import { goalEventsOf } from './program.ts';
import type { JourneyRecord } from './records.ts';

/** Journeys by id, in the order in which they became live. */
export interface Listening {
  readonly triggered: ReadonlySet<string>;
  readonly waiting: ReadonlySet<string>;
}

interface Listeners {
  readonly triggered: Set<string>;
  readonly waiting: Set<string>;
}

export class JourneyListeners {
  readonly #byName = new Map<string, Listeners>();
  /** Names by journey, so that one can be taken out. */
  readonly #namesOf = new Map<string, ReadonlySet<string>>();

  /** Who listens for an event of this name; undefined when nobody does. */
  to(name: string): Listening | undefined {
    return this.#byName.get(name);
  }

  get isEmpty(): boolean {
    return this.#byName.size === 0;
  }

  /** A journey as it is now: one that is not live listens for nothing. */
  put({ id, active, triggerEvent, program }: JourneyRecord): void {
    this.remove(id);
    if (!active) return;
    const goals = goalEventsOf(program);
    for (const name of goals) this.#listenersOf(name).waiting.add(id);
    if (triggerEvent !== undefined) this.#listenersOf(triggerEvent).triggered.add(id);
    this.#namesOf.set(id, new Set(triggerEvent === undefined ? goals : [...goals, triggerEvent]));
  }

  remove(id: string): void {
    for (const name of this.#namesOf.get(id) ?? []) {
      const { triggered, waiting } = this.#listenersOf(name);
      triggered.delete(id);
      waiting.delete(id);
      if (triggered.size === 0 && waiting.size === 0) this.#byName.delete(name);
    }
    this.#namesOf.delete(id);
  }

  #listenersOf(name: string): Listeners {
    let listeners = this.#byName.get(name);
    if (listeners === undefined) {
      listeners = { triggered: new Set(), waiting: new Set() };
      this.#byName.set(name, listeners);
    }
    return listeners;
  }
}

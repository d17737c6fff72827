// Which live journeys an event may concern: as their trigger, or as a goal. One lookup by name,
// which misses for most events; runs are then found by person, never by scanning. Derived from the
// records, rebuilt at start.

import { goalEventsOf } from './program.ts';
import type { JourneyRecord } from './records.ts';

/** Ids of journeys, in the order of going live. */
interface Listening {
  readonly triggered: ReadonlySet<string>;
  readonly waiting: ReadonlySet<string>;
}

interface Listeners {
  readonly triggered: Set<string>;
  readonly waiting: Set<string>;
}

export class JourneyListeners {
  readonly #byName = new Map<string, Listeners>();
  /** For removal. */
  readonly #namesOf = new Map<string, ReadonlySet<string>>();

  to(name: string): Listening | undefined {
    return this.#byName.get(name);
  }

  get isEmpty(): boolean {
    return this.#byName.size === 0;
  }

  /** Updates a journey; one that is not live listens for nothing. */
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

// Who listens for what. A listener that throws harms neither the others nor the caller.

type Listener<Value> = (value: Value) => void;

export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<Listener<never>>>();

  /** Returns how to stop listening. */
  on<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): () => void {
    const all = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, all.add(listener));
    return () => all.delete(listener);
  }

  emit<Name extends keyof Events>(name: Name, value: Events[Name]): void {
    for (const listener of this.#listeners.get(name) ?? [])
      try {
        (listener as Listener<Events[Name]>)(value);
      } catch (error) {
        console.error(error);
      }
  }
}

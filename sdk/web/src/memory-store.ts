// A store that lasts as long as the page.

import type { Store, Table } from './platform.ts';

/** `removed` is called for each row that is removed. */
export function memoryStore(removed?: (table: Table, key: string | number) => void): Store {
  const held = { state: new Map<unknown, unknown>(), queue: new Map<unknown, unknown>() };
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(step) {
      const result = last.then(() =>
        step({
          // A copy, so that a step that fails has changed nothing.
          get: async (table, key) => structuredClone(held[table].get(key)),
          put: async (table, key, value) => held[table].set(key, value),
          async remove(table, key) {
            removed?.(table, key);
            held[table].delete(key);
          },
          first: async (table, limit) => [...held[table]].slice(0, limit) as [number, unknown][],
        }),
      );
      last = result.catch(() => undefined);
      return result;
    },
    putNow(rows) {
      for (const [key, value] of rows) held.queue.set(key, value);
    },
    async erase() {
      held.state.clear();
      held.queue.clear();
    },
  };
}

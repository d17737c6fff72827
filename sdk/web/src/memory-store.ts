// A store that lasts as long as the page.

import type { Rows, Store, Table } from './platform.ts';

/** `removed` is called for each row that is removed. */
export function memoryStore(removed?: (table: Table, key: string | number) => void): Store {
  const held: Record<Table, Map<string | number, unknown>> = { state: new Map(), queue: new Map() };
  let last: Promise<unknown> = Promise.resolve();
  const rows: Rows = {
    get: async (table, key) => held[table].get(key),
    put: async (table, key, value) => held[table].set(key, structuredClone(value)),
    remove: async (table, key) => {
      removed?.(table, key);
      return held[table].delete(key);
    },
    clear: async (table) => held[table].clear(),
    first: async (table, limit) =>
      [...held[table]].slice(0, limit).map(([key, value]) => [key as number, value] as const),
  };
  return {
    run(step) {
      const result = last.then(() => step(rows));
      last = result.catch(() => undefined);
      return result;
    },
    putNow(all) {
      for (const [key, value] of all) held.queue.set(key, value);
    },
    async erase() {
      held.state.clear();
      held.queue.clear();
    },
  };
}

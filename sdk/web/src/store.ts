// Where the core keeps what must outlive a page: IndexedDB, since the service worker needs it too,
// or memory where a browser refuses it. Memory lasts as long as the page.

import { answerOf, inTransaction, openDatabase, tables } from './database.ts';
import { memoryStore } from './memory-store.ts';
import type { Store } from './platform.ts';

export function browserStore(name: string, full?: () => void): Store {
  let chosen: Promise<IDBDatabase | undefined> | undefined;
  let open: IDBDatabase | undefined;
  /** What lies on a full disk: it can be read and removed. */
  let disk: IDBDatabase | undefined;
  let moved: Promise<void> | undefined;
  const memory = memoryStore((table, key) => {
    disk?.transaction(table, 'readwrite').objectStore(table).delete(key);
  });
  const forget = (found: IDBDatabase) => {
    found.close();
    chosen = open = undefined;
  };
  const database = () =>
    (chosen ??= openDatabase(name).then(
      (found) => {
        // Another tab erases it, or the browser closes it: the next step opens it again.
        found.onversionchange = found.onclose = () => forget(found);
        return (open = found);
      },
      () => undefined,
    ));
  return {
    async run(step) {
      const found = await database();
      if (!found) return memory.run(step);
      try {
        return await inTransaction(found, step);
      } catch (error) {
        if ((error as Error).name !== 'QuotaExceededError') throw error;
        // Once for all steps that find it full: a second copy would undo what came after the first.
        await (moved ??= copy(found, memory).then(() => {
          disk = found;
          chosen = Promise.resolve((open = undefined));
          full?.();
        }));
        return memory.run(step);
      }
    },
    putNow(rows) {
      const transaction = open?.transaction('queue', 'readwrite');
      for (const [key, value] of rows) transaction?.objectStore('queue').put(value, key);
      // Without it the browser would undo the step of a page that ends meanwhile.
      transaction?.commit?.();
    },
    async erase() {
      await memory.erase();
      const found = (await database()) ?? disk;
      if (!found) return;
      forget(found);
      await answerOf(indexedDB.deleteDatabase(name));
    },
  };
}

/** All that is stored, into another store. */
async function copy(from: IDBDatabase, to: Store): Promise<void> {
  for (const table of tables) {
    const held = from.transaction(table).objectStore(table);
    const keys = answerOf(held.getAllKeys());
    const values = await answerOf(held.getAll());
    for (const [at, key] of (await keys).entries())
      await to.run((rows) => rows.put(table, key as string, values[at]));
  }
}

// Where the core keeps what must outlive a page: IndexedDB, since the service worker needs it too,
// or memory where a browser refuses it. Memory lasts as long as the page.

import { memoryStore } from './memory-store.ts';
import type { Rows, Store, Table } from './platform.ts';

const tables: readonly Table[] = ['state', 'queue'];
/** Some browsers never answer when a profile is damaged. */
const openMsMax = 5_000;

export function browserStore(name: string, full?: () => void): Store {
  let chosen: Promise<IDBDatabase | undefined> | undefined;
  let open: IDBDatabase | undefined;
  /** What lies on a full disk: it can be read and removed. */
  let disk: IDBDatabase | undefined;
  let moved: Promise<void> | undefined;
  const memory = memoryStore((table, key) => {
    disk?.transaction(table, 'readwrite').objectStore(table).delete(key);
  });
  const database = () => {
    chosen ??= openDatabase(name).then(
      (found) => {
        // Another tab erases it, or the browser closes it: the next step opens it again.
        const forget = () => {
          found.close();
          chosen = open = undefined;
        };
        found.onversionchange = found.onclose = forget;
        return (open = found);
      },
      () => undefined,
    );
    return chosen;
  };
  return {
    async run(step) {
      const found = await database();
      if (found === undefined) return memory.run(step);
      try {
        return await inTransaction(found, step);
      } catch (error) {
        if ((error as Error).name !== 'QuotaExceededError') throw error;
        // Once for all steps that find it full: a second copy would undo what came after the first.
        moved ??= copy(found, memory).then(() => {
          disk = found;
          chosen = Promise.resolve((open = undefined));
          full?.();
        });
        await moved;
        return memory.run(step);
      }
    },
    putNow(rows) {
      if (open === undefined) return;
      const transaction = open.transaction('queue', 'readwrite');
      const queue = transaction.objectStore('queue');
      for (const [key, value] of rows) queue.put(value, key);
      // Without it the browser would undo the step of a page that ends meanwhile.
      transaction.commit?.();
    },
    async erase() {
      await memory.erase();
      const found = await database();
      if (found === undefined) return;
      found.close();
      chosen = open = undefined;
      await answerOf(indexedDB.deleteDatabase(name));
    },
  };
}

/** All that is stored, into another store. */
async function copy(from: IDBDatabase, to: Store): Promise<void> {
  for (const table of tables) {
    const held = from.transaction(table).objectStore(table);
    const [keys, values] = await Promise.all([
      answerOf(held.getAllKeys()),
      answerOf(held.getAll()),
    ]);
    await to.run(async (rows) => {
      for (const [at, key] of keys.entries()) await rows.put(table, key as string, values[at]);
    });
  }
}

function openDatabase(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name, 1);
    const timer = setTimeout(() => reject(new Error('IndexedDB does not answer')), openMsMax);
    opening.onupgradeneeded = () => {
      for (const table of tables) opening.result.createObjectStore(table);
    };
    opening.onsuccess = () => {
      clearTimeout(timer);
      resolve(opening.result);
    };
    opening.onerror = () => reject(opening.error);
  });
}

function inTransaction<Value>(
  database: IDBDatabase,
  step: (rows: Rows) => Promise<Value>,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(tables, 'readwrite');
    const at = (table: Table) => transaction.objectStore(table);
    let value: Value;
    transaction.oncomplete = () => resolve(value);
    transaction.onabort = () => reject(transaction.error);
    const rows: Rows = {
      get: (table, key) => answerOf(at(table).get(key)),
      put: (table, key, one) => answerOf(at(table).put(one, key)),
      remove: (table, key) => answerOf(at(table).delete(key)),
      clear: (table) => answerOf(at(table).clear()),
      async first(table, limit) {
        const keys = answerOf(at(table).getAllKeys(null, limit));
        const values = await answerOf(at(table).getAll(null, limit));
        return (await keys).map((key, index) => [key as number, values[index]] as const);
      },
    };
    step(rows).then(
      (result) => {
        value = result;
      },
      (error: unknown) => {
        reject(error);
        try {
          transaction.abort();
        } catch {
          // It was aborted already, because there is no room.
        }
      },
    );
  });
}

function answerOf<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

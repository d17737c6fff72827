// The IndexedDB of pages and of the service worker, in steps that are there whole or not at all.

import type { Rows, Table } from './platform.ts';

export const tables: readonly Table[] = ['state', 'queue'];
/** Some browsers never answer when a profile is damaged. */
const openMsMax = 5_000;

export function openDatabase(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => {
      for (const table of tables) opening.result.createObjectStore(table);
    };
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = reject;
    setTimeout(reject, openMsMax);
  });
}

export function inTransaction<Value>(
  database: IDBDatabase,
  step: (rows: Rows) => Promise<Value>,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(tables, 'readwrite');
    const at = (table: Table) => transaction.objectStore(table);
    let value: Value;
    transaction.oncomplete = () => resolve(value);
    transaction.onabort = () => reject(transaction.error);
    step({
      get: (table, key) => answerOf(at(table).get(key)),
      put: (table, key, one) => answerOf(at(table).put(one, key)),
      remove: (table, key) => answerOf(at(table).delete(key)),
      async first(table, limit) {
        const keys = answerOf(at(table).getAllKeys(null, limit));
        const values = await answerOf(at(table).getAll(null, limit));
        return (await keys).map((key, index) => [key as number, values[index]] as const);
      },
    }).then(
      (result) => (value = result),
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

export function answerOf<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

// The store of the core on storage that has only texts by key, as phones offer it. A step writes
// its events first, and then one text that lists them with the rest: what that text does not list
// is not there, so a process that ends in between leaves a whole step or none.

import type { Rows, Store } from '../../web/src/platform.ts';

export interface KeyValueStorage {
  getItem(key: string): Promise<string | null>;
  setItem(key: string, value: string): Promise<unknown>;
  removeItem(key: string): Promise<unknown>;
}

interface Held {
  readonly state: Map<string, unknown>;
  readonly queue: Map<number, unknown>;
}

interface Listed {
  readonly state: Readonly<Record<string, unknown>>;
  readonly queue: readonly number[];
}

export function keyValueStore(storage: KeyValueStorage, name: string): Store {
  let held: Promise<Held> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const keyOf = (event: number) => `${name}.queue.${event}`;
  /** What is stored, as it was before the step, while the step works on a copy. */
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
  const write = async (before: Held, after: Held): Promise<void> => {
    for (const [key, value] of after.queue)
      if (before.queue.get(key) !== value) await storage.setItem(keyOf(key), JSON.stringify(value));
    const listed: Listed = {
      state: Object.fromEntries(after.state),
      queue: [...after.queue.keys()],
    };
    await storage.setItem(name, JSON.stringify(listed));
    for (const key of before.queue.keys())
      if (!after.queue.has(key)) await storage.removeItem(keyOf(key));
  };
  return {
    run: (step) =>
      inTurn(async () => {
        held ??= read(storage, name, keyOf);
        held.catch(() => (held = undefined));
        const before = await held;
        const after: Held = { state: new Map(before.state), queue: new Map(before.queue) };
        const value = await step(rowsOf(after));
        // Whatever was written of a step that fails, the next one reads what is there.
        held = undefined;
        await write(before, after);
        held = Promise.resolve(after);
        return value;
      }),
    // What an app tracked is stored when it goes to the background, and is sent when it is shown.
    putNow: () => undefined,
    erase: () =>
      inTurn(async () => {
        const { queue } = await (held ?? read(storage, name, keyOf));
        await storage.removeItem(name);
        for (const key of queue.keys()) await storage.removeItem(keyOf(key));
        held = undefined;
      }),
  };
}

async function read(
  storage: KeyValueStorage,
  name: string,
  keyOf: (event: number) => string,
): Promise<Held> {
  const listed = parsed(await storage.getItem(name)) as Listed | undefined;
  const queue = new Map<number, unknown>();
  for (const key of listed?.queue ?? []) {
    const event = parsed(await storage.getItem(keyOf(key)));
    if (event !== undefined) queue.set(key, event);
  }
  return { state: new Map(Object.entries(listed?.state ?? {})), queue };
}

/** Undefined for nothing, and for what is damaged. */
function parsed(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Values are copied on their way in and out, as a database would. */
function rowsOf(held: Held): Rows {
  const table = (name: 'state' | 'queue') => held[name] as Map<unknown, unknown>;
  return {
    get: async (name, key) => copyOf(table(name).get(key)),
    put: async (name, key, value) => table(name).set(key, copyOf(value)),
    remove: async (name, key) => table(name).delete(key),
    first: async (name, limit) =>
      [...table(name)]
        .sort(([one], [other]) => (one as number) - (other as number))
        .slice(0, limit)
        .map(([key, value]) => [key as number, copyOf(value)] as const),
  };
}

function copyOf(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

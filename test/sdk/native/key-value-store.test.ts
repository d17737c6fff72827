// The store of phones on texts by key: what a process leaves behind that ends between any two
// writes, and what it does with damaged texts.

import fc from 'fast-check';
import t from 'tap';
import { type KeyValueStorage, keyValueStore } from '../../../sdk/native/src/key-value-store.ts';
import { tries } from '../../support/tries.ts';

/** Texts that outlive a process, whose writes fail after so many. */
class Texts implements KeyValueStorage {
  readonly all = new Map<string, string>();
  writesLeft = Number.POSITIVE_INFINITY;

  async getItem(key: string): Promise<string | null> {
    return this.all.get(key) ?? null;
  }

  async setItem(key: string, value: string): Promise<void> {
    this.#write();
    this.all.set(key, value);
  }

  async removeItem(key: string): Promise<void> {
    this.#write();
    this.all.delete(key);
  }

  #write(): void {
    if (this.writesLeft-- <= 0) throw new Error('the process has ended');
  }
}

/** Step n puts `n` into the state, adds event n, and removes event n − 3. */
async function step(texts: Texts, n: number, store = keyValueStore(texts, 'engage')) {
  await store.run(async (rows) => {
    await rows.put('state', 'app', { n });
    await rows.put('queue', n, { name: `event ${n}` });
    await rows.remove('queue', n - 3);
  });
}

async function seen(texts: Texts) {
  return keyValueStore(texts, 'engage').run(async (rows) => ({
    n: ((await rows.get('state', 'app')) as { readonly n: number } | undefined)?.n ?? 0,
    events: (await rows.first('queue', 10)).map(([key]) => key),
  }));
}

/** Of step n. */
const eventsOf = (n: number) => [n - 2, n - 1, n].filter((event) => event > 0);

t.test('a process that ends between any two writes leaves a whole step or none', async () => {
  const property = fc.asyncProperty(
    fc.integer({ min: 0, max: 6 }),
    fc.integer({ min: 0, max: 4 }),
    async (steps, writes) => {
      const texts = new Texts();
      for (let n = 1; n <= steps; n++) await step(texts, n);
      texts.writesLeft = writes;
      await step(texts, steps + 1).catch(() => undefined);
      texts.writesLeft = Number.POSITIVE_INFINITY;
      const { n, events } = await seen(texts);
      if (n !== steps && n !== steps + 1) throw new Error(`after ${steps} steps it is ${n}`);
      if (String(events) !== String(eventsOf(n))) throw new Error(`${events} of step ${n}`);
    },
  );
  await fc.assert(property, { numRuns: tries(60) });
});

t.test('a step that fails changes nothing, and the next one works', async (test) => {
  const texts = new Texts();
  const store = keyValueStore(texts, 'engage');
  await step(texts, 1, store);
  const failed = store.run(async (rows) => {
    await rows.put('state', 'app', { n: 9 });
    throw new Error('it failed');
  });
  await test.rejects(failed, /it failed/);
  test.strictSame(await seen(texts), { n: 1, events: [1] });
  await step(texts, 2, store);
  test.strictSame(await seen(texts), { n: 2, events: [1, 2] });
});

t.test('a step whose last write fails is there for the same process too', async (test) => {
  const texts = new Texts();
  const store = keyValueStore(texts, 'engage');
  for (const n of [1, 2, 3]) await step(texts, n, store);
  texts.writesLeft = 2; // the event, and the text that lists it, but no removal
  await test.rejects(step(texts, 4, store), /ended/);
  texts.writesLeft = Number.POSITIVE_INFINITY;
  const events = await store.run((rows) => rows.first('queue', 10));
  test.strictSame(
    events.map(([key]) => key),
    [2, 3, 4],
  );
});

t.test('damaged texts are as if they were not there', async (test) => {
  const texts = new Texts();
  for (const n of [1, 2, 3]) await step(texts, n);
  texts.all.set('engage.queue.2', '{"name": "eve');
  test.strictSame(await seen(texts), { n: 3, events: [1, 3] });
  texts.all.set('engage', '{');
  test.strictSame(await seen(texts), { n: 0, events: [] });
});

t.test('an erased store leaves no text behind, and works again', async (test) => {
  const texts = new Texts();
  const store = keyValueStore(texts, 'engage');
  await step(texts, 1, store);
  await step(texts, 2, store);
  await store.erase();
  test.equal(texts.all.size, 0);
  await step(texts, 1, store);
  test.strictSame(await seen(texts), { n: 1, events: [1] });
});

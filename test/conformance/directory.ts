// What every Directory must do: the twin in memory, and JetStream's bucket. Each case has a
// directory of its own, worked through the port alone.

import t, { type Test } from 'tap';
import type { Directory, DirectoryUpdate } from '../../engine/cluster/directory.ts';

interface DirectoryUnderTest {
  /** A new, empty directory; each call of `reach` is another process that reaches it. */
  create(): Promise<{ readonly reach: () => Promise<Directory> }>;
}

const bytes = (text: string) => Buffer.from(text);
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function until(isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 500; tries++) {
    if (await isSo()) return true;
    await wait(20);
  }
  return false;
}

/** Until it is known: a server that has just become a leader may not answer. */
async function sure(attempt: () => Promise<DirectoryUpdate>): Promise<DirectoryUpdate> {
  for (let tries = 0; ; tries++) {
    const end = await attempt();
    if (end.state !== 'unknown' || tries > 50) return end;
    await wait(100);
  }
}

async function updated(attempt: () => Promise<DirectoryUpdate>): Promise<number> {
  const end = await sure(attempt);
  if (end.state !== 'updated') throw new Error(`an update was ${end.state}`);
  return end.revision;
}

/** What is there, once it is this many values. */
async function all(directory: Directory, count: number): Promise<Record<string, string>> {
  let found: Record<string, string> = {};
  await until(async () => {
    const values = await directory.readAll();
    found = Object.fromEntries(
      [...(values ?? [])].map(([key, { value }]) => [key, Buffer.from(value).toString()]),
    );
    return values?.size === count;
  });
  return found;
}

/** Runs the suite; `name` goes before every guarantee. */
export function directoryConformance(name: string, subject: DirectoryUnderTest): void {
  const guarantee = (
    sentence: string,
    body: (t: Test, reach: () => Promise<Directory>) => Promise<void>,
  ) =>
    t.test(`${name}: ${sentence}`, async (t) => {
      const { reach } = await subject.create();
      await body(t, reach);
    });

  guarantee('a new directory is empty, and says so', async (t, reach) => {
    const directory = await reach();
    t.equal((await directory.readAll())?.size, 0);
    await directory.close();
  });

  guarantee('what one process writes, others read', async (t, reach) => {
    const [one, two] = [await reach(), await reach()];
    for (let partition = 0; partition < 30; partition++)
      await updated(() => one.update(`owner.${partition}`, bytes(`node ${partition}`), 0));
    const found = await all(two, 30);
    t.equal(found['owner.7'], 'node 7');
    t.equal(Object.keys(found).length, 30);
    await Promise.all([one.close(), two.close()]);
  });

  guarantee('a value is replaced only by who knows its revision', async (t, reach) => {
    const [one, two] = [await reach(), await reach()];
    const first = await updated(() => one.update('plan', bytes('a'), 0));
    t.same(await sure(() => two.update('plan', bytes('b'), 0)), { state: 'refused' });
    const second = await updated(() => two.update('plan', bytes('c'), first));
    t.ok(second > first, 'a revision grows');
    t.same(await sure(() => one.update('plan', bytes('d'), first)), { state: 'refused' });
    t.same(await sure(() => one.update('other', bytes('e'), second)), { state: 'refused' });
    t.ok(await until(async () => (await one.readAll())?.get('plan')?.revision === second));
    t.equal((await all(one, 1))['plan'], 'c');
    await Promise.all([one.close(), two.close()]);
  });

  guarantee('of many that replace one revision, one does', async (t, reach) => {
    const all = await Promise.all(Array.from({ length: 4 }, reach));
    let revision = 0;
    for (let round = 0; round < 10; round++) {
      const before = revision;
      const ends = await Promise.all(
        all.map((one, by) => one.update('plan', bytes(`${round} by ${by}`), before)),
      );
      const won = ends.flatMap((end) => (end.state === 'updated' ? [end.revision] : []));
      t.equal(won.length, 1, `round ${round}`);
      revision = won[0] ?? 0;
    }
    await Promise.all(all.map((one) => one.close()));
  });

  guarantee('whoever watches hears of changes, until it closes', async (t, reach) => {
    const [one, two] = [await reach(), await reach()];
    let [heard, heardOther] = [0, 0];
    const watch = two.watch(() => heard++);
    two.watch(() => heardOther++);
    let revision = await updated(() => one.update('plan', bytes('a'), 0));
    t.ok(await until(() => heard > 0 && heardOther > 0));
    watch.close();
    await wait(50);
    const [before, beforeOther] = [heard, heardOther];
    revision = await updated(() => one.update('plan', bytes('b'), revision));
    t.ok(await until(() => heardOther > beforeOther));
    t.equal(heard, before);
    await two.close();
    await one.close();
  });

  guarantee('every byte comes back as it was', async (t, reach) => {
    const directory = await reach();
    const value = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));
    await updated(() => directory.update('plan', value, 0));
    t.ok(
      await until(async () => {
        const read = (await directory.readAll())?.get('plan')?.value;
        return read !== undefined && Buffer.compare(read, value) === 0;
      }),
    );
    await directory.close();
  });
}

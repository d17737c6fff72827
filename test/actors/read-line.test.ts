import t from 'tap';
import { ReadLine } from '../../actors/read-line.ts';
import type { FaultError } from '../../engine/base/fault.ts';

function lineOf(threads: number) {
  const line = new ReadLine(threads, () => () => undefined);
  const reading: { app: number; end: (found: string) => void }[] = [];
  const read = (app: number) =>
    line
      .run(app, () => new Promise<string>((end) => void reading.push({ app, end })))
      .catch((error: FaultError) => error.fault);
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { read, reading, settle };
}

t.test('an org that reads all day delays another by one read', async (t) => {
  const { read, reading, settle } = lineOf(2);
  const org = 7;
  const answers = Array.from({ length: 300 }, (_, n) => read(org + 4_096 * (n % 9)));
  const other = read(8);
  t.same(
    reading.map(({ app }) => app & 4_095),
    [org, org],
  );
  t.match(await answers[299], { code: 'overloaded', retryAfterSeconds: 5 }, 'it has 256 places');
  reading[0]?.end('found');
  t.equal(await answers[0], 'found');
  await settle();
  t.equal(reading[2]?.app, 8);
  reading[2]?.end('theirs');
  t.equal(await other, 'theirs');
});

t.test('a read that fails gives its thread back', async (t) => {
  const line = new ReadLine(1, () => () => undefined);
  await t.rejects(
    line.run(1, () => Promise.reject(new Error('damaged'))),
    /damaged/,
  );
  t.equal(await line.run(2, async () => 'found'), 'found');
});

import fc from 'fast-check';
import t from 'tap';
import { limits } from '../../../actors/limits.ts';
import { batchesOf } from '../../../cli/import/batches.ts';
import { Person } from '../../../cli/import/person.ts';
import { Spool } from '../../../cli/import/spool.ts';
import { guardJson } from '../../../http/call/body/json-guard.ts';
import { temporaryDirectory } from '../../storage/support/directory.ts';
import { tries } from '../../support/tries.ts';

function person(line: number, tags: number, size: number): Person {
  const made = new Person(line, `user-${line}`);
  const attributes = Object.fromEntries(
    Array.from({ length: tags }, (_, i) => [`tag${i}`, 'é'.repeat(size)]),
  );
  made.enter(
    {
      line,
      channel: 'email',
      address: `a${line}@example.com`,
      isActive: true,
      isOptedOut: false,
      isVoip: false,
      atMs: 0,
      attributes,
      userAttributes: { list: ['a', 'b', 'c'] },
    },
    true,
    false,
  );
  return made;
}

t.test(
  'every row is in one body, in order, and every body is one that the server reads',
  async () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 80 }), fc.integer({ min: 0, max: 400 })), {
          maxLength: 1_500,
          size: 'max',
        }),
        (shapes) => {
          const people = shapes.map(([tags, size], i) => person(i + 1, tags, size));
          const seen: number[] = [];
          for (const batch of batchesOf('app_1', people)) {
            if ('tooLarge' in batch) {
              seen.push(batch.tooLarge.line);
              continue;
            }
            const body = Buffer.from(batch.body);
            if (body.length > limits.bodyBytesMax || !guardJson(body).ok) return false;
            const { appId, rows } = JSON.parse(batch.body) as {
              appId: string;
              rows: { externalUserId: string }[];
            };
            if (appId !== 'app_1' || rows.length !== batch.origins.length) return false;
            for (const [i, { line }] of batch.origins.entries()) {
              if (rows[i]?.externalUserId !== `user-${line}`) return false;
              seen.push(line);
            }
          }
          return seen.length === shapes.length && seen.every((line, i) => line === i + 1);
        },
      ),
      { seed: 8, numRuns: tries(25) },
    );
  },
);

t.test('a row above the size of a record comes alone, after those before it', async (t) => {
  const batches = [...batchesOf('a', [person(1, 1, 1), person(2, 80, 1000), person(3, 1, 1)])];
  t.match(batches, [
    { origins: [{ line: 1, lines: 1 }] },
    { tooLarge: { line: 2, lines: 1 } },
    { origins: [{ line: 3, lines: 1 }] },
  ]);
  t.same([...batchesOf('a', [])], []);
});

t.test('the spool gives each part its records back, in order, whatever their size', async (t) => {
  const spool = new Spool(temporaryDirectory());
  const expected = new Map<number, string[]>();
  for (let i = 0; i < 4_000; i++) {
    const part = (i * 7) % 5;
    const record = `${i} ${'ü'.repeat((i * 37) % 900)}${i % 999 === 0 ? 'x'.repeat(70_000) : ''}`;
    spool.add(part, record);
    expected.set(part, [...(expected.get(part) ?? []), record]);
  }
  for (const [part, records] of expected) t.strictSame([...spool.records(part)], records);
  t.same([...spool.records(255)], []);
  spool.close();
});

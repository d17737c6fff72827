// Checkpoint files: what was written comes back, what was damaged is never taken, and only whole
// ones count.

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import {
  type CheckpointHead,
  type CheckpointPart,
  checkpointNames,
  checkpointsPath,
  type HistoryFile,
  manifestsOf,
  newestCheckpoint,
  nextGeneration,
  problemOf,
  pruneCheckpoints,
  removeDrafts,
  wholeCheckpoints,
  writeCheckpoint,
} from '../../storage/checkpoint.ts';
import { tries } from '../support/tries.ts';
import { temporaryDirectory } from './support/directory.ts';

const never = (name: string, problem: string): never => {
  throw new Error(`${name}: ${problem}`);
};

function head(
  seq: number,
  generation: number,
  history: readonly HistoryFile[] = [],
): CheckpointHead {
  return { partition: 3, epoch: 1, generation, seq, atMs: 1000 + seq, history, erasing: [] };
}

const parts: readonly CheckpointPart[] = [
  {
    name: 'partition',
    value: { keys: [['a', { hash: Buffer.from([1, 2]) }]], nothing: undefined },
  },
  {
    name: 'app-77',
    value: { seen: new Uint32Array([1, 2 ** 32 - 1]), big: 2 ** 53 - 1, at: null },
  },
];

function write(path: string, seq: number, generation: number, some = parts) {
  return writeCheckpoint(path, head(seq, generation), some);
}

t.test('what was written comes back part by part, in the same order', async (t) => {
  const path = temporaryDirectory();
  const manifest = write(path, 12, 1);
  const found = newestCheckpoint(path, never);
  t.same(found?.manifest, manifest);
  t.equal(found?.name, '12.1');
  t.same([...(found?.parts() ?? [])], parts);
  t.same(manifestsOf(path), [manifest]);
  t.same(readdirSync(join(checkpointsPath(path), '12.1')).sort(), [
    'app-77.bin',
    'manifest.json',
    'partition.bin',
  ]);
});

t.test('any plain data comes back equal', async (t) => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.string({ unit: 'grapheme' }),
      fc.integer(),
      fc.maxSafeInteger(),
      fc.double({ noNaN: true }),
      fc.boolean(),
      fc.constant(null),
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      fc.uint32Array(),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(
        fc.string({ maxLength: 3 }).filter((key) => key !== '__proto__'),
        tie('any'),
        {
          maxKeys: 4,
          noNullPrototype: true,
        },
      ),
    ),
  })).any;
  const path = temporaryDirectory();
  let generation = 1;
  fc.assert(
    fc.property(fc.array(value, { maxLength: 3 }), (values) => {
      const some = values.map((one, index) => ({ name: `part-${index}`, value: one }));
      write(path, 1, generation++, some);
      t.strictSame(
        [...(newestCheckpoint(path, never)?.parts() ?? [])].map((part) => part.value),
        values,
      );
      pruneCheckpoints(path);
    }),
    { seed: 4, numRuns: tries(60) },
  );
});

t.test(
  'a flipped bit anywhere in a checkpoint is found, and the one before it taken',
  async (t) => {
    const path = temporaryDirectory();
    write(path, 5, 1);
    write(path, 9, 2);
    const directory = join(checkpointsPath(path), '9.2');
    for (const name of readdirSync(directory)) {
      const file = join(directory, name);
      const whole = readFileSync(file);
      for (let at = 0; at < whole.length; at++) {
        const harmed = Buffer.from(whole);
        harmed[at] = (harmed[at] as number) ^ 4;
        writeFileSync(file, harmed);
        const warnings: string[] = [];
        t.equal(newestCheckpoint(path, (damaged) => warnings.push(damaged))?.manifest.seq, 5);
        t.same(warnings, ['9.2']);
      }
      rmSync(file);
      t.equal(newestCheckpoint(path, () => undefined)?.manifest.seq, 5);
      writeFileSync(file, whole);
    }
    t.equal(newestCheckpoint(path, never)?.manifest.seq, 9);
  },
);

t.test('when every checkpoint is damaged nothing is taken for an empty start', async (t) => {
  const path = temporaryDirectory();
  t.equal(newestCheckpoint(path, never), undefined);
  write(path, 5, 1);
  const file = join(checkpointsPath(path), '5.1', 'partition.bin');
  writeFileSync(file, 'x');
  t.match(problemOf(join(checkpointsPath(path), '5.1')), /partition\.bin has 1 bytes/);
  t.throws(() => newestCheckpoint(path, () => undefined), /no checkpoint can be read/);
  t.same(pruneCheckpoints(path), []);
  t.same(checkpointNames(path), ['5.1'], 'and nothing is removed that a person could repair');
});

t.test('a file that is damaged after it was opened is found when its part is read', async (t) => {
  const path = temporaryDirectory();
  write(path, 5, 1);
  const found = newestCheckpoint(path, never);
  writeFileSync(join(checkpointsPath(path), '5.1', 'app-77.bin'), 'x');
  t.throws(() => [...(found?.parts() ?? [])], { name: 'DamagedCheckpoint' });
});

t.test('a checkpoint that fails half-way leaves no checkpoint', async (t) => {
  const path = temporaryDirectory();
  write(path, 5, 1);
  const failing = function* (): Generator<CheckpointPart> {
    yield* parts;
    throw new Error('memory is gone');
  };
  t.throws(() => writeCheckpoint(path, head(9, 2), failing()), /memory is gone/);
  t.equal(newestCheckpoint(path, never)?.manifest.seq, 5);
  t.equal(nextGeneration(path), 3, 'its name is not used again');
  removeDrafts(path);
  t.same(readdirSync(checkpointsPath(path)), ['5.1']);
});

t.test('two whole checkpoints are kept, damaged ones and drafts are not', async (t) => {
  const path = temporaryDirectory();
  for (let generation = 1; generation <= 4; generation++) write(path, 10, generation);
  writeFileSync(join(checkpointsPath(path), '10.3', 'partition.bin'), 'x');
  mkdirSync(join(checkpointsPath(path), '11.5.tmp'));
  t.same(
    wholeCheckpoints(path).map(({ name }) => name),
    ['10.4', '10.2', '10.1'],
  );
  t.same(
    pruneCheckpoints(path).map(({ generation }) => generation),
    [4, 2],
  );
  t.same(readdirSync(checkpointsPath(path)).sort(), ['10.2', '10.4']);
  t.equal(nextGeneration(path), 5);
});

t.test('a checkpoint of a newer program is refused by its number', async (t) => {
  const path = temporaryDirectory();
  write(path, 5, 1);
  cpSync(join(checkpointsPath(path), '5.1'), join(checkpointsPath(path), '6.2'), {
    recursive: true,
  });
  const file = join(checkpointsPath(path), '6.2', 'manifest.json');
  const { crc32 } = await import('node:zlib');
  const text = readFileSync(file, 'utf8').replace(/^\{"crc32":\d+,"manifest":|\}\n$/g, '');
  const newer = text.replace('"format":1', '"format":2');
  writeFileSync(file, `{"crc32":${crc32(newer)},"manifest":${newer}}\n`);
  t.match(problemOf(join(checkpointsPath(path), '6.2')), /format 2 and this program reads up to 1/);
});

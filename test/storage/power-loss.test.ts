// Power cuts: at any moment, with any part of what was not synced lost, the partition opens, holds
// exactly the turns up to some seq, and no turn is missing that was called durable.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { below, seededRng } from '../../engine/base/rng.ts';
import { partitionPath } from '../../storage/environment.ts';
import { fileAt, nodeArguments } from '../support/places.ts';
import { temporaryDirectory } from './support/directory.ts';
import { firstAcknowledgement, imageAt, readRecord } from './support/power-cut.ts';
import { runCommitter, withoutCompiler } from './support/tools.ts';

// ENGAGE_TEST_IMAGES=200 in a long run, with ENGAGE_TEST_SEED for others than the last time.
const images = Number(process.env['ENGAGE_TEST_IMAGES'] ?? 40);
const seed = Number(process.env['ENGAGE_TEST_SEED'] ?? 51);
const turns = 150;

t.test(
  `${images} power cuts lose nothing that was durable`,
  { skip: withoutCompiler() },
  async (t) => {
    const directory = temporaryDirectory();
    const library = join(directory, 'recorder.so');
    const built = spawnSync('gcc', [
      '-O1',
      '-shared',
      '-fPIC',
      '-o',
      library,
      fileURLToPath(fileAt('test/storage/support/recorder.c')),
      '-ldl',
      '-lpthread',
    ]);
    t.equal(built.status, 0, String(built.stderr));

    const recordFile = join(directory, 'record');
    const run = await runCommitter({ dataDir: join(directory, 'data'), turns, recordFile }, [], {
      LD_PRELOAD: library,
      RECORD_FILE: recordFile,
    });
    t.equal(run.acknowledged, turns, run.stderr);
    const entries = readRecord(readFileSync(recordFile));
    const first = firstAcknowledgement(entries);
    t.ok(
      first > 0 && entries.length > turns * 4,
      `${entries.length} entries, the first turn at ${first}`,
    );

    const checker = spawn(
      process.execPath,
      nodeArguments('test/storage/support/image-checker.ts'),
      {
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    const answers = createInterface({ input: checker.stdout })[Symbol.asyncIterator]();
    const rng = seededRng(seed, 'power cuts');
    for (let i = 0; i < images; i++) {
      const cut = first + 1 + below(rng, entries.length - first);
      const { bytes, acknowledged } = imageAt(entries, cut, rng);
      const dataDir = join(directory, String(i));
      mkdirSync(partitionPath(dataDir, 0), { recursive: true });
      writeFileSync(join(partitionPath(dataDir, 0), 'data.mdb'), bytes);
      checker.stdin.write(`${JSON.stringify({ dataDir, acknowledged })}\n`);
      const answer = await answers.next();
      const verdict = answer.done ? 'the process crashed' : answer.value;
      t.equal(
        verdict,
        'sound',
        `cut at ${cut} of ${entries.length}, after turn ${acknowledged}, seed ${seed}`,
      );
      if (answer.done) break;
    }
    checker.kill();
  },
);

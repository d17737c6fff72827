// A copy of a partition has every turn that was durable when it began, whatever is written
// meanwhile; and what the manifest says is what is there, or the difference is found.

import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { copyPartition, partitionsIn } from '../../storage/backup.ts';
import {
  type BackupManifest,
  copyFiles,
  damageOf,
  describeFile,
  readManifest,
  writeManifest,
} from '../../storage/backup-manifest.ts';
import { type Environment, openPartition, partitionPath } from '../../storage/environment.ts';
import { filesBelow } from '../../storage/files.ts';
import { PartitionSnapshot } from '../../storage/partition-snapshot.ts';
import { commitTurn } from '../conformance/store.ts';
import { livedIn } from '../support/lived-in.ts';
import { temporaryDirectory } from './support/directory.ts';
import { problemOf, turnOf } from './support/workload.ts';

function openOne(dataDir: string): Environment {
  return openPartition({ dataDir, partition: 0, partitions: 1, nowMs: 0, onFatal: t.fail });
}

t.test(
  'copies taken while turns are committed are whole and have all that was durable before',
  async (t) => {
    const dataDir = temporaryDirectory();
    const store = openOne(dataDir);
    let seq = 0;
    let isWriting = true;
    const writing = (async () => {
      while (isWriting) {
        const turn = turnOf(++seq);
        await commitTurn(store, seq, turn.documents, turn.block);
      }
    })();
    for (let round = 0; round < 10; round++) {
      while (store.durableSeq < 20 * (round + 1))
        await new Promise((resolve) => setImmediate(resolve));
      const before = store.durableSeq;
      const into = temporaryDirectory();
      await copyPartition(dataDir, 0, into);
      const copy = openOne(into);
      t.ok(copy.durableSeq >= before, `${copy.durableSeq} is at least ${before}`);
      t.equal(problemOf(copy, copy.durableSeq), undefined);
      await copy.close();
    }
    isWriting = false;
    await writing;
    t.equal(problemOf(store, seq), undefined, 'the original is not disturbed');
    await store.close();
  },
);

t.test('checkpoints and history are linked, and the log is copied', async (t) => {
  const dataDir = temporaryDirectory();
  await livedIn(dataDir, { seed: 3, steps: [30, 30, 30] });
  mkdirSync(join(partitionPath(dataDir, 0), 'checkpoints', '999.9.tmp'));
  writeFileSync(join(partitionPath(dataDir, 0), 'checkpoints', '999.9.tmp', 'draft.bin'), '');
  const into = join(dataDir, 'copy');
  const copied = await copyPartition(dataDir, 0, into);
  const files = await filesBelow(partitionPath(into, 0));
  t.equal(files.length, copied.files + 1);
  t.notOk(
    files.some((file) => file.includes('.tmp')),
    'no drafts',
  );
  t.ok(files.some((file) => file.startsWith('history/')));
  for (const file of files) {
    const { nlink } = statSync(join(partitionPath(into, 0), file));
    t.equal(nlink, file === 'data.mdb' ? 1 : 2, file);
  }
});

t.test('a copy is refused when its checkpoints do not reach its log', async (t) => {
  const dataDir = temporaryDirectory();
  await livedIn(dataDir, { seed: 3, steps: [30, 30, 30] });
  rmSync(join(partitionPath(dataDir, 0), 'checkpoints'), { recursive: true });
  await t.rejects(copyPartition(dataDir, 0, join(dataDir, 'copy')), /checkpoints change faster/);
});

async function aBackup(): Promise<{
  readonly directory: string;
  readonly manifest: BackupManifest;
}> {
  const dataDir = temporaryDirectory();
  await livedIn(dataDir, { seed: 4, steps: [30, 30] });
  const directory = temporaryDirectory();
  cpSync(dataDir, directory, { recursive: true });
  const files = await Promise.all(
    (await filesBelow(directory)).map((path) => describeFile(directory, path)),
  );
  const [data] = files.filter(({ path }) => path.endsWith('data.mdb'));
  const partition = {
    partition: 0,
    seq: 1,
    epoch: 1,
    bytes: data?.bytes ?? 0,
    sha256: data?.sha256 ?? '',
    files,
  };
  const manifest: BackupManifest = {
    format: 1,
    version: '0.1.0',
    cutAt: '2026-01-01T00:00:00.000Z',
    createdAt: '2026-01-01T00:00:01.000Z',
    masterKeyIds: ['01234567'],
    partitions: [partition],
  };
  await writeManifest(directory, manifest);
  return { directory, manifest };
}

t.test('a manifest reads back, and a whole backup has no damage', async (t) => {
  const { directory, manifest } = await aBackup();
  t.strictSame(readManifest(directory), manifest);
  t.equal(await damageOf(directory, manifest), undefined);
});

t.test('a changed byte, a shorter file and a missing one are each found', async (t) => {
  const { directory, manifest } = await aBackup();
  for (const { path } of manifest.partitions[0]?.files ?? []) {
    const whole = join(directory, path);
    const bytes = readFileSync(whole);
    const changed = Buffer.from(bytes);
    changed[changed.length >> 1] = (changed[changed.length >> 1] as number) ^ 1;
    writeFileSync(whole, changed);
    t.match(await damageOf(directory, manifest), `${path} fails its checksum`);
    writeFileSync(whole, bytes.subarray(1));
    t.match(await damageOf(directory, manifest), /has \d+ bytes, expected \d+/);
    rmSync(whole);
    t.match(await damageOf(directory, manifest), `${path} is missing`);
    writeFileSync(whole, bytes);
  }
  t.equal(await damageOf(directory, manifest), undefined);
});

t.test('what is no manifest, or one of the future, is refused in a sentence', async (t) => {
  const directory = temporaryDirectory();
  t.throws(() => readManifest(directory), /is not a backup/);
  writeFileSync(join(directory, 'manifest.json'), '{"format": 99}');
  t.throws(() => readManifest(directory), /format 99 .* use the newer program/);
  writeFileSync(join(directory, 'manifest.json'), '{"format": 1}');
  t.throws(() => readManifest(directory), /lacks fields/);
  writeFileSync(join(directory, 'manifest.json'), '{');
  t.throws(() => readManifest(directory), /is damaged/);
});

t.test(
  'files are copied to the same places, and a restore raises the epoch for good',
  async (t) => {
    const { directory, manifest } = await aBackup();
    const into = temporaryDirectory();
    await copyFiles(directory, manifest.partitions[0]?.files ?? [], into);
    t.same(
      await filesBelow(into),
      (await filesBelow(directory)).filter((path) => path !== 'manifest.json'),
    );
    const store = openOne(into);
    t.equal(store.resend, undefined);
    t.equal(store.raiseEpoch('none'), 2);
    await store.close();
    const snapshot = new PartitionSnapshot(partitionPath(into, 0));
    t.equal(snapshot.epoch, 2);
    t.equal(snapshot.resend, 'none');
    await snapshot.close();
  },
);

t.test('a data directory with a partition missing is not taken for a smaller one', async (t) => {
  const dataDir = temporaryDirectory();
  t.same(partitionsIn(dataDir), []);
  for (const name of ['00', '02']) {
    mkdirSync(join(dataDir, 'partitions', name), { recursive: true });
    writeFileSync(join(dataDir, 'partitions', name, 'data.mdb'), '');
  }
  t.throws(() => partitionsIn(dataDir), /has no partition 1/);
  t.ok(existsSync(dataDir));
});

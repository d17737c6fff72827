// Memory from a checkpoint and the log after it is the memory of the whole log, whenever
// checkpoints were made, and a restart finds a checkpoint whatever the last one left behind.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { type HistoryBounds, noRewrites } from '../../../actors/events/history/history-pass.ts';
import { foldingPartition, makeCheckpoint } from '../../../actors/runtime/folding.ts';
import { accountsApplies } from '../../../actors/tenants/accounts/apply.ts';
import type { SnapshotPart } from '../../../engine/actor/machine.ts';
import { dayMs } from '../../../engine/base/brand.ts';
import { newHashKey } from '../../../engine/base/hash.ts';
import { below, seededRng } from '../../../engine/base/rng.ts';
import {
  checkpointNames,
  encodePart,
  newestCheckpoint,
  newestManifest,
} from '../../../storage/checkpoint.ts';
import { logBlocks } from '../../../storage/log.ts';
import { temporaryDirectory } from '../../storage/support/directory.ts';
import { MirroredStore } from '../../support/mirrored-store.ts';
import { partitionWithApp, TestPartition, testClock } from '../../support/partition.ts';
import { RandomDays } from '../../support/random-days.ts';
import { tries } from '../../support/tries.ts';

const tableKey = newHashKey(seededRng(5));

interface World {
  readonly store: MirroredStore;
  readonly one: TestPartition;
  readonly days: RandomDays;
}

async function world(seed: number): Promise<World> {
  const store = new MirroredStore(temporaryDirectory());
  const rng = seededRng(seed);
  const one = new TestPartition({ store, rng, clock: testClock() });
  return { store, one, days: await RandomDays.begin(one, seededRng(seed, 'days')) };
}

/** Makes a checkpoint of what is on disk, and drops the log that it makes unnecessary. */
async function fold({ store, one }: World, sweep = false) {
  await store.synced();
  const outcome = makeCheckpoint({
    path: store.disk.path,
    partition: 0,
    source: store.disk,
    nowMs: one.clock.nowMs,
    tableKey,
    sweep,
    onProblem: (problem) => {
      throw new Error(problem);
    },
  });
  if (outcome.outcome === 'made') {
    while ((await store.disk.dropBlocks(outcome.dropThrough, 3)) > 0);
  }
  return outcome;
}

/**
 * Memory as a start finds it in the files, as the whole log tells it, and as it is; each part as
 * bytes.
 */
function memories({ store, one }: World) {
  const restarted = foldingPartition(0, tableKey).partition;
  const checkpoint = newestCheckpoint(store.disk.path, (name, problem) => {
    throw new Error(`${name}: ${problem}`);
  });
  const seq = checkpoint?.manifest.seq ?? 0;
  if (checkpoint !== undefined) restarted.restore(checkpoint.parts(), seq);
  for (const { seq: at, block } of logBlocks(store.disk, seq + 1, store.disk.durableSeq)) {
    restarted.replay(at, block);
  }
  const replayed = foldingPartition(0, tableKey).partition;
  for (const { seq: at, block } of store.blocks(1, 1e9)) replayed.replay(at, block);
  return {
    started: bytesOf(restarted.snapshot()),
    replayed: bytesOf(replayed.snapshot()),
    running: bytesOf(one.partition.snapshot()),
  };
}

// Without the instant of the newest turn: one that only refused something is not in the log.
function bytesOf(parts: readonly SnapshotPart[]): [string, string][] {
  return parts.map(({ name, value }) => {
    const kept = name === 'runtime' ? { ...(value as object), atMs: 0 } : value;
    return [name, Buffer.from(encodePart(kept)).toString('base64')];
  });
}

t.test('a checkpoint and the log after it give the memory of the whole log', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 1e6 }), async (seed) => {
      const all = await world(seed);
      const rng = seededRng(seed, 'folds');
      for (let round = 0; round < 4; round++) {
        await all.days.live(below(rng, 25));
        if (below(rng, 3) > 0) await fold(all);
        await all.days.live(below(rng, 10));
        await all.store.synced();
        const { started, replayed, running } = memories(all);
        t.same(started, replayed);
        t.same(running, replayed);
      }
      await all.store.disk.close();
    }),
    { seed: 41, numRuns: tries(12) },
  );
});

t.test('the log is dropped up to the older of two checkpoints, and no further', async (t) => {
  const all = await world(2);
  await all.days.live(10);
  t.match(await fold(all), { outcome: 'made', dropThrough: 0 });
  t.equal(all.store.disk.oldestSeq, 1);
  const first = all.store.disk.durableSeq;
  await all.days.live(10);
  t.match(await fold(all), { outcome: 'made', dropThrough: first });
  t.equal(all.store.disk.oldestSeq, first + 1);
  const second = all.store.disk.durableSeq;
  await all.days.live(10);
  t.match(await fold(all), { outcome: 'made', dropThrough: second });
  t.equal(checkpointNames(all.store.disk.path).length, 2);
  await all.store.disk.close();
});

t.test('when the newest checkpoint is damaged the one before it and a longer log do', async (t) => {
  const all = await world(3);
  await all.days.live(15);
  await fold(all);
  await all.days.live(15);
  await fold(all);
  await all.days.live(5);
  await all.store.synced();
  const { path } = all.store.disk;
  const { replayed } = memories(all);
  const [newest] = checkpointNames(path) as [string];
  const file = join(path, 'checkpoints', newest, 'partition.bin');
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1;
  writeFileSync(file, bytes);
  const warnings: string[] = [];
  const older = newestCheckpoint(path, (name, problem) => warnings.push(`${name} ${problem}`));
  t.match(warnings, [/partition\.bin fails its checksum/]);
  const restarted = foldingPartition(0, tableKey).partition;
  const seq = older?.manifest.seq ?? 0;
  restarted.restore(older?.parts() ?? [], seq);
  for (const found of logBlocks(all.store.disk, seq + 1, all.store.disk.durableSeq)) {
    restarted.replay(found.seq, found.block);
  }
  t.same(bytesOf(restarted.snapshot()), replayed);
  // The next pass starts from the older one, too, and leaves two that are whole.
  const problems: string[] = [];
  makeCheckpoint({
    path,
    partition: 0,
    source: all.store.disk,
    nowMs: all.one.clock.nowMs,
    tableKey,
    onProblem: (problem) => problems.push(problem),
  });
  t.equal(problems.length, 1);
  t.equal(checkpointNames(path).length, 2);
  const { started } = memories(all);
  t.same(started, replayed);
  await all.store.disk.close();
});

t.test('what a crash left half made is passed by, and gone after the next one', async (t) => {
  const all = await world(4);
  await all.days.live(10);
  await fold(all);
  await all.days.live(10);
  const { path } = all.store.disk;
  const draft = join(path, 'checkpoints', '999.9.tmp');
  const stranger = join(path, 'history', '77', '2026-01-01');
  mkdirSync(draft, { recursive: true });
  mkdirSync(stranger, { recursive: true });
  writeFileSync(join(draft, 'partition.bin'), 'half');
  writeFileSync(join(stranger, '1-2.9.ev2'), 'half');
  await all.store.synced();
  const { started, replayed } = memories(all);
  t.same(started, replayed);
  await fold(all);
  t.notOk(existsSync(draft));
  t.notOk(existsSync(stranger));
  t.notOk(readdirSync(join(path, 'checkpoints')).some((name) => name.endsWith('.tmp')));
  await all.store.disk.close();
});

t.test('with nothing new no checkpoint is made, unless old events shall go', async (t) => {
  const all = await world(5);
  await all.days.live(5);
  await fold(all);
  t.same(await fold(all), { outcome: 'nothing_new' });
  t.match(await fold(all, true), { outcome: 'made' });
  const { started, replayed } = memories(all);
  t.same(started, replayed);
  await all.store.disk.close();
});

t.test(
  'an entry that a release cannot fold keeps the log, and a release that can takes the app up',
  async (t) => {
    const store = new MirroredStore(temporaryDirectory());
    const { one, app } = await partitionWithApp({ store, clock: testClock() });
    const all = { store, one } as World;
    await fold(all);
    await one.value(app, 'settings.patch', { patch: { eventsRetentionDays: 30 } });
    await one.value(app, 'subscriber.upsert', { subscriber: { externalUserId: 'ana' } });
    const { replayed } = memories(all);

    const known = accountsApplies['settings.changed'];
    // as in a release from before there was such an entry
    Reflect.deleteProperty(accountsApplies, 'settings.changed');
    t.teardown(() => Object.assign(accountsApplies, { 'settings.changed': known }));
    for (let tries = 0; tries < 3; tries++) {
      await t.rejects(fold(all, true), {
        message: new RegExp(`^partition 0: block \\d+ has an entry of owner ${app} that`),
      });
    }
    t.equal(checkpointNames(store.disk.path).length, 1, 'the one from before is all there is');
    t.equal(store.disk.oldestSeq, 1);
    t.notOk(readdirSync(join(store.disk.path, 'checkpoints')).some((name) => /tmp/.test(name)));

    Object.assign(accountsApplies, { 'settings.changed': known });
    t.same(memories(all).started, replayed);
    t.match(await fold(all), { outcome: 'made' });
    t.same(memories(all).started, replayed);
    await store.disk.close();
  },
);

t.test('a checkpoint covers no block that it was not told of', async (t) => {
  const all = await world(6);
  await all.days.live(10);
  await all.store.synced();
  const { path, durableSeq } = all.store.disk;
  const through = durableSeq - 3;
  const outcome = makeCheckpoint({
    path,
    partition: 0,
    source: all.store.disk,
    through,
    nowMs: all.one.clock.nowMs,
    tableKey,
    onProblem: t.fail,
  });
  t.match(outcome, { outcome: 'made', seq: through });
  const { started, replayed } = memories(all);
  t.same(started, replayed);
  await all.store.disk.close();
});

t.test(
  'on a low disk an erased person rests in the files of history, until it has room',
  async (t) => {
    const store = new MirroredStore(temporaryDirectory());
    const { one, app } = await partitionWithApp({ store, clock: testClock() });
    const events = [{ id: 'a', name: 'visit', externalUserId: 'ana' }];
    const bytes = Buffer.from(JSON.stringify({ events }));
    await one.value(app, 'events.ingest', { keyless: false }, { bytes });
    await fold({ store, one } as World);
    await one.value(app, 'subscriber.erase', { ref: { externalUserId: 'ana' } });
    await store.synced();
    const sweep = (bounds: Partial<HistoryBounds>) => {
      const { path } = store.disk;
      const partition = { path, partition: 0, source: store.disk, tableKey, onProblem: t.fail };
      makeCheckpoint({ ...partition, nowMs: one.clock.nowMs, sweep: true, bounds });
      const { history, erasing } = newestManifest(path) ?? {};
      return { files: history?.length, erasing: erasing?.length };
    };
    t.same(sweep(noRewrites), { files: 1, erasing: 1 });
    t.same(sweep({}), { files: 0, erasing: 0 });
    await store.disk.close();
  },
);

t.test('a start with the clock a year ahead deletes no events until it is confirmed', async (t) => {
  const store = new MirroredStore(temporaryDirectory());
  const { one, app } = await partitionWithApp({ store, clock: testClock() });
  const events = [{ id: 'a', name: 'visit', externalUserId: 'ana' }];
  const bytes = Buffer.from(JSON.stringify({ events }));
  await one.value(app, 'events.ingest', { keyless: false }, { bytes });
  await fold({ store, one } as World);
  const files = () => newestManifest(store.disk.path)?.history.length;
  t.equal(files(), 1);

  const ahead = new TestPartition({ store, clock: testClock(one.clock.nowMs + 365 * dayMs) });
  await ahead.settle();
  await ahead.advance(6_000);
  for (let round = 0; round < 3; round++) await fold({ store, one: ahead } as World, true);
  t.equal(files(), 1, 'it may be wrong');
  ahead.partition.confirmClock('kernel');
  await ahead.settle();
  await fold({ store, one: ahead } as World, true);
  t.equal(files(), 0, 'it was right');
  await store.disk.close();
});

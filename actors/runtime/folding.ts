// Makes a partition's next checkpoint in a pool thread, from the last one and the log after it. It
// shares only files with the shard, so `apply` must be a function of state and entry.

import type { SnapshotPart } from '../../engine/actor/machine.ts';
import { Partition } from '../../engine/actor/partition.ts';
import type { PartitionStore } from '../../engine/actor/store.ts';
import type { Bytes, Millis, Ordinal, Seq } from '../../engine/base/brand.ts';
import type { HashKey } from '../../engine/base/hash.ts';
import type { Rng } from '../../engine/base/rng.ts';
import {
  type CheckpointManifest,
  checkpointNames,
  manifestsOf,
  newestCheckpoint,
  nextGeneration,
  pruneCheckpoints,
  removeDrafts,
  writeCheckpoint,
} from '../../storage/checkpoint.ts';
import { removeUnlisted } from '../../storage/history.ts';
import { logBlocks } from '../../storage/log.ts';
import type { PartitionReads } from '../../storage/reader.ts';
import {
  type HistoryApp,
  type HistoryBounds,
  HistoryPass,
} from '../events/history/history-pass.ts';
import { keptFromMs } from '../tenants/accounts/records.ts';
import { sandboxSenders } from '../tenants/accounts/sender.ts';
import { eventsOf } from './facts.ts';
import { Product } from './machine.ts';

export interface CheckpointOptions {
  /** The partition's directory. */
  readonly path: string;
  readonly partition: number;
  readonly source: PartitionReads;
  /** The newest block to cover; default: all that is durable. */
  readonly through?: Seq;
  readonly nowMs: Millis;
  readonly tableKey: HashKey;
  /** Also without news: removes expired and erased events now. */
  readonly sweep?: boolean;
  readonly bounds?: Partial<HistoryBounds>;
  /** Polled; once true, gives up and changes nothing. */
  stopped?(): boolean;
  /** A problem with the files that was worked around, as a sentence. */
  onProblem(problem: string): void;
}

export type CheckpointOutcome =
  | { readonly outcome: 'nothing_new' | 'stopped' }
  | {
      readonly outcome: 'made';
      readonly seq: Seq;
      /** No kept checkpoint needs log blocks up to here; 0 for none. */
      readonly dropThrough: Seq;
      readonly blocks: number;
      readonly entries: number;
      /** Events that went into history. */
      readonly events: number;
      /** Of the checkpoint, without history. */
      readonly bytes: Bytes;
      /** History files listed, and removed. */
      readonly files: number;
      readonly removed: number;
    };

/** One at a time per partition. Throws if an entry cannot be folded: its log would be lost. */
export function makeCheckpoint(options: CheckpointOptions): CheckpointOutcome {
  const { path } = options;
  removeDrafts(path);
  let made = false;
  try {
    const outcome = make(options);
    made = outcome.outcome === 'made';
    return outcome;
  } finally {
    // Removes unused files at once: a full disk may be the cause.
    if (!made) forget(path);
  }
}

function make(options: CheckpointOptions): CheckpointOutcome {
  const { path, partition: index, source, nowMs, onProblem } = options;
  const last = newestCheckpoint(path, (name, problem) =>
    onProblem(`checkpoint ${name} is damaged (${problem}); the previous one is used`),
  );
  const seq = Math.min(source.durableSeq, options.through ?? Number.POSITIVE_INFINITY);
  const from = last?.manifest.seq ?? 0;
  if (seq < from)
    throw new Error(
      `${path}: a checkpoint is newer than the log; files of different backups were mixed.`,
    );
  if (seq === from && !options.sweep) return { outcome: 'nothing_new' };

  const { partition, product } = foldingPartition(index, options.tableKey);
  if (last !== undefined) partition.restore(last.parts(), from);
  const generation = nextGeneration(path);
  const pass = new HistoryPass({
    partitionPath: path,
    generation,
    nowMs,
    sweep: options.sweep ?? false,
    listed: last?.manifest.history ?? [],
    erasing: last?.manifest.erasing ?? [],
    ...(options.bounds === undefined ? {} : { bounds: options.bounds }),
    eventsOf,
    appOf: (app) => historyApp(product, app, Math.min(nowMs, partition.newestMs), nowMs),
    onDamaged: (file, error) => onProblem(`history ${file} cannot be read: ${String(error)}`),
  });
  let blocks = 0;
  let entries = 0;
  for (const { seq: at, block: bytes } of logBlocks(source, from + 1, seq)) {
    if (options.stopped?.()) return { outcome: 'stopped' };
    const block = partition.replay(at, bytes);
    const { quarantined } = partition;
    if (quarantined.size > 0) throw new Error(unfoldable(index, at, quarantined));
    for (const entry of block.entries) pass.add(entry, block.atMs);
    pass.endBlock(bytes.length);
    blocks++;
    entries += block.entries.length;
  }
  const { history, erasing } = pass.finish();
  if (options.stopped?.()) return { outcome: 'stopped' };
  const head = { partition: index, epoch: source.epoch, generation, seq, atMs: nowMs };
  const parts: Iterable<SnapshotPart> = partition.parts();
  const { files } = writeCheckpoint(path, { ...head, history, erasing }, parts);
  const kept = pruneCheckpoints(path);
  const removed = removeUnlisted(path, listedBy(kept));
  return {
    outcome: 'made',
    seq,
    dropThrough: kept.length < 2 ? 0 : Math.min(...kept.map((manifest) => manifest.seq)),
    blocks,
    entries,
    events: pass.events,
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    files: history.length,
    removed,
  };
}

function unfoldable(partition: number, seq: Seq, owners: ReadonlySet<Ordinal>): string {
  const named = [...owners].map((owner) => `owner ${owner}`).join(', ');
  return `partition ${partition}: block ${seq} has an entry of ${named} that this release cannot apply; no checkpoint is made, and the log is kept for a release that can.`;
}

/** Removes what no checkpoint lists. */
function forget(path: string): void {
  removeDrafts(path);
  const manifests = manifestsOf(path);
  // An unreadable manifest may list anything.
  if (manifests.length === checkpointNames(path).length) removeUnlisted(path, listedBy(manifests));
}

function listedBy(manifests: readonly CheckpointManifest[]): ReadonlySet<string> {
  return new Set(manifests.flatMap(({ history }) => history.map(({ file }) => file)));
}

/** A partition that can only fold a checkpoint and a log. */
export function foldingPartition(
  index: number,
  tableKey: HashKey,
): { readonly partition: Partition; readonly product: Product } {
  const product = new Product({
    sealer: { seal: unused, open: unused, needsRewrap: unused, keysFor: unused },
    plan: {
      partition: index,
      publicUrl: '',
      dispatchers: 1,
      available: new Set(),
      credentialsRequired: false,
      senders: sandboxSenders,
      unsubscribeUrl: unused,
    },
    allowHttpEndpoints: false,
    tableKey,
  });
  const partition = new Partition({
    index,
    store: unusedStore,
    documents: {
      bound: () => ({ get: unused, lend: unused, range: unused }),
      stagedBytes: 0,
      stage: unused,
      takeStaged: unused,
      settled: unused,
    },
    machine: product,
    clock: { now: unused, monotonic: unused },
    rng: unusedRng,
    scheduler: { soon: unused, wakeAt: unused },
    emit: unused,
    onFatal: unused,
  });
  return { partition, product };
}

/** Retention goes by the log: a wall clock that nobody confirmed deletes nothing. */
function historyApp(
  { state: { apps, ages } }: Product,
  app: Ordinal,
  newestMs: Millis,
  nowMs: Millis,
): HistoryApp | undefined {
  const state = apps.get(app);
  if (state === undefined) return undefined;
  const fromMs = keptFromMs(state.settings, ages, newestMs);
  const goneBeforeMs = state.settings.goneBeforeMs ?? 0;
  return { retentionMs: nowMs - fromMs, goneBeforeMs, erased: state.people.erased };
}

function unused(): never {
  throw new Error('a partition that folds neither decides nor commits');
}

const unusedStore: PartitionStore = {
  epoch: 0,
  durableSeq: 0,
  oldestSeq: 1,
  get: unused,
  range: unused,
  commit: unused,
  blocks: unused,
  dropBlocks: unused,
  close: unused,
};
const unusedRng: Rng = { uint32: unused };

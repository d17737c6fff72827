// The second pass of a check: memory folded from the first block and from each checkpoint must be
// equal. If not, a checkpoint lost something or `apply` depends on more than state and entry.

import type { SnapshotPart } from '../../../engine/actor/machine.ts';
import type { Partition } from '../../../engine/actor/partition.ts';
import { type HashKey, newHashKey } from '../../../engine/base/hash.ts';
import { systemRng } from '../../../engine/base/rng.ts';
import { type Checkpoint, wholeCheckpoints } from '../../../storage/checkpoint.ts';
import type { PartitionSnapshot } from '../../../storage/partition-snapshot.ts';
import { foldingPartition } from '../folding.ts';
import type { PartitionState } from '../state.ts';
import type { Problems } from './problems.ts';
import { messageOf } from './records.ts';
import { firstDifference } from './same-memory.ts';

interface FoldedMemory {
  /** Of the newest turn; `undefined` if it cannot be built. */
  readonly state: PartitionState | undefined;
  /** From how many starts it was built. */
  readonly folds: number;
}

interface Folded {
  readonly from: string;
  readonly partition: Partition;
  readonly state: PartitionState;
}

/** Holds two memories at a time. */
export function checkMemory(
  snapshot: PartitionSnapshot,
  problems: Problems,
  tick: (what: string) => void,
): FoldedMemory {
  const starts = startsOf(snapshot);
  // One key for all: it decides the order in hash tables, which are compared.
  const tableKey = newHashKey(systemRng());
  let first: Folded | undefined;
  let folds = 0;
  for (const start of starts) {
    const from =
      start === undefined ? 'the first block' : `the checkpoint at ${start.manifest.seq}`;
    try {
      const folded = fold(snapshot, start, from, tableKey, tick);
      folds++;
      if (first === undefined) {
        first = folded;
        reportQuarantined(folded.partition, problems);
      } else compare(first, folded, problems);
    } catch (error) {
      problems.add(`memory cannot be rebuilt from ${from}: ${messageOf(error)}`);
    }
  }
  if (starts.length === 0)
    problems.add('memory cannot be rebuilt: there is neither a first block nor a checkpoint');
  return { state: first?.state, folds };
}

/** Folds from the nearest start; throws if there is none. */
export function foldNewest(snapshot: PartitionSnapshot): PartitionState {
  const starts = startsOf(snapshot);
  if (starts.length === 0) throw new Error(`${snapshot.path}: memory cannot be rebuilt from it.`);
  return fold(snapshot, starts[0], '', newHashKey(systemRng()), () => undefined).state;
}

/** The nearest first; `undefined` is the first block. */
function startsOf({ oldestSeq, newestSeq, path }: PartitionSnapshot): (Checkpoint | undefined)[] {
  const starts: (Checkpoint | undefined)[] = wholeCheckpoints(path).filter(
    ({ manifest: { seq } }) => seq <= newestSeq && seq >= oldestSeq - 1,
  );
  if (oldestSeq === 1) starts.push(undefined);
  return starts;
}

function fold(
  snapshot: PartitionSnapshot,
  start: Checkpoint | undefined,
  from: string,
  tableKey: HashKey,
  tick: (what: string) => void,
): Folded {
  const { partition, product } = foldingPartition(snapshot.meta.partition, tableKey);
  if (start !== undefined) partition.restore(start.parts(), start.manifest.seq);
  for (const { seq, block } of snapshot.blocks(partition.seq + 1)) {
    partition.replay(seq, block);
    if (seq % 4096 === 0) tick(`folding from ${from}: block ${seq} of ${snapshot.newestSeq}`);
  }
  return { from, partition, state: product.state };
}

function reportQuarantined(partition: Partition, problems: Problems): void {
  for (const owner of partition.quarantined) {
    problems.add(`owner ${owner} is quarantined: one of its entries could not be applied`);
  }
}

function compare(one: Folded, other: Folded, problems: Problems): void {
  const theirs = new Map<string, SnapshotPart['value']>();
  for (const { name, value } of other.partition.parts()) theirs.set(name, value);
  for (const { name, value } of one.partition.parts()) {
    const their = theirs.get(name);
    theirs.delete(name);
    const where = firstDifference(value, their);
    if (where !== undefined)
      problems.add(
        `memory rebuilt from ${one.from} and from ${other.from} differ in ${name}${where}`,
      );
  }
  for (const name of theirs.keys()) {
    problems.add(
      `memory rebuilt from ${other.from} has ${name}, but memory rebuilt from ${one.from} does not`,
    );
  }
}

// The first pass of a check: all checksums of the log, documents, checkpoints and history; a log
// without gaps; history files against their directories.

import { join } from 'node:path';
import { decodeBlock } from '../../../engine/actor/block.ts';
import type { ClockAccepted } from '../../../engine/actor/runtime-memory.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import {
  checkpointNames,
  checkpointsPath,
  manifestsOf,
  problemOf,
} from '../../../storage/checkpoint.ts';
import { decodeKey } from '../../../storage/keys.ts';
import type { PartitionSnapshot } from '../../../storage/partition-snapshot.ts';
import { tableById } from '../../../storage/table.ts';
import { eventFileProblem } from '../../events/history/file-problems.ts';
import type { Problems } from './problems.ts';

interface RecordCounts {
  blocks: number;
  entries: number;
  newestMs: Millis;
  documents: number;
  readonly byTable: Map<number, number>;
}

/** Calls `tick` now and then with its progress. */
export function checkRecords(
  snapshot: PartitionSnapshot,
  problems: Problems,
  tick: (what: string) => void,
): RecordCounts {
  const counts: RecordCounts = {
    blocks: 0,
    entries: 0,
    newestMs: 0,
    documents: 0,
    byTable: new Map(),
  };
  let expected = snapshot.oldestSeq;
  for (const { seq, block } of snapshot.blocks()) {
    if (seq !== expected) problems.add(`log blocks ${expected} to ${seq - 1} are missing`);
    expected = seq + 1;
    counts.blocks++;
    try {
      const { atMs, entries } = decodeBlock(block);
      const accepted = entries.find((entry) => entry.kind === 'runtime.clock_accepted');
      // An operator set the newest instant back.
      if (accepted !== undefined) counts.newestMs = (accepted as ClockAccepted).toMs;
      if (atMs < counts.newestMs) problems.add(`log block ${seq} is older than the previous block`);
      counts.newestMs = Math.max(counts.newestMs, atMs);
      counts.entries += entries.length;
    } catch (error) {
      problems.add(`log block ${seq}: ${messageOf(error)}`);
    }
    if (counts.blocks % 4096 === 0) tick(`${counts.blocks} log blocks`);
  }
  for (const { key, value } of snapshot.documents()) {
    counts.documents++;
    const id = key[0] ?? -1;
    counts.byTable.set(id, (counts.byTable.get(id) ?? 0) + 1);
    const table = tableById(id);
    try {
      decodeKey(key);
      if (table === undefined)
        problems.add(() => `a document of the unknown table ${id}: ${hex(key)}`);
      else table.decode(value, key);
    } catch (error) {
      problems.add(messageOf(error));
    }
    if (counts.documents % 65536 === 0) tick(`${counts.documents} documents`);
  }
  return counts;
}

/** Reads every listed file. Ignores those made after the snapshot. */
export function checkFiles(
  snapshot: PartitionSnapshot,
  problems: Problems,
  tick: (what: string) => void,
): { readonly checkpoints: number; readonly historyFiles: number } {
  const { path } = snapshot;
  for (const name of checkpointNames(path)) {
    if (Number(name.split('.')[0]) > snapshot.newestSeq) continue;
    const problem = problemOf(join(checkpointsPath(path), name));
    if (problem !== undefined) problems.add(`checkpoint ${problem}`);
    tick(`checkpoint ${name}`);
  }
  const manifests = manifestsOf(path).filter(({ seq }) => seq <= snapshot.newestSeq);
  const newest = manifests[0];
  if (newest === undefined) {
    if (snapshot.oldestSeq > 1)
      problems.add(`the log begins at ${snapshot.oldestSeq} and there is no checkpoint before it`);
  } else if (snapshot.oldestSeq > newest.seq + 1) {
    problems.add(`the log begins at ${snapshot.oldestSeq}, after the checkpoint at ${newest.seq}`);
  }
  for (const [index, file] of (newest?.history ?? []).entries()) {
    const problem = eventFileProblem(path, file);
    if (problem !== undefined) problems.add(`history ${problem}`);
    if (index % 64 === 63) tick(`${index + 1} files of history`);
  }
  return { checkpoints: manifests.length, historyFiles: newest?.history.length ?? 0 };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

// A deterministic stream of turns for the tests that break disks, and the state it must add up to.
// Sizes run from a few bytes to several pages, keys are rewritten and removed, old blocks are
// dropped: all that moves pages about.

import type { TurnWrite } from '../../../engine/actor/store.ts';
import { below, seededRng } from '../../../engine/base/rng.ts';
import { encodeKey } from '../../../storage/keys.ts';
import type { PartitionReads } from '../../../storage/reader.ts';

/** After every so many turns the blocks older than `keptBlocks` are dropped. */
export const dropEvery = 10;
export const keptBlocks = 40;

/** The turn with this seq: always the same. */
export function turnOf(seq: number): TurnWrite {
  const rng = seededRng(seq, 'workload');
  const documents = Array.from({ length: below(rng, 12) }, () => {
    const key = encodeKey(1, 7, [below(rng, 150)]);
    const length = below(rng, 20) === 0 ? 9000 : 1 + below(rng, 700);
    const value = below(rng, 4) === 0 ? undefined : Buffer.alloc(length, `${seq};`);
    return { key, value };
  });
  const blockBytes = below(rng, 10) === 0 ? 20_000 : 10 + below(rng, 1500);
  return { seq, block: Buffer.alloc(blockBytes, `block ${seq};`), documents };
}

/** The documents after the turns 1 to `seq`: key in hexadecimal to value. */
function documentsAfter(seq: number): Map<string, string> {
  const state = new Map<string, string>();
  for (let i = 1; i <= seq; i++)
    for (const { key, value } of turnOf(i).documents) {
      const name = Buffer.from(key).toString('hex');
      if (value === undefined) state.delete(name);
      else state.set(name, Buffer.from(value).toString('latin1'));
    }
  return state;
}

/**
 * What is wrong with a store that should hold the workload, of which the turns up to `acknowledged`
 * were reported durable: `undefined` when it is exactly the workload up to its own durable seq, and
 * that is far enough.
 */
export function problemOf(store: PartitionReads, acknowledged: number): string | undefined {
  const { durableSeq, oldestSeq } = store;
  if (durableSeq < acknowledged)
    return `turn ${acknowledged} was acknowledged, and only ${durableSeq} is there`;
  if (oldestSeq > Math.max(1, durableSeq + 1))
    return `the oldest block is ${oldestSeq} of ${durableSeq}`;
  const blocks = durableSeq === 0 ? [] : store.blocks(oldestSeq, 100_000);
  if (blocks.length !== durableSeq - oldestSeq + 1)
    return `${blocks.length} blocks of ${oldestSeq} to ${durableSeq}`;
  for (const { seq, block } of blocks)
    if (!Buffer.from(turnOf(seq).block).equals(block))
      return `block ${seq} is not what was written`;
  const expected = documentsAfter(durableSeq);
  const range = { start: encodeKey(1, 7, []), end: encodeKey(1, 8, []) };
  const rows = store.range(range);
  if (rows.length !== expected.size) return `${rows.length} documents, ${expected.size} expected`;
  for (const { key, value } of rows) {
    const name = Buffer.from(key).toString('hex');
    if (expected.get(name) !== Buffer.from(value).toString('latin1'))
      return `document ${name} is not what was written`;
    if (!Buffer.from(store.get(key) ?? []).equals(value))
      return `document ${name} differs between get and range`;
  }
  return;
}

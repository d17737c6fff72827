// An audience's columns in this process, folded from its directory as at server start: measures the
// filter compiler alone, without thread, commit or HTTP. No server may hold the directory.

import { uncounted } from '../../actors/audiences/segments/evaluate.ts';
import type { Filter } from '../../actors/audiences/segments/filter.ts';
import { NewestTimes } from '../../actors/audiences/segments/newest-times.ts';
import { readTimes } from '../../actors/audiences/segments/read-times.ts';
import type { Traits } from '../../actors/audiences/segments/traits.ts';
import { withHistory } from '../../actors/events/read/list.ts';
import { eventLog } from '../../actors/runtime/event-log.ts';
import { foldingPartition } from '../../actors/runtime/folding.ts';
import { newHashKey } from '../../engine/base/hash.ts';
import { parseId } from '../../engine/base/id.ts';
import { systemRng } from '../../engine/base/rng.ts';
import { newestCheckpoint } from '../../storage/checkpoint.ts';
import { logBlocks } from '../../storage/log.ts';
import { type Audience, openStore } from './directory.ts';

export async function foldedTraits(
  audience: Audience,
  filters: readonly Filter[],
): Promise<Traits> {
  const { path, partition: index, appId } = audience;
  const store = openStore(audience);
  try {
    const { partition, product } = foldingPartition(index, newHashKey(systemRng()));
    const checkpoint = newestCheckpoint(store.path, (name, problem) => {
      throw new Error(`${name}: ${problem}`);
    });
    if (checkpoint !== undefined) partition.restore(checkpoint.parts(), checkpoint.manifest.seq);
    for (const { seq, block } of logBlocks(store, partition.seq + 1, store.durableSeq))
      partition.replay(seq, block);
    const app = parseId('app', appId)?.ordinal ?? Number.NaN;
    const state = product.state.apps.get(app);
    if (state === undefined) throw new Error(`${path} holds no app ${appId}`);
    const { traits } = state;
    const kept = new Map<string, number>();
    for (const [name, count] of filters.flatMap((filter) => uncounted(filter, traits)))
      kept.set(name, Math.max(count, kept.get(name) ?? 0));
    const names = [...kept];
    const read = { app, names, fromMs: 0, erased: [], merged: new Uint32Array(0) };
    const times = withHistory(store.path, (history) => readTimes(read, eventLog(store), history));
    return traits.withTimes(
      times.map(([name, snapshots]) => [name, NewestTimes.restore(snapshots)] as const),
    );
  } finally {
    await store.close();
  }
}

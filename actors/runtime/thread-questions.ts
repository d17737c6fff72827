// What a shard thread answers itself, of all its partitions at once.

import type { Message } from '../../engine/actor/message.ts';
import type { ExhaustedFigures } from './exhausted.ts';
import type { RunningPartition } from './open-partition.ts';
import type { OpenPartitions } from './open-partitions.ts';
import type { CheckpointRequest, ClockRequest, CopyRequest } from './protocol.ts';
import { clockOf, figuresOf } from './shard-figures.ts';

interface AskedShard {
  readonly partitions: OpenPartitions;
  readonly exhausted: { readonly figures: ExhaustedFigures };
  readonly unvouched: { readonly apps: number };
  /** Sends what is on its way to dispatchers. */
  flushGrants(): void;
  /** Of its files. */
  readonly dataDir: string;
}

/** `undefined` for what is no question to the thread. */
export async function answerOfThread(shard: AskedShard, message: Message): Promise<unknown> {
  const { partitions, exhausted, unvouched } = shard;
  const { all, checkpoints, disk } = partitions;
  switch (message.kind) {
    case 'thread.figures':
      return {
        ...figuresOf(all, checkpoints, disk),
        exhausted: exhausted.figures,
        unvouchedApps: unvouched.apps,
      };
    case 'thread.clock': {
      const before = clockOf(all.map(({ partition }) => partition));
      if ((message as ClockRequest).accept)
        for (const { partition } of all) partition.acceptClock();
      return before;
    }
    case 'thread.quiesce':
      await quiesce(all);
      shard.flushGrants();
      return null;
    case 'thread.checkpoint': {
      const { partition, sweep } = message as CheckpointRequest;
      return checkpoints.now(partition, sweep);
    }
    case 'thread.copy': {
      const { partition, into } = message as CopyRequest;
      if (partitions.of(partition) === undefined)
        throw new Error(`partition ${partition} is not here`);
      const { copyPartition } = await import('../../storage/backup.ts');
      return copyPartition(shard.dataDir, partition, into);
    }
    default:
      return undefined;
  }
}

/** Starts no more sends; waits until all grants are out: they must find their dispatcher. */
async function quiesce(running: readonly RunningPartition[]): Promise<void> {
  for (const { product } of running) product.quiesce();
  const turns = running.map(({ partition, store }) => ({ store, seq: partition.seq }));
  while (turns.some(({ store, seq }) => store.durableSeq < seq)) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

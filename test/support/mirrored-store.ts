// A memory store that keeps the whole log, and writes every turn to a real partition beside it.
// Tests work on the first, fold and drop on the second, and compare what a reader of the files sees
// with what really happened.

import type { TurnWrite } from '../../engine/actor/store.ts';
import { type Environment, openPartition } from '../../storage/environment.ts';
import { MemoryStore } from '../../storage/memory.ts';

export class MirroredStore extends MemoryStore {
  readonly disk: Environment;

  /** Makes the partition in `dataDir`, which must be new. */
  constructor(dataDir: string) {
    super();
    this.disk = openPartition({
      dataDir,
      partition: 0,
      partitions: 1,
      nowMs: 0,
      onFatal: (error) => {
        throw error;
      },
    });
  }

  override commit(turn: TurnWrite, durable: () => void, stored?: () => void): void {
    // The memory store is done with the lent bytes before the disk is.
    this.disk.commit({ ...turn, block: Buffer.from(turn.block) }, () => undefined);
    super.commit(turn, durable, stored);
  }

  /** Waits until the files have what memory has. */
  async synced(): Promise<void> {
    while (this.disk.inFlight > 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

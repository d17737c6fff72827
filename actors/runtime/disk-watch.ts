// A shard's look at the disk: how much its partitions may still write, the room that their files
// keep for a full disk, and the ballast. Looks each second, and more often while files grow.

import type { Bytes } from '../../engine/base/brand.ts';
import type { Log } from '../../engine/observe/log.ts';
import { Ballast, ballastBytes } from '../../storage/ballast.ts';
import { DiskGuard } from '../../storage/disk-guard.ts';
import type { Environment } from '../../storage/environment.ts';

interface WatchedPartition {
  readonly store: Pick<Environment, 'reusableBytes' | 'keptBytes' | 'keepRoom'>;
  diskLow: boolean;
}

interface DiskWatchOptions {
  readonly dataDir: string;
  /** Of the data directory. */
  readonly partitions: number;
  /** Whether this thread holds the ballast. */
  readonly hasBallast: boolean;
  readonly log: Log;
  readonly guard?: DiskGuard;
}

/** What a data file keeps: two large turns in flight, and small ones for a while. */
const keptBytesMax: Bytes = 4 * 1024 * 1024;
const keptBytesMin: Bytes = 512 * 1024;
/** All files of a directory together keep at most this share of the disk. */
const keptFraction = 1 / 64;

/** 0: all writes are taken. 1: only what the reserve is for. 2: none. */
type DiskLevel = 0 | 1 | 2;

export class DiskWatch {
  readonly guard: DiskGuard;
  readonly #options: DiskWatchOptions;
  readonly #ballast: Ballast | undefined;
  #wasFull = false;
  /** Settles when the ballast that is being made is there. */
  made: Promise<unknown> = Promise.resolve();

  constructor(options: DiskWatchOptions) {
    this.#options = options;
    this.guard = options.guard ?? new DiskGuard(options.dataDir);
    this.#ballast = options.hasBallast ? new Ballast(options.dataDir) : undefined;
  }

  /** Once a second. */
  tick(partitions: Iterable<WatchedPartition>): void {
    const all = [...partitions];
    this.look(all);
    if (this.guard.full) return;
    // Where the disk is full, what is left is for others, who may know what to do with it.
    const wanted = this.#keptBytes();
    for (const { store } of all) this.#keep(store, wanted);
    this.#makeBallast();
  }

  /** How much may be written from now on. */
  look(partitions: Iterable<WatchedPartition>): void {
    const { guard } = this;
    const { log } = this.#options;
    const wasLow = guard.low;
    guard.check();
    if (guard.full && this.#ballast?.release()) {
      guard.check();
      log.error({ evt: 'disk.ballast_released', bytes: guard.freeBytes }, 'the disk was full');
    }
    const bytes = guard.freeBytes;
    if (guard.low && !wasLow)
      log.error(
        { evt: 'disk.low', bytes },
        'the disk is nearly full: writes are rejected unless a data file has free pages to reuse',
      );
    if (guard.full && !this.#wasFull)
      log.error(
        { evt: 'disk.full', bytes },
        'the disk is full: a partition only writes while its file has spare room',
      );
    if (!guard.low && wasLow)
      log.info({ evt: 'disk.recovered', bytes }, 'the disk has free space again');
    this.#wasFull = guard.full;
    for (const one of partitions) one.diskLow = guard.isLowFor(() => one.store.reusableBytes);
  }

  /** Asked before each turn. Half of the room is for commits that are in flight. */
  isFullFor(store: WatchedPartition['store']): boolean {
    return this.guard.full && store.keptBytes < this.#keptBytes() / 2;
  }

  levelOf({ store, diskLow }: WatchedPartition): DiskLevel {
    if (!diskLow) return 0;
    return this.isFullFor(store) ? 2 : 1;
  }

  #keptBytes(): Bytes {
    const share = (this.guard.totalBytes * keptFraction) / this.#options.partitions;
    return Math.max(keptBytesMin, Math.min(keptBytesMax, share));
  }

  #keep(store: WatchedPartition['store'], wanted: Bytes): void {
    try {
      store.keepRoom(wanted);
    } catch (error) {
      this.#options.log.warn({ evt: 'disk.no_room_kept', err: error }, 'retrying every second');
    }
  }

  #makeBallast(): void {
    const { totalBytes } = this.guard;
    if (this.#ballast === undefined || !this.guard.hasRoomFor(ballastBytes(totalBytes))) return;
    this.made = this.#ballast.make(totalBytes);
  }
}

// A member's copies on its disk: opens files and memory while the shard runs, throws the memory of
// a lost term away, replaces files by those of another member, and removes what is not needed.

import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PartitionStore } from '../../../engine/actor/store.ts';
import { outcomeUnknown } from '../../../engine/actor/turn-faults.ts';
import type { LeaseWords } from '../../../engine/cluster/lease.ts';
import type { NodeHost } from '../../../engine/cluster/node.ts';
import { PartitionCopy } from '../../../engine/log/copy.ts';
import { beginning } from '../../../engine/log/log-reader.ts';
import type { LogTrouble } from '../../../engine/log/log-writer.ts';
import { decodePlace } from '../../../engine/log/place.ts';
import { type Environment, partitionPath } from '../../../storage/environment.ts';
import { syncFile } from '../../../storage/files.ts';
import type { DispatchDisowned } from '../../sending/dispatch/protocol.ts';
import {
  assertFolds,
  foldOf,
  type OpenOptions,
  openFiles,
  openMemory,
  type PartitionFiles,
} from '../open-partition.ts';
import type { OpenPartitions } from '../open-partitions.ts';
import { FoldTurns } from './fold-turns.ts';
import type { ClusterPorts } from './ports.ts';

type Hooks = Parameters<NodeHost['open']>[1];
type SeatCopy = ReturnType<NodeHost['open']>;

interface CopiesOptions {
  readonly open: OpenOptions;
  readonly partitions: OpenPartitions;
  readonly ports: Pick<ClusterPorts, 'log' | 'time'>;
  readonly words: LeaseWords;
  readonly generation: number;
  /** Random, unlike that of any other process. */
  readonly instance: number;
  readonly tellDispatchers: (message: DispatchDisowned) => void;
  readonly onTrouble: (partition: number, why: LogTrouble, reason?: string) => void;
  /** False once this process is about to end. */
  readonly opensAgain: () => boolean;
  /** A copy's role is another one. */
  readonly onChange: (partition: number) => void;
}

export class Copies {
  readonly #options: CopiesOptions;
  readonly #files = new Map<number, PartitionFiles>();
  readonly #copies = new Map<number, PartitionCopy>();
  /** Memories that were opened so far: each has an address of its own. */
  #opened = 0;
  readonly #turns: FoldTurns;
  /** Why copies failed. */
  readonly errors = new Map<number, string>();

  constructor(options: CopiesOptions) {
    this.#options = options;
    this.#turns = new FoldTurns(options.ports.time);
  }

  /** Partitions that the data directory has files of. */
  kept(): readonly number[] {
    return keptPartitions(this.#dataDir);
  }

  of(partition: number): PartitionCopy | undefined {
    return this.#copies.get(partition);
  }

  /** A copy that cannot be opened is there, and has failed. */
  open(partition: number, hooks: Hooks): SeatCopy {
    try {
      this.errors.delete(partition);
      return this.#open(partition, hooks);
    } catch (error) {
      this.#note(partition, error);
      hooks.onRole('failed', error);
      return failedCopy;
    }
  }

  /** Removes a copy's files. */
  async drop(partition: number): Promise<void> {
    await this.#close(partition);
    const path = partitionPath(this.#dataDir, partition);
    const gone = besidePath(path, 'gone');
    await rm(gone, { recursive: true, force: true });
    await rename(path, gone);
    await syncFile(dirname(path));
    await rm(gone, { recursive: true, force: true });
  }

  /** Replaces a copy's files by what `fetch` brings; it may be opened again then. */
  async renew(partition: number, fetch: (into: string) => Promise<boolean>): Promise<boolean> {
    const path = partitionPath(this.#dataDir, partition);
    const [coming, gone] = [besidePath(path, 'coming'), besidePath(path, 'gone')];
    await Promise.all([coming, gone].map((one) => rm(one, { recursive: true, force: true })));
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    if (!(await fetch(coming))) return false;
    await this.#close(partition);
    if (existsSync(path)) await rename(path, gone);
    await rename(coming, path);
    await syncFile(dirname(path));
    await rm(gone, { recursive: true, force: true });
    return true;
  }

  /** Also files of copies that failed, which nothing else has open. */
  async close(): Promise<void> {
    await Promise.all([...this.#files.values()].map(({ store }) => store.close()));
  }

  get #dataDir(): string {
    return this.#options.open.data.dataDir;
  }

  #open(index: number, hooks: Hooks): PartitionCopy {
    const { open, ports, instance, generation, opensAgain, onChange } = this.#options;
    const { time } = ports;
    const files = this.#files.get(index) ?? openFiles(index, open);
    this.#files.set(index, files);
    assertOfLog(files.store, generation);
    const copy: PartitionCopy = new PartitionCopy({
      files: files.store,
      log: ports.log(index),
      generation,
      writer: instance,
      open: (over) => this.#openMemory(index, files, over, () => copy.settled()),
      wait: (ms) => time.wait(ms),
      monotonic: () => time.monotonic(),
      hasRoom: () => !open.output.isDiskFull(files.store),
      opensAgain,
      beforeOpen: () => this.#turns.next(),
      onTrouble: (...trouble) => this.#options.onTrouble(index, ...trouble),
      onFrame: hooks.onFrame,
      onCommitted: hooks.onCommitted,
      beforeStart: hooks.beforeStart,
      onLost: () => {
        hooks.onLost();
        this.#disown(index);
      },
      onRole: (role, error) => {
        if (role === 'failed') this.#note(index, error);
        hooks.onRole(role, error);
        onChange(index);
      },
    });
    this.#copies.set(index, copy);
    return copy;
  }

  #openMemory(
    index: number,
    files: PartitionFiles,
    over: PartitionStore,
    settled: () => Promise<void>,
  ) {
    const { open, partitions, words, ports } = this.#options;
    const { data } = open;
    const memory = {
      // Unlike that of any other memory of this process, and led back to the partition.
      address: index + data.partitions * (this.#opened++ * data.shards + data.index),
      mayAnswer: () => words.isHeld(index, ports.time.monotonic()),
      settled,
    };
    const startedMs = ports.time.monotonic();
    const { opened, tail } = openMemory(files, over, memory, open);
    this.#turns.took(ports.time.monotonic() - startedMs);
    try {
      assertFolds(opened.partition);
    } catch (error) {
      opened.scheduler.end();
      throw error;
    }
    partitions.add(opened, tail);
    return foldOf(opened);
  }

  /** What dispatchers have of a term that is over must not begin. */
  #disown(index: number): void {
    const running = this.#options.partitions.of(index);
    if (running === undefined) return;
    const { address } = running;
    this.#options.tellDispatchers({ kind: 'dispatch.disowned', partition: address });
  }

  async #close(index: number): Promise<void> {
    // Whoever still waits for an answer waits for an owner that cannot read what it did.
    this.#options.partitions.of(index)?.partition.fenced(outcomeUnknown);
    await this.#options.partitions.remove(index);
    const files = this.#files.get(index);
    this.#files.delete(index);
    this.#copies.delete(index);
    await files?.store.close();
  }

  #note(partition: number, error: unknown): void {
    this.errors.set(partition, error instanceof Error ? error.message : String(error));
  }
}

/** Partitions of which a data directory has files. */
export function keptPartitions(dataDir: string): readonly number[] {
  const folder = join(dataDir, 'partitions');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^\d{2,3}$/.test(name) && existsSync(join(folder, name, 'data.mdb')))
    .map(Number);
}

/** No partition has such a name. */
function besidePath(path: string, what: string): string {
  return `${path}.${what}`;
}

/** Files that were written without the log, or behind another one, do not continue it. */
function assertOfLog({ path, place, durableSeq }: Environment, generation: number): void {
  if (place === undefined) {
    if (durableSeq === 0) return;
    throw new Error(
      `${path} was written by a server that shares its log with no other: a cluster begins with an empty data directory`,
    );
  }
  const found = decodePlace(place);
  if (found === undefined || found.generation !== generation)
    throw new Error(
      `${path} continues the log of generation ${found?.generation}, not ${generation}: remove the folder, and it is copied from another member`,
    );
}

const failedCopy: SeatCopy = {
  role: 'failed',
  place: beginning,
  isQuiet: true,
  idle: () => {},
  handOver: async () => false,
  takeOver: async () => false,
  reachesLog: async () => false,
  close: async () => {},
};

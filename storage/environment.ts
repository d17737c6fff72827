// One partition at rest: one LMDB environment (log, documents, meta) and the only code that writes
// it. A turn is one explicit batch, so its block and documents are atomic. `overlappingSync` is
// off: otherwise readers see what a power cut can undo. A failed commit is never retried, because
// its outcome is unknown.

import '../engine/base/plain-msgpack.ts';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { IF_EXISTS, open, type RootDatabase } from 'lmdb';
import type { KeyRange, PartitionStore, StoredRow, TurnWrite } from '../engine/actor/store.ts';
import { assert } from '../engine/base/assert.ts';
import type { Bytes, Millis, Seq } from '../engine/base/brand.ts';
import { CommitQueue } from './commit-queue.ts';
import { KeptRoom } from './kept-room.ts';
import { maxKeyBytes } from './keys.ts';
import {
  assertKnown,
  CannotOpen,
  type KnownKinds,
  readKinds,
  tableKind,
  writeKinds,
} from './kinds.ts';
import {
  assertOpenable,
  type PartitionMeta,
  type ResendMode,
  readEpoch,
  readMeta,
  readPlace,
  readResend,
  storageFormat,
  writeEpoch,
  writeMeta,
  writePlace,
  writeResend,
} from './meta.ts';
import { OldestReader } from './oldest-reader.ts';
import {
  entryCount,
  newestSeq,
  oldestSeq,
  type Rows,
  readBlocks,
  readRows,
  type StoredBlock,
  seqKey,
} from './rows.ts';
import { tableById } from './table.ts';

/** Address space, not memory or disk: the file grows as needed and never reaches this. */
export const mapBytes: Bytes = 1024 ** 4;

// Otherwise lmdb-js starts writing after the sixth operation and splits the turns of a tick: 0.7
// transactions per turn instead of 0.5 with two lanes of ten documents. Not in its types.
const oneStartATick = { txnStartThreshold: 1e9 };

interface EnvironmentOptions {
  readonly dataDir: string;
  /** From 0. */
  readonly partition: number;
  /** How many partitions the data directory has; fixed for its life. */
  readonly partitions: number;
  readonly nowMs: Millis;
  /** Called once if a commit fails or hangs. Nothing is acknowledged after it; exit with 70. */
  readonly onFatal: (error: Error) => void;
  /** How long a commit may take before it counts as hung. Ten seconds. */
  readonly commitLimitMs?: Millis;
  readonly mapBytes?: Bytes;
  /** Absent for a store without actors: it notes and refuses none. */
  readonly known?: KnownKinds;
  /** Called whenever commits may have written another `grownBytes`. */
  readonly onGrown?: () => void;
}

interface EnvironmentStats {
  readonly fileBytes: Bytes;
  readonly documents: number;
  readonly blocks: number;
  readonly inFlight: number;
  readonly readers: number;
}

/** See `onGrown`; counts a page for each document. */
const grownBytes: Bytes = 512 * 1024;
const pageBytes: Bytes = 4096;

/** LMDB's statistics of one table. */
interface PageCounts {
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

/** Statistics of the file; `root` names the tables, `free` lists reusable pages. */
interface FileStats {
  readonly pageSize: Bytes;
  readonly lastPageNumber: number;
  readonly lastTxnId: number;
  readonly root: PageCounts;
  readonly free: PageCounts;
}

/** Pages at the head of the file that describe it. */
const headPages = 2;

function pagesOf({ treeBranchPageCount, treeLeafPageCount, overflowPages }: PageCounts): number {
  return treeBranchPageCount + treeLeafPageCount + overflowPages;
}

/** The directory of a partition: `<dataDir>/partitions/<nn>`. */
export function partitionPath(dataDir: string, partition: number): string {
  return join(dataDir, 'partitions', String(partition).padStart(2, '0'));
}

/** Opens or creates a partition. Refuses a newer format or another partition's files. */
export function openPartition(options: EnvironmentOptions): Environment {
  return new Environment(options);
}

export class Environment implements PartitionStore {
  readonly meta: PartitionMeta;
  readonly path: string;
  readonly kinds: Set<string>;
  readonly #root: RootDatabase<Buffer, Uint8Array>;
  readonly #log: Rows;
  readonly #documents: Rows;
  readonly #meta: Rows;
  readonly #queue: CommitQueue;
  readonly #kept: KeptRoom;
  /** By id: whether the table's version is noted. */
  readonly #notedTables = new Uint8Array(256);
  readonly #onGrown: () => void;
  #grown: Bytes = 0;
  readonly #oldestReader = new OldestReader();
  #durableSeq: Seq;
  #oldestSeq: Seq;
  #lastSeq: Seq;
  #epoch: number;
  #closed = false;

  constructor(options: EnvironmentOptions) {
    this.path = partitionPath(options.dataDir, options.partition);
    const isNew = !existsSync(join(this.path, 'data.mdb'));
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
    this.#root = open<Buffer, Uint8Array>({
      path: this.path,
      encoding: 'binary',
      keyEncoding: 'binary',
      overlappingSync: false,
      // Explicit batches: with event-turn batching lmdb-js makes a second promise per commit, and
      // its unhandled rejection would end the process before `onFatal`.
      eventTurnBatching: false,
      ...oneStartATick,
      mapSize: options.mapBytes ?? mapBytes,
      maxDbs: 4,
      maxReaders: 256, // this thread, the pool's and a backup's; a slot is 64 bytes
    });
    const named = { encoding: 'binary', keyEncoding: 'binary' } as const;
    this.#log = this.#root.openDB<Buffer, Uint8Array>('log', named);
    this.#documents = this.#root.openDB<Buffer, Uint8Array>('documents', named);
    this.#meta = this.#root.openDB<Buffer, Uint8Array>('meta', named);
    const stored = readMeta(this.#meta, this.path);
    if (stored === undefined) {
      const untouched = entryCount(this.#log) === 0 && entryCount(this.#documents) === 0;
      if (!untouched)
        throw new CannotOpen(`${this.path} has data but no description file: it is damaged`);
    } else assertOpenable(stored, options, this.path);
    this.kinds = readKinds(this.#meta);
    if (options.known !== undefined)
      assertKnown(this.kinds, options.known, this.path, () => this.#root.close());
    this.meta = {
      partition: options.partition,
      partitions: options.partitions,
      createdMs: options.nowMs,
      ...stored,
      format: storageFormat,
    };
    this.#describe(stored, options.known?.always ?? []);
    if (isNew) syncDirectories(options.dataDir, this.path);
    this.#epoch = readEpoch(this.#meta, this.path);
    this.#durableSeq = newestSeq(this.#log) ?? 0;
    this.#oldestSeq = oldestSeq(this.#log) ?? 1;
    this.#lastSeq = this.#durableSeq;
    const missing = this.#durableSeq - this.#oldestSeq + 1 - entryCount(this.#log);
    if (missing !== 0)
      throw new CannotOpen(`${this.path}: ${missing} log blocks are missing: it is damaged.`);
    this.#queue = new CommitQueue(options.commitLimitMs ?? 10_000, options.onFatal);
    this.#onGrown = options.onGrown ?? (() => undefined);
    this.#kept = new KeptRoom(join(this.path, 'data.mdb'), () => {
      const { pageSize, lastPageNumber } = this.#root.getStats() as FileStats;
      return (lastPageNumber + 1) * pageSize;
    });
  }

  /** Before anything is written that an older program might not know. */
  #describe(stored: PartitionMeta | undefined, always: readonly string[]): void {
    const unnoted = always.filter((name) => !this.kinds.has(name));
    if (stored?.format === storageFormat && unnoted.length === 0) return;
    for (const name of unnoted) this.kinds.add(name);
    this.#root.transactionSync(() => {
      writeMeta(this.#meta, this.meta);
      writeKinds(this.#meta, this.kinds);
      if (stored === undefined) writeEpoch(this.#meta, 1);
    });
  }

  /** Adds what a turn is the first to use; whether there is any. */
  #note({ kinds = [], documents }: TurnWrite): boolean {
    const before = this.kinds.size;
    for (const name of kinds) this.kinds.add(name);
    for (const { key } of documents) {
      const id = key[0] as number;
      if (this.#notedTables[id] === 1) continue;
      this.#notedTables[id] = 1;
      const table = tableById(id);
      if (table !== undefined) this.kinds.add(tableKind(table.name, table.version));
    }
    return this.kinds.size > before;
  }

  get epoch(): number {
    return this.#epoch;
  }

  get durableSeq(): Seq {
    return this.#durableSeq;
  }

  get oldestSeq(): Seq {
    return this.#oldestSeq;
  }

  get inFlight(): number {
    return this.#queue.length;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#documents.getBinary(key);
  }

  lend(key: Uint8Array, use: (value: Uint8Array) => void): boolean {
    const value = this.#documents.getBinaryFast(key);
    if (value === undefined) return false;
    // lmdb-js reuses one buffer; only this many bytes are this value.
    const { lastSize } = this.#documents as unknown as { readonly lastSize: number };
    use(value.subarray(0, lastSize));
    return true;
  }

  range(range: KeyRange): StoredRow[] {
    return readRows(this.#documents, range);
  }

  /** Another thread reads the turn's bytes until `durable`: do not change or transfer them. */
  commit(turn: TurnWrite, durable: () => void, stored?: () => void): void {
    // the process is on its way out, and nothing is acknowledged any more
    if (this.#queue.failed) return;
    assert(!this.#closed, 'this partition is closed');
    assert(turn.seq === this.#lastSeq + 1, `turn ${turn.seq} does not follow ${this.#lastSeq}`);
    // A throw inside the batch would commit half of it, so check first what LMDB could refuse.
    assert(turn.block.length > 0, 'a turn has a block');
    for (const { key } of turn.documents)
      assert(key.length > 0 && key.length <= maxKeyBytes, 'a document key has 1 to 512 bytes');
    this.#lastSeq = turn.seq;
    const isNews = this.#note(turn);
    let bytes = turn.block.length + turn.documents.length * pageBytes;
    const write = () => {
      if (isNews) writeKinds(this.#meta, this.kinds);
      if (turn.place !== undefined) writePlace(this.#meta, turn.place);
      void this.#log.put(seqKey(turn.seq), bufferOf(turn.block));
      for (const { key, value } of turn.documents) {
        if (value === undefined) void this.#documents.remove(key);
        else {
          bytes += value.length;
          void this.#documents.put(key, bufferOf(value));
        }
      }
    };
    // Only if the previous turn is in the log: after a failed sync, lmdb-js continues with the next
    // transaction, so the second of two turns in flight could reach the disk without the first.
    const written =
      turn.seq === 1
        ? this.#root.batch(write)
        : this.#log.ifVersion(seqKey(turn.seq - 1), IF_EXISTS, write);
    this.#queue.push(written, () => {
      this.#durableSeq = turn.seq;
      // lmdb-js does it too, but promises nothing: a read from here on must see the turn
      this.#root.resetReadTxn();
      stored?.();
      durable();
    });
    this.#grown += bytes;
    if (this.#grown < grownBytes) return;
    this.#grown = 0;
    this.#onGrown();
  }

  blocks(from: Seq, limit: number): StoredBlock[] {
    // Bounded by what settled here: the file may show commits before their `durable` call.
    const first = Math.max(from, this.#oldestSeq);
    return readBlocks(this.#log, first, this.#durableSeq, limit, this.path);
  }

  dropBlocks(through: Seq, limit: number): Promise<number> {
    if (this.#queue.failed) return new Promise(() => {});
    assert(!this.#closed, 'this partition is closed');
    // the newest stays: the next turn's condition
    const last = Math.min(through, this.#durableSeq - 1);
    const until = Math.min(last, this.#oldestSeq + limit - 1);
    if (until < this.#oldestSeq) return Promise.resolve(Math.max(0, last - this.#oldestSeq + 1));
    const from = this.#oldestSeq;
    this.#oldestSeq = until + 1; // at once, so that two calls never remove the same blocks
    // On the condition that every turn given so far was written, as a turn is.
    const written = this.#log.ifVersion(seqKey(this.#lastSeq), IF_EXISTS, () => {
      for (let seq = from; seq <= until; seq++) void this.#log.remove(seqKey(seq));
    });
    return new Promise((resolve) => this.#queue.push(written, () => resolve(last - until)));
  }

  /** Where a shared log has the newest turn; `undefined` if none ever had one. */
  get place(): Uint8Array | undefined {
    return readPlace(this.#meta);
  }

  /** What the last restore decided about pending sends; `undefined` without one. */
  get resend(): ResendMode | undefined {
    return readResend(this.#meta, this.path);
  }

  /** Durably raises the epoch and sets how to treat pending sends. Nothing may be in flight. */
  raiseEpoch(resend: ResendMode = 'all'): number {
    assert(this.#queue.length === 0, 'the epoch is raised before anything is committed');
    const epoch = this.#epoch + 1;
    this.#root.transactionSync(() => {
      writeEpoch(this.#meta, epoch);
      writeResend(this.#meta, resend);
    });
    return (this.#epoch = epoch);
  }

  /**
   * Copies the partition consistently while writes go on. An open read transaction lets the file
   * grow meanwhile: copy one partition at a time. `compact` skips free pages and is slower.
   */
  async backup(directory: string, compact: boolean): Promise<void> {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    await this.#root.backup(directory, compact);
    for (const name of readdirSync(directory)) syncPath(join(directory, name));
    syncPath(directory);
  }

  /** Reusable room in the data file, including pages that readers hold. Takes microseconds. */
  get reusableBytes(): Bytes {
    const { pageSize, lastPageNumber, root, free } = this.#root.getStats() as FileStats;
    const tables = [this.#log, this.#documents, this.#meta].map(
      (table) => table.getStats() as PageCounts,
    );
    const used = [root, free, ...tables].reduce((sum, counts) => sum + pagesOf(counts), 0);
    return Math.max(0, lastPageNumber + 1 - headPages - used) * pageSize;
  }

  /** Room at the end of the file that is ours on a full disk, too. Takes microseconds. */
  get keptBytes(): Bytes {
    return this.#kept.bytes;
  }

  /** Keeps this much, unless half of it is left or a commit is in flight: then ask again. */
  keepRoom(bytes: Bytes): void {
    if (this.#closed || this.#queue.length > 0 || this.#queue.failed) return;
    if (this.#kept.bytes < bytes / 2) this.#kept.extend(bytes);
  }

  /** Takes microseconds. */
  get fileBytes(): Bytes {
    return statSync(join(this.path, 'data.mdb')).blocks * 512;
  }

  /** How long a reader has kept pages from being reused; found out by asking again and again. */
  oldestReaderMs(nowMs: Millis): Millis {
    const { lastTxnId } = this.#root.getStats() as FileStats;
    return this.#oldestReader.look(this.#root.readerList(), lastTxnId, nowMs);
  }

  stats(): EnvironmentStats {
    return {
      fileBytes: this.fileBytes,
      documents: entryCount(this.#documents),
      blocks: entryCount(this.#log),
      inFlight: this.#queue.length,
      readers: this.#root.readerList().split('\n').length - 2,
    };
  }

  /** Waits for commits in flight, then closes. If one failed, the end of the process closes. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#queue.idle();
    if (!this.#queue.failed) await this.#root.close();
  }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

// A new file is only durable once the directories that name it are.
function syncDirectories(dataDir: string, path: string): void {
  for (const directory of [path, join(dataDir, 'partitions'), dataDir]) syncPath(directory);
}

function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

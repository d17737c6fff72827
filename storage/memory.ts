// The store's in-memory twin, for tests and the simulator. Turns are invisible until they settle,
// in a microtask or on request; `crash` forgets others. Nothing is random or timed.

import type { KeyRange, PartitionStore, StoredRow, TurnWrite } from '../engine/actor/store.ts';
import { assert } from '../engine/base/assert.ts';
import type { Seq } from '../engine/base/brand.ts';
import { binaryName, bytesOfName, OrderedMap } from './ordered-map.ts';

/** One partition's "disk": survives a crash. */
interface Disk {
  epoch: number;
  durableSeq: Seq;
  oldestSeq: Seq;
  place?: Uint8Array | undefined;
  readonly blocks: Map<Seq, Uint8Array>;
  readonly documents: OrderedMap<Uint8Array>;
}

interface MemoryStoreOptions {
  /** `auto`: durable in a microtask; `manual`: by `settleNext`. */
  readonly settle?: 'auto' | 'manual';
  /** Called once, instead of `durable`, when a commit fails. */
  readonly onFatal?: (error: Error) => void;
}

interface Flight {
  readonly turn: TurnWrite;
  readonly durable: () => void;
  readonly stored: (() => void) | undefined;
}

const maxRows = 10_000;
/** Greater than any `binaryName`. */
const beyondAll = '\u0100';

export class MemoryStore implements PartitionStore {
  readonly #disk: Disk;
  readonly #options: MemoryStoreOptions;
  #flights: Flight[] = [];
  #lastSeq: Seq;
  #state: 'open' | 'failed' | 'gone' = 'open';

  constructor(options: MemoryStoreOptions = {}, disk: Disk = emptyDisk()) {
    this.#options = options;
    this.#disk = disk;
    this.#lastSeq = disk.durableSeq;
  }

  get epoch(): number {
    return this.#disk.epoch;
  }

  get durableSeq(): Seq {
    return this.#disk.durableSeq;
  }

  get oldestSeq(): Seq {
    return this.#disk.oldestSeq;
  }

  /** Where a shared log has the newest turn. */
  get place(): Uint8Array | undefined {
    return this.#disk.place;
  }

  get inFlight(): number {
    return this.#flights.length;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    this.#assertOpen();
    const value = this.#disk.documents.get(binaryName(key));
    return value && Buffer.from(value);
  }

  range({ start, end, reverse = false, limit = maxRows }: KeyRange): StoredRow[] {
    this.#assertOpen();
    assert(limit <= maxRows, 'a range reads at most 10,000 rows');
    const rows: StoredRow[] = [];
    if (limit <= 0) return rows;
    for (const [name, value] of this.#disk.documents.range(
      binaryName(start),
      binaryName(end),
      reverse,
    )) {
      rows.push({ key: bytesOfName(name), value: Buffer.from(value) });
      if (rows.length === limit) break;
    }
    return rows;
  }

  commit(turn: TurnWrite, durable: () => void, stored?: () => void): void {
    if (this.#state === 'failed') return; // the process is on its way out
    this.#assertOpen();
    assert(turn.seq === this.#lastSeq + 1, `turn ${turn.seq} does not follow ${this.#lastSeq}`);
    this.#lastSeq = turn.seq;
    this.#flights.push({ turn, durable, stored });
    if (this.#options.settle !== 'manual') queueMicrotask(() => this.settleNext());
  }

  blocks(from: Seq, limit: number): { readonly seq: Seq; readonly block: Uint8Array }[] {
    this.#assertOpen();
    const found: { readonly seq: Seq; readonly block: Uint8Array }[] = [];
    const first = Math.max(from, this.#disk.oldestSeq);
    for (let seq = first; seq <= this.#disk.durableSeq && found.length < limit; seq++)
      found.push({ seq, block: Buffer.from(this.#disk.blocks.get(seq) as Uint8Array) });
    return found;
  }

  async dropBlocks(through: Seq, limit: number): Promise<number> {
    this.#assertOpen();
    const last = Math.min(through, this.#disk.durableSeq - 1); // the newest stays
    for (let dropped = 0; dropped < limit && this.#disk.oldestSeq <= last; dropped++)
      this.#disk.blocks.delete(this.#disk.oldestSeq++);
    return Math.max(0, last - this.#disk.oldestSeq + 1);
  }

  /** Settles what is in flight, like the LMDB store, and ends. */
  async close(): Promise<void> {
    while (this.#state === 'open' && this.settleNext());
    this.#state = 'gone';
  }

  /** Makes the oldest turn in flight durable. False if there is none. */
  settleNext(): boolean {
    if (this.#state !== 'open') return false;
    const flight = this.#flights.shift();
    if (flight === undefined) return false;
    write(this.#disk, flight.turn);
    flight.stored?.();
    flight.durable();
    return true;
  }

  /** Fails the oldest turn: `onFatal`, never `durable`. Only `crash` reveals if it was written. */
  failNext(error: Error, written: boolean): void {
    this.#assertOpen();
    const flight = this.#flights.shift();
    assert(flight !== undefined, 'there is a turn in flight to fail');
    if (written) write(this.#disk, flight.turn);
    this.#state = 'failed';
    this.#flights = [];
    this.#options.onFatal?.(error);
  }

  /** A power cut: a new store with what survived, `survivors` unacknowledged turns included. */
  crash(survivors = 0, options: MemoryStoreOptions = this.#options): MemoryStore {
    for (const { turn } of this.#flights.slice(0, survivors)) write(this.#disk, turn);
    this.#flights = [];
    this.#state = 'gone';
    return new MemoryStore(options, this.#disk);
  }

  /** A copy of what is durable, as another machine gets it. */
  copy(options: MemoryStoreOptions = this.#options): MemoryStore {
    const { blocks, documents, ...rest } = this.#disk;
    const copied = new OrderedMap<Uint8Array>();
    for (const [name, value] of documents.range('', beyondAll)) copied.set(name, value);
    return new MemoryStore(options, { ...rest, blocks: new Map(blocks), documents: copied });
  }

  /** As a restore does. */
  raiseEpoch(): number {
    return ++this.#disk.epoch;
  }

  #assertOpen(): void {
    assert(this.#state !== 'gone', 'this store is closed');
  }
}

function emptyDisk(): Disk {
  return {
    epoch: 1,
    durableSeq: 0,
    oldestSeq: 1,
    blocks: new Map(),
    documents: new OrderedMap(),
  };
}

function write(disk: Disk, turn: TurnWrite): void {
  disk.blocks.set(turn.seq, Buffer.from(turn.block)); // its bytes were lent
  disk.durableSeq = turn.seq;
  disk.place = turn.place ?? disk.place;
  for (const { key, value } of turn.documents) {
    if (value === undefined) disk.documents.delete(binaryName(key));
    else disk.documents.set(binaryName(key), value);
  }
}

// A partition's files at one moment, read-only, for checks and backup verification. One read
// transaction keeps log and documents consistent, but the file cannot reuse pages meanwhile: one
// partition at a time, closed soon.

import '../engine/base/plain-msgpack.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase, type Transaction } from 'lmdb';
import type { KeyRange, PartitionStore, StoredRow } from '../engine/actor/store.ts';
import type { Seq } from '../engine/base/brand.ts';
import { mapBytes } from './environment.ts';
import { assertKnown, type KnownKinds, readKinds } from './kinds.ts';
import {
  type PartitionMeta,
  type ResendMode,
  readEpoch,
  readMeta,
  readResend,
  storageFormat,
} from './meta.ts';
import { maxRows, type Rows, type StoredBlock, seqKey, seqOf } from './rows.ts';

/** See the head of this file. The caller owns rows and blocks. */
export class PartitionSnapshot implements Pick<PartitionStore, 'get' | 'range'> {
  readonly path: string;
  readonly meta: PartitionMeta;
  readonly epoch: number;
  readonly resend: ResendMode | undefined;
  /** 1 for an empty log. */
  readonly oldestSeq: Seq;
  /** 0 for an empty log. */
  readonly newestSeq: Seq;
  readonly #root: RootDatabase<Buffer, Uint8Array>;
  readonly #log: Rows;
  readonly #documents: Rows;
  readonly #transaction: Transaction;

  /** Throws one sentence for files that are no partition, or of a newer format. */
  constructor(path: string, known?: KnownKinds) {
    if (!existsSync(join(path, 'data.mdb'))) throw new Error(`${path} holds no partition.`);
    this.path = path;
    this.#root = open<Buffer, Uint8Array>({
      path,
      encoding: 'binary',
      keyEncoding: 'binary',
      overlappingSync: false,
      readOnly: true,
      mapSize: mapBytes,
      maxDbs: 4,
    });
    const opened = (name: string): Rows => {
      const database = this.#root.openDB<Buffer, Uint8Array>(name, {
        encoding: 'binary',
        keyEncoding: 'binary',
      }) as Rows | undefined;
      if (database === undefined) throw new Error(`${path} has no ${name}: it is damaged.`);
      return database;
    };
    this.#log = opened('log');
    this.#documents = opened('documents');
    const description = opened('meta');
    const meta = readMeta(description, path);
    if (meta === undefined) throw new Error(`${path} has no description file: it is damaged.`);
    if (meta.format > storageFormat)
      throw new Error(
        `${path} has storage format ${meta.format} and this program reads up to ${storageFormat}: use the newer program, or restore the backup from before the upgrade.`,
      );
    if (known !== undefined)
      assertKnown(readKinds(description), known, path, () => this.#root.close());
    this.meta = meta;
    this.epoch = readEpoch(description, path);
    this.resend = readResend(description, path);
    this.#transaction = this.#root.useReadTransaction();
    this.oldestSeq = this.#edge(false) ?? 1;
    this.newestSeq = this.#edge(true) ?? 0;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#documents.get(key, { transaction: this.#transaction });
  }

  range({ start, end, reverse = false, limit = maxRows }: KeyRange): StoredRow[] {
    if (limit <= 0 || Buffer.compare(start, end) >= 0) return [];
    const bounds = reverse
      ? { start: end, exclusiveStart: true, end: start, inclusiveEnd: true, reverse }
      : { start, end };
    const transaction = this.#transaction;
    const rows: StoredRow[] = [];
    for (const { key, value } of this.#documents.getRange({ ...bounds, limit, transaction }))
      rows.push({ key, value });
    return rows;
  }

  /** In key order. */
  *documents(): Generator<StoredRow> {
    const transaction = this.#transaction;
    yield* this.#documents.getRange({ transaction }) as Iterable<StoredRow>;
  }

  /** Oldest first. Missing blocks show as a jump of seq. */
  *blocks(from: Seq = 0): Generator<StoredBlock> {
    const transaction = this.#transaction;
    for (const { key, value } of this.#log.getRange({ start: seqKey(from), transaction }))
      yield { seq: seqOf(key), block: value };
  }

  async close(): Promise<void> {
    this.#transaction.done();
    await this.#root.close();
  }

  #edge(reverse: boolean): Seq | undefined {
    const start = seqKey(reverse ? Number.MAX_SAFE_INTEGER : 0);
    const transaction = this.#transaction;
    for (const key of this.#log.getKeys({ start, reverse, limit: 1, transaction }))
      return seqOf(key);
    return;
  }
}

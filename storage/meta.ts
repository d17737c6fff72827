// A partition's description, which never changes after it was made, as JSON so that any tool can
// read it, and its epoch. A newer format is refused before anything else is read.

import type { Database } from 'lmdb';
import type { Millis } from '../engine/base/brand.ts';

/** The newest format this program reads and the one it writes. */
export const storageFormat = 1;

/** Fixed when the partition is made. */
export interface PartitionMeta {
  readonly format: number;
  readonly partition: number;
  readonly partitions: number;
  readonly createdMs: Millis;
}

/**
 * What a restore decided about sends that were pending or under way when its backup was cut: `all`
 * and `transactional` let them leave (there are no others yet), `none` gives them up as of unknown
 * outcome.
 */
export type ResendMode = (typeof resendModes)[number];
export const resendModes = ['none', 'transactional', 'all'] as const;

type MetaDatabase = Database<Buffer, Uint8Array>;

const descriptionKey = Buffer.from('partition');
const epochKey = Buffer.from('epoch');
const resendKey = Buffer.from('resend');

/** The description, or `undefined` while a partition is being made. */
export function readMeta(database: MetaDatabase, path: string): PartitionMeta | undefined {
  const stored = database.getBinary(descriptionKey);
  if (stored === undefined) return;
  const { format, partition, partitions, createdMs } = JSON.parse(
    stored.toString(),
  ) as Partial<PartitionMeta>;
  if (
    format === undefined ||
    partition === undefined ||
    partitions === undefined ||
    createdMs === undefined
  )
    throw new Error(`${path} has a description file that cannot be read: it is damaged.`);
  return { format, partition, partitions, createdMs };
}

export function writeMeta(database: MetaDatabase, meta: PartitionMeta): void {
  void database.put(descriptionKey, Buffer.from(JSON.stringify(meta)));
}

/**
 * Refuses files that this program, or this place in the data directory, must not open; in one
 * sentence.
 */
export function assertOpenable(
  meta: PartitionMeta,
  expected: { readonly partition: number; readonly partitions: number },
  path: string,
): void {
  if (meta.format > storageFormat)
    throw new Error(
      `${path} has storage format ${meta.format} and this program reads up to ${storageFormat}: start the newer program.`,
    );
  if (meta.partitions !== expected.partitions)
    throw new Error(
      `${path} was created with ${meta.partitions} partitions, not ${expected.partitions}: the number of partitions is fixed when a data directory is created.`,
    );
  if (meta.partition !== expected.partition)
    throw new Error(
      `${path} holds partition ${meta.partition}, not ${expected.partition}: its files were moved.`,
    );
}

/** The epoch of the data: 1, and one more after every restore. */
export function readEpoch(database: MetaDatabase, path: string): number {
  const stored = database.getBinary(epochKey);
  if (stored?.length !== 4) throw new Error(`${path} has no epoch: it is damaged.`);
  return stored.readUInt32BE();
}

/** Writes the epoch inside the transaction under way. */
export function writeEpoch(database: MetaDatabase, epoch: number): void {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(epoch);
  void database.put(epochKey, bytes);
}

/** The decision of the last restore; `undefined` if the partition was never restored. */
export function readResend(database: MetaDatabase, path: string): ResendMode | undefined {
  const stored = database.getBinary(resendKey)?.toString();
  if (stored === undefined) return;
  const mode = resendModes.find((one) => one === stored);
  if (mode === undefined)
    throw new Error(`${path} was restored in a way this program does not support: ${stored}.`);
  return mode;
}

/** Writes the decision inside the transaction under way. */
export function writeResend(database: MetaDatabase, mode: ResendMode): void {
  void database.put(resendKey, Buffer.from(mode));
}

// A partition's epoch and fixed description, as JSON for any tool. Checks the format first.

import type { Database } from 'lmdb';
import type { Millis } from '../engine/base/brand.ts';
import { CannotOpen } from './kinds.ts';

/** The format this program writes and the newest it reads. 2: its meta tells the kinds it uses. */
export const storageFormat = 2;

/** Fixed when the partition is made. */
export interface PartitionMeta {
  readonly format: number;
  readonly partition: number;
  readonly partitions: number;
  readonly createdMs: Millis;
}

/**
 * A restore's choice for sends pending or in flight at the backup's cut: `all` and `transactional`
 * send them (others do not exist yet), `none` fails them with unknown outcome.
 */
export type ResendMode = (typeof resendModes)[number];
export const resendModes = ['none', 'transactional', 'all'] as const;

type MetaDatabase = Database<Buffer, Uint8Array>;

const descriptionKey = Buffer.from('partition');
const epochKey = Buffer.from('epoch');
const resendKey = Buffer.from('resend');
const placeKey = Buffer.from('place');

/** `undefined` while a partition is being made. */
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
    throw new CannotOpen(`${path} has a description file that cannot be read: it is damaged.`);
  return { format, partition, partitions, createdMs };
}

export function writeMeta(database: MetaDatabase, meta: PartitionMeta): void {
  void database.put(descriptionKey, Buffer.from(JSON.stringify(meta)));
}

/** Throws one sentence for files of another place or a newer program. */
export function assertOpenable(
  meta: PartitionMeta,
  expected: { readonly partition: number; readonly partitions: number },
  path: string,
): void {
  if (meta.format > storageFormat)
    throw new CannotOpen(
      `${path} has storage format ${meta.format} and this program reads up to ${storageFormat}: start the newer program, or restore the backup from before the upgrade.`,
    );
  if (meta.partitions !== expected.partitions)
    throw new CannotOpen(
      `${path} was created with ${meta.partitions} partitions, not ${expected.partitions}: the number of partitions is fixed when a data directory is created.`,
    );
  if (meta.partition !== expected.partition)
    throw new CannotOpen(
      `${path} holds partition ${meta.partition}, not ${expected.partition}: its files were moved.`,
    );
}

/** 1, plus one per restore. */
export function readEpoch(database: MetaDatabase, path: string): number {
  const stored = database.getBinary(epochKey);
  if (stored?.length !== 4) throw new CannotOpen(`${path} has no epoch: it is damaged.`);
  return stored.readUInt32BE();
}

/** Inside the open transaction. */
export function writeEpoch(database: MetaDatabase, epoch: number): void {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(epoch);
  void database.put(epochKey, bytes);
}

/** The last restore's choice; `undefined` without one. */
export function readResend(database: MetaDatabase, path: string): ResendMode | undefined {
  const stored = database.getBinary(resendKey)?.toString();
  if (stored === undefined) return;
  const mode = resendModes.find((one) => one === stored);
  if (mode === undefined)
    throw new CannotOpen(`${path} was restored in a way this program does not support: ${stored}.`);
  return mode;
}

/** Inside the open transaction. */
export function writeResend(database: MetaDatabase, mode: ResendMode): void {
  void database.put(resendKey, Buffer.from(mode));
}

/** Where a log that machines share has the newest turn (`engine/log/place.ts`). */
export function readPlace(database: MetaDatabase): Uint8Array | undefined {
  return database.getBinary(placeKey);
}

/** Inside the open batch. */
export function writePlace(database: MetaDatabase, place: Uint8Array): void {
  void database.put(placeKey, Buffer.from(place));
}

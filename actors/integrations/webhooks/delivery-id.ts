// Where a delivery lies, and its id, which says so: no index is needed to find it. The same id
// stays through all attempts and retries; receivers dedupe by it.

import type { KeyPart } from '../../../engine/actor/message.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { formatId, parseId } from '../../../engine/base/id.ts';

/** Events in a chunk, so that a place fits a byte. */
export const chunkEventsMax = 256;
/** Numbers of chunks are counted up to here and begin again; instants tell equal ones apart. */
export const chunkNumbers = 2 ** 24;

export interface ChunkName {
  readonly atMs: Millis;
  readonly chunk: number;
}

export interface DeliveryName extends ChunkName {
  readonly destination: number;
  /** Of its event in the chunk. */
  readonly place: number;
}

/** A place in the lines of all destinations, as in the keys of dues. */
export type DuePlace = readonly [destination: number, dueMs: Millis, atMs: Millis, chunk: number];

export function deliveryId(owner: Ordinal, name: DeliveryName): string {
  const { atMs, chunk, destination, place } = name;
  const low32 = (chunk * chunkEventsMax + place) >>> 0;
  return formatId('whd', { ordinal: owner, atMs, high16: destination, low32 });
}

/** `undefined` for what is no delivery's id of this app. */
export function parseDeliveryId(owner: Ordinal, id: string): DeliveryName | undefined {
  const parts = parseId('whd', id);
  if (parts === undefined || parts.ordinal !== owner) return undefined;
  return {
    atMs: parts.atMs,
    chunk: Math.floor(parts.low32 / chunkEventsMax),
    destination: parts.high16,
    place: parts.low32 % chunkEventsMax,
  };
}

export function chunkKey({ atMs, chunk }: ChunkName): readonly KeyPart[] {
  return [atMs, chunk];
}

export function deliveriesKey({ atMs, chunk, destination }: Omit<DeliveryName, 'place'>) {
  return [atMs, chunk, destination] as const;
}

export function triesKey({ atMs, chunk, destination, place }: DeliveryName) {
  return [atMs, chunk, destination, place] as const;
}

export function dueKey(
  { atMs, chunk, destination }: Omit<DeliveryName, 'place'>,
  dueMs: Millis,
): readonly KeyPart[] {
  return [destination, dueMs, atMs, chunk];
}

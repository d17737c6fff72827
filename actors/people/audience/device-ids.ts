// Device ids of one app as columns: twelve bytes hold what of each is its own, when it was made and
// chance. The rest of an id is the app, which a wave says once.

import type { Ordinal } from '../../../engine/base/brand.ts';
import { formatId, parseId } from '../../../engine/base/id.ts';

export const deviceIdBytes = 12;

/** Writes what of an id is its own; nothing for a text that is no device's id. */
export function writeDeviceId(deviceId: string, into: Uint8Array, at: number): void {
  const parts = parseId('dev', deviceId);
  if (parts === undefined) return;
  const { atMs, high16, low32 } = parts;
  write(into, at, Math.floor(atMs / 4294967296), 2);
  write(into, at + 2, atMs >>> 0, 4);
  write(into, at + 6, high16, 2);
  write(into, at + 8, low32, 4);
}

/** Big-endian. A DataView for each row would cost more than the writing. */
function write(into: Uint8Array, at: number, value: number, bytes: 2 | 4): void {
  let next = at;
  if (bytes === 4) {
    into[next++] = value >>> 24;
    into[next++] = value >>> 16;
  }
  into[next++] = value >>> 8;
  into[next] = value;
}

/** The id at a row of a column; empty where none was written. */
export function readDeviceId(app: Ordinal, from: Uint8Array, row: number): string {
  const view = new DataView(from.buffer, from.byteOffset + row * deviceIdBytes, deviceIdBytes);
  const atMs = view.getUint16(0) * 4294967296 + view.getUint32(2);
  const high16 = view.getUint16(6);
  const low32 = view.getUint32(8);
  return atMs === 0 ? '' : formatId('dev', { ordinal: app, atMs, high16, low32 });
}

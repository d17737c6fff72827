// Device ids of one app in twelve bytes each: creation time and random bits. The app is implied.

import type { Ordinal } from '../../../engine/base/brand.ts';
import { formatId, parseId } from '../../../engine/base/id.ts';

export const deviceIdBytes = 12;

/** Writes nothing for a text that is no device id. */
export function writeDeviceId(deviceId: string, into: Uint8Array, at: number): void {
  const parts = parseId('dev', deviceId);
  if (parts === undefined) return;
  const { atMs, high16, low32 } = parts;
  write(into, at, Math.floor(atMs / 4294967296), 2);
  write(into, at + 2, atMs >>> 0, 4);
  write(into, at + 6, high16, 2);
  write(into, at + 8, low32, 4);
}

/** Big-endian. A DataView per row would cost more than the writing. */
function write(into: Uint8Array, at: number, value: number, bytes: 2 | 4): void {
  let next = at;
  if (bytes === 4) {
    into[next++] = value >>> 24;
    into[next++] = value >>> 16;
  }
  into[next++] = value >>> 8;
  into[next] = value;
}

/** The id at a row; empty if none was written. */
export function readDeviceId(app: Ordinal, from: Uint8Array, row: number): string {
  const view = new DataView(from.buffer, from.byteOffset + row * deviceIdBytes, deviceIdBytes);
  const atMs = view.getUint16(0) * 4294967296 + view.getUint32(2);
  const high16 = view.getUint16(6);
  const low32 = view.getUint32(8);
  return atMs === 0 ? '' : formatId('dev', { ordinal: app, atMs, high16, low32 });
}

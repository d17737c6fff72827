// Device ids of one app as columns: twelve bytes hold what of each is its own, when it was made and chance. The rest of an id
// is the app, which a wave says once.

import type { Ordinal } from '../../engine/base/brand.ts';
import { formatId, parseId } from '../../engine/base/id.ts';

export const deviceIdBytes = 12;

/** Writes what of an id is its own; nothing for a text that is no device's id. */
export function writeDeviceId(deviceId: string, into: Uint8Array, at: number): void {
  const parts = parseId('dev', deviceId);
  if (parts === undefined) return;
  const view = new DataView(into.buffer, into.byteOffset + at, deviceIdBytes);
  view.setUint16(0, Math.floor(parts.atMs / 4294967296));
  view.setUint32(2, parts.atMs >>> 0);
  view.setUint16(6, parts.high16);
  view.setUint32(8, parts.low32);
}

/** The id at a row of a column; empty where none was written. */
export function readDeviceId(app: Ordinal, from: Uint8Array, row: number): string {
  const view = new DataView(from.buffer, from.byteOffset + row * deviceIdBytes, deviceIdBytes);
  const atMs = view.getUint16(0) * 4294967296 + view.getUint32(2);
  const high16 = view.getUint16(6);
  const low32 = view.getUint32(8);
  return atMs === 0 ? '' : formatId('dev', { ordinal: app, atMs, high16, low32 });
}

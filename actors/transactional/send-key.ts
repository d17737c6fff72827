// The key of a send's row: its id's 128 bits, so that rows lie in order of acceptance and a sweep of old ones is one
// range. A timer names a send by the same bits.

import type { TimerRef } from '../../engine/actor/machine.ts';
import type { Ordinal } from '../../engine/base/brand.ts';
import { formatId, type IdParts, type IdPrefix, parseId } from '../../engine/base/id.ts';

/** The row key of a send, or `undefined` when the text is no send id of this app. */
export function sendKey(app: Ordinal, id: string): readonly [Uint8Array] | undefined {
  const parts = parseId('ntf', id);
  return parts === undefined || parts.ordinal !== app ? undefined : [keyBytes(parts)];
}

/** The smallest key of a send accepted at or after `atMs`. */
export function sendKeyFrom(app: Ordinal, atMs: number): readonly [Uint8Array] {
  return [keyBytes({ ordinal: app, atMs: Math.max(0, atMs), high16: 0, low32: 0 })];
}

/** How a timer names a send. */
export function sendRef(id: string): TimerRef {
  return idRef('ntf', id);
}

/** The send that a timer names. */
export function sendOfRef(ref: TimerRef): string {
  return idOfRef('ntf', ref);
}

/** How a timer names anything by its id. */
export function idRef(prefix: IdPrefix, id: string): TimerRef {
  const parts = parseId(prefix, id);
  if (parts === undefined) return [0, 0, 0, 0];
  return [
    parts.ordinal,
    Math.floor(parts.atMs / 65536) >>> 0,
    (((parts.atMs % 65536) << 16) | parts.high16) >>> 0,
    parts.low32,
  ];
}

/** The id that a timer names. */
export function idOfRef(prefix: IdPrefix, [ordinal, high, middle, low32]: TimerRef): string {
  return formatId(prefix, {
    ordinal,
    atMs: high * 65536 + (middle >>> 16),
    high16: middle & 0xffff,
    low32,
  });
}

function keyBytes(parts: IdParts): Uint8Array {
  const bytes = Buffer.allocUnsafe(16);
  bytes.writeUInt32BE(parts.ordinal, 0);
  bytes.writeUIntBE(parts.atMs, 4, 6);
  bytes.writeUInt16BE(parts.high16, 10);
  bytes.writeUInt32BE(parts.low32, 12);
  return bytes;
}

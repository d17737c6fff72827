// The key of a send's row is its id's 128 bits: rows lie in order of acceptance, and retention is
// one range. Timers name a send by the same bits.

import type { TimerRef } from '../../../engine/actor/machine.ts';
import type { KeyPart } from '../../../engine/actor/message.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { formatId, type IdParts, type IdPrefix, parseId } from '../../../engine/base/id.ts';

/** `undefined` if the text is no send id of this app. */
export function sendKey(app: Ordinal, id: string): readonly [Uint8Array] | undefined {
  const parts = parseId('ntf', id);
  return parts === undefined || parts.ordinal !== app ? undefined : [keyOfParts(parts)];
}

/** The smallest key of a send accepted at or after `atMs`. */
export function sendKeyFrom(app: Ordinal, atMs: number): readonly [Uint8Array] {
  return [keyOfParts({ ordinal: app, atMs: Math.max(0, atMs), high16: 0, low32: 0 })];
}

export function partsOfKey([bytes]: readonly KeyPart[]): IdParts {
  const key = Buffer.from(bytes as Uint8Array);
  return {
    ordinal: key.readUInt32BE(0),
    atMs: key.readUIntBE(4, 6),
    high16: key.readUInt16BE(10),
    low32: key.readUInt32BE(12),
  };
}

export function sendRef(id: string): TimerRef {
  return idRef('ntf', id);
}

export function sendOfRef(ref: TimerRef): string {
  return idOfRef('ntf', ref);
}

export function idRef(prefix: IdPrefix, id: string): TimerRef {
  const parts = parseId(prefix, id);
  return parts === undefined ? [0, 0, 0, 0] : refOfParts(parts);
}

export function refOfParts({ ordinal, atMs, high16, low32 }: IdParts): TimerRef {
  const high = Math.floor(atMs / 65536) >>> 0;
  return [ordinal, high, (((atMs % 65536) << 16) | high16) >>> 0, low32];
}

export function idOfRef(prefix: IdPrefix, ref: TimerRef): string {
  return formatId(prefix, partsOfRef(ref));
}

export function partsOfRef([ordinal, high, middle, low32]: TimerRef): IdParts {
  return { ordinal, atMs: high * 65536 + (middle >>> 16), high16: middle & 0xffff, low32 };
}

export function keyOfParts(parts: IdParts): Uint8Array {
  const bytes = Buffer.allocUnsafe(16);
  bytes.writeUInt32BE(parts.ordinal, 0);
  bytes.writeUIntBE(parts.atMs, 4, 6);
  bytes.writeUInt16BE(parts.high16, 10);
  bytes.writeUInt32BE(parts.low32, 12);
  return bytes;
}

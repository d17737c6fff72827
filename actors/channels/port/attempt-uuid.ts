// The UUID that identifies one send to one device at a provider. Every attempt has the same one, so
// a repeat is not delivered twice. Callbacks name only this UUID, so the send's id can be read back
// from it; the app comes from the callback's URL. Pure.

import { createHash } from 'node:crypto';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { formatId, parseId } from '../../../engine/base/id.ts';

/** Of the UUID's 122 free bits, 42 count milliseconds until the year 2109. */
const timeBits = 42n;

/**
 * 42 bits of the send's time, the last 48 bits of its id, and a 32-bit hash of send and device, as
 * version 4, which every provider accepts. Foreign ids are only hashed.
 */
export function attemptUuid(sendId: string, deviceId: string): string {
  const hash = createHash('sha256').update(`${sendId} ${deviceId}`).digest();
  const send = parseId('ntf', sendId);
  if (send === undefined || send.atMs >= 2 ** Number(timeBits)) {
    return uuidOf(hash.readBigUInt64BE(0) | ((hash.readBigUInt64BE(8) >> 6n) << 64n));
  }
  const ofSend = (BigInt(send.atMs) << 48n) | (BigInt(send.high16) << 32n) | BigInt(send.low32);
  return uuidOf((ofSend << 32n) | BigInt(hash.readUInt32BE(0)));
}

/** The app's send in the UUID, or `undefined`. To find the device, compare each one's UUID. */
export function sendOfUuid(uuid: string, app: Ordinal): string | undefined {
  const [, first, second, third] =
    /^([0-9a-f]{8}-[0-9a-f]{4})-4([0-9a-f]{3})-([89ab][0-9a-f]{3}-[0-9a-f]{12})$/i.exec(uuid) ?? [];
  if (first === undefined || second === undefined || third === undefined) return undefined;
  const low = BigInt(`0x${third.replace('-', '')}`) & lowMask;
  const value = (BigInt(`0x${first.replace('-', '')}${second}`) << 62n) | low;
  return formatId('ntf', {
    ordinal: app,
    atMs: Number(value >> 80n),
    high16: Number((value >> 64n) & 0xffffn),
    low32: Number((value >> 32n) & 0xffff_ffffn),
  });
}

const lowMask = (1n << 62n) - 1n;

/** 122 bits as a UUID of version 4. */
function uuidOf(value: bigint): string {
  const high = (value >> 62n).toString(16).padStart(15, '0');
  const low = ((value & lowMask) | (1n << 63n)).toString(16);
  return `${high.slice(0, 8)}-${high.slice(8, 12)}-4${high.slice(12)}-${low.slice(0, 4)}-${low.slice(4)}`;
}

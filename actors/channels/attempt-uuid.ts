// The UUID under which a provider knows one send to one device: the same for every try, so that
// what was already taken is not delivered again, and another for each of a person's devices, since
// providers ask for uniqueness over all of an account. Pure. Easily got wrong: it can be read back.
// A provider's callback names nothing else, and with the app at hand (which the callback's address
// names) it leads to the send without a table of ids.

import { createHash } from 'node:crypto';
import type { Ordinal } from '../../engine/base/brand.ts';
import { formatId, parseId } from '../../engine/base/id.ts';

/** A UUID has 122 bits to give away. 42 of them count milliseconds until the year 2109. */
const timeBits = 42n;

/**
 * 42 bits of the send's time, its last 48 bits, and 32 of a hash over send and device, marked as
 * version 4, which every provider takes. Of ids that are not of our making it is a hash alone.
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

/**
 * The send of this app that the UUID was made of; `undefined` for what is no UUID. Its device is
 * found by trying each.
 */
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

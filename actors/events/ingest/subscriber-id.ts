// Reads a `sub_…` id from bytes into its row's columns, without a string. A test compares it with
// `parseId('sub', …)` of engine/base/id.ts, which the slow path uses.

import type { EventRows } from '../log/event-rows.ts';
import { spells } from './json-bytes.ts';

const prefix = Buffer.from('sub_');
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const digits = 26;
const digitOf = new Int8Array(256).fill(-1);
for (let i = 0; i < 32; i++) digitOf[alphabet.charCodeAt(i)] = i;

export const subscriberIdBytes = prefix.length + digits;

/** `false` for anything but an id of this app. */
export function readSubscriberId(
  bytes: Uint8Array,
  start: number,
  appOrdinal: number,
  row: number,
  out: EventRows,
): boolean {
  if (!spells(bytes, start, prefix)) return false;
  const first = start + prefix.length;
  // 26 digits of 5 bits for 128: the top two bits must be zero, so the first is below 8.
  if ((digitOf[bytes[first] as number] as number) > 7) return false;
  let ordinal = 0;
  let createdMs = 0;
  let high16 = 0;
  let person = 0;
  let bitsLeft = 130;
  for (let i = first; i < first + digits; i++) {
    const digit = digitOf[bytes[i] as number] as number;
    if (digit < 0) return false;
    bitsLeft -= 5;
    // Digits at 95, 45 and 30 span two parts.
    if (bitsLeft >= 96) ordinal = ordinal * 32 + digit;
    else if (bitsLeft === 95) {
      ordinal = ordinal * 16 + (digit >>> 1);
      createdMs = digit & 1;
    } else if (bitsLeft >= 50) createdMs = createdMs * 32 + digit;
    else if (bitsLeft === 45) {
      createdMs = createdMs * 4 + (digit >>> 3);
      high16 = digit & 7;
    } else if (bitsLeft >= 35) high16 = high16 * 32 + digit;
    else if (bitsLeft === 30) {
      high16 = high16 * 8 + (digit >>> 2);
      person = digit & 3;
    } else person = person * 32 + digit;
  }
  if (ordinal !== appOrdinal) return false;
  out.person[row] = person;
  out.personHigh16[row] = high16;
  out.personCreatedMs[row] = createdMs;
  return true;
}

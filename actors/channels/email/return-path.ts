// Addresses of our own that say which mail something is about: where a bounce goes (the envelope sender of every mail, VERP)
// and where an opt-out by mail goes. Signed, so that whoever runs the listener can refuse every other address unread. Pure.
// Easily got wrong: a local part has 64 octets at most (RFC 5321, 4.5.3.1.1) and mail servers may change its case. Two whole
// ids and a signature take more than that, so it is written in 36 letters of base32, of these 180 bits:
//
//   app 32 | send: time 42, the rest of its id 48 | person 32 | device: the last 26 bits of its id
//
// a dot, and 16 letters of an HMAC-SHA256 over purpose and letters. A device is one of at most fifty of a person's own, so
// 26 random bits tell it apart.

import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import { formatId, parseId } from '../../../engine/base/id.ts';

/** What such an address is for; it begins with that. */
export const returnPurposes = ['bounce', 'unsub'] as const;
export type ReturnPurpose = (typeof returnPurposes)[number];

/** The mail that an address is about. */
export interface ReturnedMail {
  readonly app: Ordinal;
  readonly sendId: string;
  readonly person: PersonOrdinal;
  /** The last 26 bits of the device's id. */
  readonly deviceMark: number;
}

const digits = '0123456789abcdefghjkmnpqrstvwxyz';
const textLetters = 36;
const macLetters = 16;
const timeBits = 42n;
const markBits = 26;

/** `bounce+….…@<domain>`; `undefined` for ids that are not of our making, as a preview's. */
export function returnAddress(
  purpose: ReturnPurpose,
  mail: { readonly sendId: string; readonly deviceId: string; readonly person: PersonOrdinal },
  domain: string,
  key: KeyObject | Uint8Array,
): string | undefined {
  const send = parseId('ntf', mail.sendId);
  const deviceMark = markOfDevice(mail.deviceId);
  if (send === undefined || deviceMark === undefined) return undefined;
  if (send.atMs >= 2 ** Number(timeBits)) return undefined;
  let bits = (BigInt(send.ordinal) << timeBits) | BigInt(send.atMs);
  bits = (bits << 48n) | (BigInt(send.high16) << 32n) | BigInt(send.low32);
  bits = (bits << 32n) | BigInt(mail.person);
  bits = (bits << BigInt(markBits)) | BigInt(deviceMark);
  const text = lettersOf(bits, textLetters);
  return `${purpose}+${text}.${macOf(purpose, text, key)}@${domain}`;
}

/** What an address of this domain says; `undefined` for one that we did not make. Any of the keys may have signed it. */
export function readReturnAddress(
  address: string,
  domain: string,
  keys: readonly Uint8Array[],
): (ReturnedMail & { readonly purpose: ReturnPurpose }) | undefined {
  const lower = address.toLowerCase();
  if (!lower.endsWith(`@${domain.toLowerCase()}`)) return undefined;
  const local = lower.slice(0, -domain.length - 1);
  const [, name = '', text = '', mac = ''] = form.exec(local) ?? [];
  const purpose = returnPurposes.find((one) => one === name);
  if (purpose === undefined) return undefined;
  const given = Buffer.from(mac);
  const isOurs = keys.some((key) => timingSafeEqual(given, Buffer.from(macOf(purpose, text, key))));
  return isOurs ? { purpose, ...mailOf(bitsOf(text)) } : undefined;
}

/** The part of a device's id that stands in an address. */
export function markOfDevice(deviceId: string): number | undefined {
  const parts = parseId('dev', deviceId);
  return parts === undefined ? undefined : parts.low32 & (2 ** markBits - 1);
}

const letter = `[${digits}]`;
const form = new RegExp(`^([a-z]+)\\+(${letter}{${textLetters}})\\.(${letter}{${macLetters}})$`);

function mailOf(bits: bigint): ReturnedMail {
  const take = (from: number, count: number) =>
    Number((bits >> BigInt(from)) & ((1n << BigInt(count)) - 1n));
  const app = take(148, 32);
  const sendId = formatId('ntf', {
    ordinal: app,
    atMs: take(106, Number(timeBits)),
    high16: take(90, 16),
    low32: take(58, 32),
  });
  return { app, sendId, person: take(26, 32), deviceMark: take(0, markBits) };
}

function macOf(purpose: ReturnPurpose, text: string, key: KeyObject | Uint8Array): string {
  const mac = createHmac('sha256', key).update(`${purpose}+${text}`).digest();
  return lettersOf((mac.readBigUInt64BE(0) << 16n) | BigInt(mac.readUInt16BE(8)), macLetters);
}

function lettersOf(bits: bigint, count: number): string {
  let text = '';
  for (let i = count - 1; i >= 0; i--) text += digits[Number((bits >> BigInt(5 * i)) & 31n)];
  return text;
}

function bitsOf(text: string): bigint {
  let bits = 0n;
  for (const one of text) bits = (bits << 5n) | BigInt(digits.indexOf(one));
  return bits;
}

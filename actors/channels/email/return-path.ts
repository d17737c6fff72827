// Signed addresses that identify a mail: the envelope sender (VERP) and the opt-out address. The
// listener refuses others unread. Pure. A local part has at most 64 octets (RFC 5321 4.5.3.1.1)
// and may change case, so 36 base32 letters hold these 180 bits:
//   app 32 | send: time 42, the rest of its id 48 | person 32 | device: the last 26 bits of its id
// then a dot, and 16 letters of an HMAC-SHA256 over purpose and letters. A person has at most fifty
// devices, so 26 random bits identify one.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import { type HmacSha256, hmacRoomBytes } from '../../../engine/base/hmac.ts';
import { formatId, parseId } from '../../../engine/base/id.ts';

/** `marketing` opts out as the link of a marketing mail does, `unsub` as that of any other. */
const returnPurposes = ['bounce', 'unsub', 'marketing'] as const;
type ReturnPurpose = (typeof returnPurposes)[number];

interface ReturnAddresses {
  readonly bounce: string;
  readonly unsub: string;
}

export interface ReturnedMail {
  readonly app: Ordinal;
  readonly sendId: string;
  readonly person: PersonOrdinal;
  readonly deviceMark: number;
}

const digits = '0123456789abcdefghjkmnpqrstvwxyz';
const textLetters = 36;
const macBytes = 10;
const macLetters = 16;
const timeBits = 42;
const markBits = 26;

/** One mail's addresses, `bounce+….…@<domain>`; `undefined` for foreign ids, as in a preview. */
export function returnAddresses(
  mail: { readonly sendId: string; readonly deviceId: string; readonly person: PersonOrdinal },
  domain: string,
  mac: HmacSha256,
  unsub: Exclude<ReturnPurpose, 'bounce'> = 'unsub',
): ReturnAddresses | undefined {
  const send = parseId('ntf', mail.sendId);
  const deviceMark = markOfDevice(mail.deviceId);
  if (send === undefined || deviceMark === undefined || send.atMs >= 2 ** timeBits)
    return undefined;
  const letters = new Letters();
  letters.push32(send.ordinal);
  letters.push(Math.floor(send.atMs / 2 ** 26), timeBits - 26);
  letters.push(send.atMs % 2 ** 26, 26);
  letters.push(send.high16, 16);
  letters.push32(send.low32);
  letters.push32(mail.person);
  letters.push(deviceMark, markBits);
  const { text } = letters;
  const addressFor = (purpose: ReturnPurpose) =>
    `${purpose}+${text}.${macOf(purpose, text, mac)}@${domain}`;
  return { bounce: addressFor('bounce'), unsub: addressFor(unsub) };
}

/** What an address of this domain identifies; `undefined` if not ours. Any key may have signed. */
export function readReturnAddress(
  address: string,
  domain: string,
  macs: readonly HmacSha256[],
): (ReturnedMail & { readonly purpose: ReturnPurpose }) | undefined {
  const lower = address.toLowerCase();
  if (!lower.endsWith(`@${domain.toLowerCase()}`)) return undefined;
  const local = lower.slice(0, -domain.length - 1);
  const [, name = '', text = '', mac = ''] = form.exec(local) ?? [];
  const purpose = returnPurposes.find((one) => one === name);
  if (purpose === undefined) return undefined;
  return isSigned(purpose, text, mac, macs) ? { purpose, ...mailOf(bitsOf(text)) } : undefined;
}

/**
 * 36 letters by which an address is known where only its hash may be: its mails of the platform,
 * and whether it wants none. Spellings that differ by case alone are one address.
 */
export function mailHash(address: string): string {
  const digest = createHash('sha256').update(address.toLowerCase()).digest();
  const letters = new Letters();
  for (const byte of digest.subarray(0, 23)) letters.push(byte, 8);
  return letters.text.slice(0, textLetters);
}

const platformPurpose = 'platform';

/** The envelope sender of a mail of the platform: what comes back names its recipient's hash. */
export function platformReturn(hash: string, domain: string, mac: HmacSha256): string {
  return `${platformPurpose}+${hash}.${macOf(platformPurpose, hash, mac)}@${domain}`;
}

/** The hash in such an address; `undefined` if not ours. */
export function readPlatformReturn(
  address: string,
  domain: string,
  macs: readonly HmacSha256[],
): string | undefined {
  return signedText(platformPurpose, address, domain, macs);
}

const dmarcPurpose = 'dmarc';

/** 36 letters by which reports about a sender domain of an app are known. */
export function dmarcMark(app: Ordinal, domain: string): string {
  const digest = createHash('sha256').update(domain.toLowerCase()).digest();
  const letters = new Letters();
  letters.push32(app);
  for (const byte of digest.subarray(0, 19)) letters.push(byte, 8);
  return letters.text.slice(0, textLetters);
}

/** Where receivers send their reports about a sender domain. Everybody can read it in the DNS. */
export function dmarcAddress(
  app: Ordinal,
  domain: string,
  bounceDomain: string,
  mac: HmacSha256,
): string {
  const mark = dmarcMark(app, domain);
  return `${dmarcPurpose}+${mark}.${macOf(dmarcPurpose, mark, mac)}@${bounceDomain}`;
}

/** The app and the mark in such an address; `undefined` if not ours. */
export function readDmarcAddress(
  address: string,
  domain: string,
  macs: readonly HmacSha256[],
): { readonly app: Ordinal; readonly mark: string } | undefined {
  const mark = signedText(dmarcPurpose, address, domain, macs);
  return mark === undefined ? undefined : { app: Number(bitsOf(mark) >> 148n), mark };
}

/** The letters of an address of this purpose and domain; `undefined` if not ours. */
function signedText(
  purpose: string,
  address: string,
  domain: string,
  macs: readonly HmacSha256[],
): string | undefined {
  const lower = address.toLowerCase();
  if (!lower.endsWith(`@${domain.toLowerCase()}`)) return undefined;
  const [, name = '', text = '', mac = ''] = form.exec(lower.slice(0, -domain.length - 1)) ?? [];
  if (name !== purpose) return undefined;
  return isSigned(purpose, text, mac, macs) ? text : undefined;
}

function isSigned(
  purpose: string,
  text: string,
  mac: string,
  macs: readonly HmacSha256[],
): boolean {
  const given = Buffer.from(mac);
  return macs.some((one) => timingSafeEqual(given, Buffer.from(macOf(purpose, text, one))));
}

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
    atMs: take(106, timeBits),
    high16: take(90, 16),
    low32: take(58, 32),
  });
  return { app, sendId, person: take(26, 32), deviceMark: take(0, markBits) };
}

function macOf(purpose: string, text: string, mac: HmacSha256): string {
  const room = Buffer.alloc(hmacRoomBytes + purpose.length + 1 + text.length);
  room.write(`${purpose}+${text}`, hmacRoomBytes, 'latin1');
  const signature = mac.sign(room);
  const letters = new Letters();
  for (let i = 0; i < macBytes; i++) letters.push(signature.charCodeAt(i), 8);
  return letters.text;
}

/** Bits as letters of five bits each; leftover bits are lost. */
class Letters {
  readonly #codes: number[] = [];
  #bits = 0;
  #count = 0;

  get text(): string {
    return String.fromCharCode(...this.#codes);
  }

  /** `value` has at most 26 bits. */
  push(value: number, count: number): void {
    // At most 4 bits are left from the last call.
    let bits = (this.#bits << count) | value;
    let left = this.#count + count;
    while (left >= 5) {
      left -= 5;
      this.#codes.push(codes[bits >>> left] as number);
      bits &= (1 << left) - 1;
    }
    this.#bits = bits;
    this.#count = left;
  }

  push32(value: number): void {
    this.push(value >>> 16, 16);
    this.push(value & 0xffff, 16);
  }
}

const codes = [...digits].map((digit) => digit.charCodeAt(0));

function bitsOf(text: string): bigint {
  let bits = 0n;
  for (const one of text) bits = (bits << 5n) | BigInt(digits.indexOf(one));
  return bits;
}

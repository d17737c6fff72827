// The form of every kind of address a device can have, and the one form each is kept in. Pure and
// linear in time: lengths are capped first and no expression backtracks, because anyone with an app
// id can register a device. A problem text finishes the sentence "endpoint: …". Easily got wrong:
// an email's local part keeps its case for sending, while two addresses that differ only by case
// are the same one (`ignoresCase` in the catalogue).

import { ECDH } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** An address in its normal form, or why it is none. */
export type Checked = { readonly value: string } | { readonly problem: string };

/** The longest email address (RFC 5321 4.5.3.1.3 less the angle brackets), in bytes. */
export const emailBytesMax = 254;
/** The longest push token or subscription address that is kept, in bytes. */
export const tokenBytesMax = 4096;

/**
 * A phone number in E.164: `+` and 7 to 15 digits. Spaces, dashes, dots and brackets between digits
 * are dropped. Without a leading `+` it is refused, for nobody can know its country. "Possible"
 * means that the length fits the country's numbering plan; whether the range is in use is not
 * asked, since new ranges appear before any metadata knows them.
 */
export function phoneNumber(raw: string): Checked {
  const problem = 'must be a phone number in E.164 form, such as +14155550123';
  if (raw.length > 64) return { problem };
  const text = raw.replace(/[ \-.()\u00a0]/g, '');
  if (!/^\+[1-9]\d{1,14}$/.test(text)) return { problem };
  const parsed = parsePhoneNumberFromString(text);
  if (!parsed?.isPossible()) return { problem: 'is not a possible phone number of its country' };
  return { value: parsed.number };
}

/**
 * A number in E.164 as it is dialled at home: its country's calling code, and its digits there
 * without the prefix of trunk calls. `undefined` for what is no number.
 */
export function nationalNumber(
  e164: string,
): { readonly country: string; readonly digits: string } | undefined {
  const parsed = parsePhoneNumberFromString(e164);
  if (parsed === undefined) return undefined;
  return { country: parsed.countryCallingCode, digits: parsed.nationalNumber };
}

/**
 * An email address: a dot-atom, `@`, and a name of at least two labels. The name comes back in
 * lower case and punycode; the local part as written. Quoted local parts, address literals and
 * local parts outside ASCII (SMTPUTF8) are refused: hardly any mailbox has one and every injection
 * uses one. Source: RFC 5321 4.1.2, 4.5.3.1.
 */
export function emailAddress(raw: string): Checked {
  const problem = 'must be an email address, such as person@example.com';
  if (raw.length > 1024) return { problem };
  const text = raw.trim();
  const at = text.lastIndexOf('@');
  if (at < 1 || at > 64) return { problem };
  const local = text.slice(0, at);
  if (!/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+$/.test(local)) return { problem };
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) return { problem };
  const domain = hostName(text.slice(at + 1));
  if (domain === undefined) return { problem };
  const value = `${local}@${domain}`;
  return value.length > emailBytesMax ? { problem } : { value };
}

/**
 * An APNs device token: 64 to 200 hexadecimal digits, an even number of them; kept in lower case.
 */
export function apnsToken(raw: string): Checked {
  if (raw.length % 2 !== 0 || !/^[0-9a-f]{64,200}$/i.test(raw)) {
    return { problem: 'must be an APNs device token: 64 to 200 hexadecimal digits' };
  }
  return { value: raw.toLowerCase() };
}

/**
 * An FCM registration token: opaque, printable ASCII without spaces. Its structure is Google's to
 * change.
 */
export function fcmToken(raw: string): Checked {
  if (raw.length > tokenBytesMax) {
    return { problem: `must be an FCM registration token of at most ${tokenBytesMax} characters` };
  }
  if (!/^[\x21-\x7e]+$/.test(raw)) {
    return { problem: 'must be an FCM registration token: printable ASCII without spaces' };
  }
  return { value: raw };
}

/**
 * A Telegram chat: a signed 64-bit number without leading zeros (groups are negative), or `@name`
 * of 5 to 32 letters.
 */
export function telegramChat(raw: string): Checked {
  const problem = 'must be a Telegram chat id, such as 123456789, or a public @name';
  if (/^@[A-Za-z][A-Za-z0-9_]{4,31}$/.test(raw)) return { value: raw };
  if (!/^-?\d{1,19}$/.test(raw)) return { problem };
  const id = BigInt(raw);
  if (id === 0n || BigInt.asIntN(64, id) !== id) return { problem };
  return { value: id.toString() };
}

/** A LINE user, group or room: `U`, `C` or `R` and 32 lower-case hexadecimal digits. */
export function lineId(raw: string): Checked {
  if (!/^[UCR][0-9a-f]{32}$/.test(raw)) {
    return { problem: 'must be a LINE id: U, C or R and 32 lower-case hexadecimal digits' };
  }
  return { value: raw };
}

/** A Zalo user id: 1 to 20 digits. */
export function zaloId(raw: string): Checked {
  if (!/^\d{1,20}$/.test(raw)) return { problem: 'must be a Zalo user id: up to 20 digits' };
  return { value: raw };
}

/** A Viber user id: up to 64 printable characters without spaces; case matters. */
export function viberId(raw: string): Checked {
  if (!/^[\x21-\x7e]{1,64}$/.test(raw)) {
    return { problem: 'must be a Viber user id: up to 64 printable characters' };
  }
  return { value: raw };
}

/**
 * The address of a push service, in the form WHATWG URL gives it. `https`, or `http` for stand-ins;
 * whether `http` and private addresses may be *called* is the outbound client's business. No user,
 * password or fragment.
 */
export function pushServiceUrl(raw: string): Checked {
  const problem = 'must be the https address of a push service';
  if (raw.length > 2048 || !/^https?:\/\/[\x21-\x7e]+$/i.test(raw) || !URL.canParse(raw)) {
    return { problem };
  }
  const url = new URL(raw);
  if (url.username !== '' || url.password !== '' || url.hash !== '') return { problem };
  return { value: url.href };
}

/**
 * A browser's public key: the 65 bytes of an uncompressed P-256 point in base64url, on the curve.
 */
export function p256PublicKey(raw: string): Checked {
  const problem = 'must be an uncompressed P-256 public key in base64url (65 bytes)';
  const bytes = base64url(raw, 65);
  if (bytes?.[0] !== 4) return { problem };
  try {
    // the only check in node:crypto that the point is on the curve
    ECDH.convertKey(bytes, 'prime256v1');
  } catch {
    return { problem };
  }
  return { value: bytes.toString('base64url') };
}

/** A browser's authentication secret: 16 bytes in base64url. */
export function pushAuthSecret(raw: string): Checked {
  const bytes = base64url(raw, 16);
  if (bytes === undefined) return { problem: 'must be 16 bytes in base64url' };
  return { value: bytes.toString('base64url') };
}

/** Whether the text holds a control character (C0, DEL, C1) or a line or paragraph separator. */
export function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 32 || (code >= 127 && code < 160) || code === 0x2028 || code === 0x2029) return true;
  }
  return false;
}

/**
 * A DNS name of two or more labels in lower case and punycode, or `undefined`. Address literals are
 * none.
 */
function hostName(raw: string): string | undefined {
  if (raw.length > 253 || hasControlCharacter(raw) || /[\s[\]:/\\@%#?]/.test(raw)) return undefined;
  const name = domainToASCII(raw);
  const labels = name.split('.');
  if (name.length > 253 || labels.length < 2) return undefined;
  for (const label of labels) {
    if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label)) return undefined;
  }
  // A last label of digits alone is an IPv4 address in disguise.
  return /^\d+$/.test(labels[labels.length - 1] as string) ? undefined : name;
}

/**
 * Bytes of base64url (padding and the two other letters of plain base64 are forgiven), of exactly
 * this length.
 */
function base64url(raw: string, length: number): Buffer | undefined {
  if (raw.length > 256 || !/^[A-Za-z0-9_+/-]+={0,2}$/.test(raw)) return undefined;
  const bytes = Buffer.from(raw, 'base64url');
  return bytes.length === length ? bytes : undefined;
}

// Phone numbers, and what every kind of address is held to. Pure and linear in time: lengths are
// capped first and no expression backtracks, because anyone with an app id can register a device. A
// problem text finishes the sentence "endpoint: …".

import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** An address in its normal form, or why it is none. */
export type Checked = { readonly value: string } | { readonly problem: string };

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

/** Whether the text holds a control character (C0, DEL, C1) or a line or paragraph separator. */
export function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 32 || (code >= 127 && code < 160) || code === 0x2028 || code === 0x2029) return true;
  }
  return false;
}

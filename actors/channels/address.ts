// Phone numbers, and what all kinds of address have in common. Pure and linear in time: length
// limits come first and no expression backtracks, because anyone with an app id can register a
// device. A problem text completes the sentence "endpoint: …".

import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** An address in its normal form, or what is wrong with it. */
export type Checked = { readonly value: string } | { readonly problem: string };

/**
 * A phone number in E.164: `+` and 7 to 15 digits. Spaces, dashes, dots and brackets between digits
 * are removed. A number without a leading `+` is refused, because its country is unknown.
 * "Possible" means that the length fits the country's numbering plan. Whether the range is in use
 * is not checked, since new ranges appear before any metadata has them.
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

/** The calling code of a number in E.164, and its digits without the national trunk prefix. */
export function nationalNumber(
  e164: string,
): { readonly country: string; readonly digits: string } | undefined {
  const parsed = parsePhoneNumberFromString(e164);
  if (parsed === undefined) return undefined;
  return { country: parsed.countryCallingCode, digits: parsed.nationalNumber };
}

/** Whether the text contains a control character (C0, DEL, C1) or a line or paragraph separator. */
export function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 32 || (code >= 127 && code < 160) || code === 0x2028 || code === 0x2029) return true;
  }
  return false;
}

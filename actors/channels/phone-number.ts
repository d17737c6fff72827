// Phone numbers. In a file of their own, so that the primary and the front do not load the metadata
// of all numbering plans.

import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { Checked } from './address.ts';

/**
 * A phone number in E.164: `+` and 7 to 15 digits. Removes spaces, dashes, dots and brackets.
 * Refuses a number without `+`, whose country is unknown. Checks the length against the numbering
 * plan, but not whether the range is in use: new ranges precede any metadata.
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

/** The calling code of an E.164 number, and its digits without the national trunk prefix. */
export function nationalNumber(
  e164: string,
): { readonly country: string; readonly digits: string } | undefined {
  const parsed = parsePhoneNumberFromString(e164);
  if (parsed === undefined) return undefined;
  return { country: parsed.countryCallingCode, digits: parsed.nationalNumber };
}

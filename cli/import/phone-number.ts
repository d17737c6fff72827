// A legacy export's phone number in E.164. Exports omit `+` or give national numbers beside a
// country. Tries the country first, and accepts only valid numbers, not merely possible ones: a
// wrong one would text a stranger.

import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { countryCode } from '../../actors/channels/addresses/country-code.ts';
import { phoneNumber, plainNumber } from '../../actors/channels/addresses/phone-number.ts';

/** `undefined` if no reading is valid. `country` is `Location.Country`, if any. */
export function exportedPhoneNumber(raw: string, country: string | undefined): string | undefined {
  if (raw.length > 64) return undefined;
  const digits = plainNumber(raw);
  if (digits.startsWith('+')) return normal(digits);
  if (!/^\d{5,17}$/.test(digits)) return undefined;
  const international = parsePhoneNumberFromString(`+${digits.replace(/^00/, '')}`);
  const code = country === undefined ? undefined : countryCode(country);
  if (code !== undefined && isSupportedCountry(code)) {
    const national = parsePhoneNumberFromString(digits, code);
    const isOfCountry = international?.countryCallingCode === national?.countryCallingCode;
    if (international?.isValid() === true && isOfCountry) return normal(international.number);
    if (national?.isValid() === true) return normal(national.number);
  }
  return international?.isValid() === true ? normal(international.number) : undefined;
}

function normal(text: string): string | undefined {
  const checked = phoneNumber(text);
  return 'value' in checked ? checked.value : undefined;
}

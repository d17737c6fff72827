// Phone numbers: however a phone, a file or a keyboard wrote them, they become E.164. In a file of
// their own, because the metadata of all numbering plans is large.

import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import type { Checked } from './address.ts';

const e164 = /^\+[1-9]\d{1,14}$/;
const form = 'must be a phone number in E.164 form, such as +14155550123';
const lengthMax = 64;

/**
 * A phone number in E.164: `+` and 7 to 15 digits. `00` counts as `+`. A number without either is
 * read as one of `country` (ISO 3166, two letters), and refused without it. Checks the length
 * against the numbering plan, but not whether the range is in use: new ranges precede any metadata.
 */
export function phoneNumber(raw: string, country?: string): Checked {
  if (raw.length > lengthMax) return { problem: form };
  // Most numbers of imports: five replacements by Unicode properties cost as much as the plan.
  const common = withoutFraction(raw).replace(/[ \-.()\u00a0]/g, '');
  const text = e164.test(common) ? common : plainNumber(raw);
  if (e164.test(text)) {
    const number = read(text);
    return isUsable(number) ? { value: number.number } : { problem: impossible };
  }
  if (extension.test(text)) return { problem: hasExtension };
  const number = /^\d{2,20}$/.test(text) ? withoutPlus(text, country) : undefined;
  return isUsable(number) ? { value: number.number } : { problem: expected(text, country) };
}

/**
 * A zero in front is one for dialing that nobody read as such, unless the plan has such numbers.
 * Those with two zeros, such as Japan's free numbers, cannot be called from abroad.
 */
function isUsable(number: PhoneNumber | undefined): number is PhoneNumber {
  if (number?.isPossible() !== true) return false;
  const { nationalNumber } = number;
  return !nationalNumber.startsWith('0') || (nationalNumber[1] !== '0' && number.isValid());
}

/** How the E.164 numbers begin that the beginning of one may mean, as `phoneNumber` reads them. */
export function numberBeginnings(raw: string, country?: string): readonly string[] {
  const text = plainNumber(raw);
  if (!/^(?:\+|\+?\d+)$/.test(text)) return [];
  if (text.startsWith('+')) return [text];
  const abroad = text.startsWith('00') ? [`+${text.slice(2)}`] : [`+${text}`];
  if (country === undefined || !isSupportedCountry(country)) return abroad;
  const digits = text.replace(/^0+/, '');
  return [...abroad, ...(digits === '' ? [] : [`+${getCountryCallingCode(country)}${digits}`])];
}

const impossible = 'is not a possible phone number of its country';

/** Some countries dial abroad with more than `00`, so a number in use wins over a possible one. */
function withoutPlus(text: string, country: string | undefined): PhoneNumber | undefined {
  const abroad = text.startsWith('00') ? read(`+${text.slice(2)}`) : undefined;
  if (abroad?.isValid() || country === undefined || !isSupportedCountry(country)) return abroad;
  const national = read(text, country);
  return isUsable(national) ? national : abroad;
}

function read(written: string, defaultCountry?: CountryCode): PhoneNumber | undefined {
  const defaults = defaultCountry === undefined ? {} : { defaultCountry };
  const text = withoutMexicanPrefix(written, defaultCountry);
  return parsePhoneNumberFromString(text, { ...defaults, extract: false });
}

/** Until 2019 one wrote 1 behind the +52 of mobile phones, and dialed 01, 044 or 045. */
function withoutMexicanPrefix(text: string, defaultCountry: CountryCode | undefined): string {
  if (text.startsWith('+')) return text.replace(/^\+521(?=\d{10}$)/, '+52');
  if (defaultCountry !== 'MX') return text;
  return text.replace(/^(?:521|01|04[45]|1)(?=\d{10}$)/, '');
}

const dust = /[\p{Default_Ignorable_Code_Point}\s]/gu;
/** `p:` is how Facebook's lists of leads mark a number. */
const scheme = /^(?:tel|sms|callto|whatsapp|p):/i;
const pluses = /[\uff0b\ufe62]/g;
const punctuation = /[\p{Pd}\u2212\u30fc.\uff0e\u00b7()\uff08\uff09[\]\uff3b\uff3d/\uff0f]/gu;

/**
 * The text without what libphonenumber passes over, and with digits of all scripts as ASCII. Other
 * characters stay: they make it no number.
 */
export function plainNumber(raw: string): string {
  const text = withoutFraction(raw)
    .replace(dust, '')
    .replace(scheme, '')
    .replace(/(?![0-9])\p{Nd}/gu, asciiDigit)
    .replace(pluses, '+');
  // The "~" of 8~10, which dials abroad from Russia, is a pause.
  return withoutParameters(text).replace(punctuation, '').replace(/^8~10/, '810');
}

/** Programs that hold a number as a fraction write 912345678.0; the zero is no digit of it. */
function withoutFraction(raw: string): string {
  return raw.endsWith('0') ? raw.replace(/^(\s*\+?\d{7,})\.00?$/, '$1') : raw;
}

/** Those of an address by RFC 3966, but for the extension: `0912345678;phone-context=+84`. */
function withoutParameters(text: string): string {
  if (!text.includes(';')) return text;
  const context = /;phone-context=(\+[\d.()-]+)/i.exec(text)?.[1];
  const number = text.replace(/;(?:phone-context|isub)=[^;]*/gi, '');
  return context === undefined || number.startsWith('+') ? number : context + number;
}

/** The digits of a script are in order, and follow those of another one or no digit. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return String((code - first) % 10);
}

/** After `plainNumber`. Source: the patterns of libphonenumber. */
const extension =
  /\d(?:;ext=|[,;]+|[,;]*(?:e?xt(?:ensi(?:o|\u00f3))?n?|\u0434\u043e\u0431|anexo|int|[x\uff58#\uff03~\uff5e])[:.\uff0e]?)\d{1,20}#?$/iu;
const hasExtension =
  'has an extension, and messages cannot reach one; expected the number alone, such as +14155550123';

function expected(text: string, country: string | undefined): string {
  if (country !== undefined)
    return `${form}, or a national number of ${country}, the app's defaultCountry`;
  if (!/^\d+$/.test(text)) return form;
  return `${form}; national numbers need the setting defaultCountry of the app`;
}

/** The calling code of an E.164 number, and its digits without the national trunk prefix. */
export function nationalNumber(
  e164Number: string,
):
  | { readonly country: string; readonly digits: string; readonly region?: CountryCode }
  | undefined {
  const parsed = parsePhoneNumberFromString(e164Number);
  if (parsed === undefined) return undefined;
  const { countryCallingCode: country, nationalNumber: digits, country: region } = parsed;
  return { country, digits, ...(region === undefined ? {} : { region }) };
}

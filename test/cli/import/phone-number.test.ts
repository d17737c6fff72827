import { getCountries } from 'libphonenumber-js/min';
import t from 'tap';
import { countryCode, hasNumberingPlan } from '../../../actors/channels/addresses/country-code.ts';
import { exportedPhoneNumber } from '../../../cli/import/phone-number.ts';

t.test('a number is read as its export meant it, or not at all', async (t) => {
  const table: [raw: string, country: string | undefined, expected: string | undefined][] = [
    ['+12065550182', undefined, '+12065550182'],
    ['12065550182', undefined, '+12065550182'],
    ['12065550182', 'US', '+12065550182'],
    ['2065550182', 'USA', '+12065550182'],
    ['2065550182', 'CAN', '+12065550182'],
    ['(206) 555-0182', 'us', '+12065550182'],
    ['0812345678', 'THA', '+66812345678'],
    ['66812345678', 'THA', '+66812345678'],
    ['447911123456', 'GBR', '+447911123456'],
    ['07911 123456', 'GB', '+447911123456'],
    ['00447911123456', undefined, '+447911123456'],
    ['447911123456', 'USA', '+447911123456'],
    ['+447911123456', 'USA', '+447911123456'],
    ['0812345678', undefined, undefined],
    ['0812345678', 'ATLANTIS', undefined],
    ['1234', 'USA', undefined],
    ['\u202a+66 81\u2011234\u20115678\u202c', undefined, '+66812345678'],
    ['\u202a081\u2011234\u20115678\u202c', 'THA', '+66812345678'],
    ['+1', undefined, undefined],
    ['call me', 'USA', undefined],
    ['', undefined, undefined],
    ['1'.repeat(100), undefined, undefined],
  ];
  for (const [raw, country, expected] of table)
    t.equal(exportedPhoneNumber(raw, country), expected, `${raw} ${country}`);
});

t.test('countries are known by two and by three letters', async (t) => {
  t.equal(countryCode('usa'), 'US');
  t.equal(countryCode(' DE '), 'DE');
  t.equal(countryCode('GBR'), 'GB');
  t.equal(countryCode('XX'), undefined);
  t.equal(countryCode(''), undefined);
  // Ascension, Tristan da Cunha and Kosovo have numbers and no code in ISO 3166-1.
  const unknown = getCountries().filter((code) => countryCode(code) !== code);
  t.same(unknown.sort(), ['AC', 'TA', 'XK']);
  const known = getCountries().filter(hasNumberingPlan);
  t.equal(known.length, getCountries().length - 2, 'all but Ascension and Tristan da Cunha');
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const named = letters.flatMap((one) => letters.map((two) => `${one}${two}`));
  t.same(named.filter(hasNumberingPlan), known.toSorted(), 'and no other');
});

import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import { type CountryCode, getCountries, getExampleNumber } from 'libphonenumber-js/min';
import t from 'tap';
import { hasNumberingPlan } from '../../../../actors/channels/addresses/country-code.ts';
import { phoneNumber } from '../../../../actors/channels/addresses/phone-number.ts';
import { tries } from '../../../support/tries.ts';

const read = (raw: string, country?: string) => {
  const checked = phoneNumber(raw, country);
  return 'value' in checked ? checked.value : checked.problem;
};

t.test('a number is read however a phone, a file or a keyboard wrote it', async (t) => {
  const expected = '+6281234567101';
  for (const raw of [
    '\u202a+62 812-3456-7101\u202c',
    '+62\u2011812\u20113456\u20117101',
    '+62\u200b812\u200b3456\u200b7101',
    '\u200e+62 812 3456 7101\u200f',
    '\ufeff+62\u2060812\u20603456\u20607101',
    '+62\u2010812\u20123456\u20137101',
    '+62\u2014812\u20153456\u22127101',
    '\u2066+62\u00ad812\u00a03456\u202f7101\u2069',
    '＋６２（８１２）３４５６－７１０１',
    '+٦٢٨١٢٣٤٥٦٧١٠١',
    '+۶۲۸۱۲۳۴۵۶۷۱۰۱',
    '+६२८१२३४५६७१०१',
    '+๖๒๘๑๒๓๔๕๖๗๑๐๑',
    '+62/812.3456·7101',
    '(+62) 812 3456 7101',
    '+62 (0)812 3456 7101',
    'tel:+62-812-3456-7101',
    'TEL:+6281234567101',
    'whatsapp:+6281234567101',
    '006281234567101',
    '00 62 812-3456-7101',
    '\u202a0062 812\u20113456 7101\u202c',
  ])
    t.equal(read(raw), expected, JSON.stringify(raw));
  t.equal(read('0084 91 234 56 78'), '+84912345678');
});

t.test('all digits of all scripts are digits', async (t) => {
  let scripts = 0;
  for (const system of Intl.supportedValuesOf('numberingSystem')) {
    const format = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false });
    const raw = [...'6281234567101'].map((digit) => format.format(Number(digit))).join('');
    if (!/^\p{Nd}+$/u.test(raw) || raw.length > 13) continue; // words, or beyond 16 bits
    scripts++;
    t.equal(read(`+${raw}`), '+6281234567101', system);
  }
  t.ok(scripts > 20, `${scripts} scripts`);
});

t.test('what is no number is refused with what was expected', async (t) => {
  const form = /^must be a phone number in E\.164 form, such as \+14155550123/;
  for (const raw of [
    'call me',
    '',
    '+',
    '+1415555O123',
    '++14155550123',
    '+1 415 +555',
    '1'.repeat(70),
  ])
    t.match(read(raw), form, raw);
  t.match(read('+1415555'), /not a possible phone number/);
  for (const raw of ['0812 3456 7101', '(415) 555-0111', '6281234567101', '00912'])
    t.match(read(raw), /E\.164 form.*defaultCountry/, raw);
  for (const raw of [
    '+1 415 555 0123 ext. 5',
    '+1 415 555 0123 x5',
    '+1 415 555 0123 #5',
    '+1 415 555 0123, extension 5',
    '+1 415 555 0123 доб. 5',
    'tel:+1-415-555-0123;ext=5',
  ])
    t.match(read(raw), /^has an extension/, raw);
  // A footnote is no digit.
  t.match(read('+1 415 555 0123²'), form);
});

t.test('a default country reads the numbers that its people write', async (t) => {
  const table: [raw: string, country: string, expected: string][] = [
    ['0812-3456-7101', 'ID', '+6281234567101'],
    ['6281234567101', 'ID', '+6281234567101'],
    ['(415) 555-0111', 'US', '+14155550111'],
    ['1 415 555 0111', 'US', '+14155550111'],
    ['011 84 91 234 56 78', 'US', '+84912345678'],
    ['091 234 56 78', 'VN', '+84912345678'],
    ['0084 91 234 56 78', 'VN', '+84912345678'],
    ['0084 91 234 56 78', 'TH', '+84912345678'],
    ['๐๘๑ ๒๓๔ ๕๖๗๘', 'TH', '+66812345678'],
    ['07700 900123', 'GB', '+447700900123'],
    ['tel:07700-900123', 'GB', '+447700900123'],
    ['090-1234-5678', 'JP', '+819012345678'],
    ['06 12 34 56 78', 'FR', '+33612345678'],
    ['312 345 6789', 'IT', '+393123456789'],
    ['030/12345678', 'DE', '+493012345678'],
    ['\u202a0812\u20113456\u20117101\u202c', 'ID', '+6281234567101'],
    ['+447700900123', 'US', '+447700900123'],
  ];
  for (const [raw, country, expected] of table)
    t.equal(read(raw, country), expected, `${raw} ${country}`);
  for (const [raw, country] of [
    ['12345', 'US'],
    ['0812', 'ID'],
    ['call me', 'US'],
  ] as const)
    t.match(read(raw, country), new RegExp(`E\\.164 form.*${country}.*defaultCountry`), raw);
  t.match(read('(415) 555-0111 x5', 'US'), /^has an extension/);
});

t.test('no number becomes the number of somebody else', async (t) => {
  // Five alphabets of mathematical digits follow each other, the first not at a multiple of 16.
  for (const zero of [0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1fbf0, 0x104a0]) {
    const written = [...'84912345678'].map((one) => String.fromCodePoint(zero + Number(one)));
    t.equal(read(`+${written.join('')}`), '+84912345678', zero.toString(16));
  }
  // Programs that hold a number as a fraction write its last zero.
  t.equal(read('912345678.0', 'VN'), '+84912345678');
  t.equal(read('0912345678.0', 'VN'), '+84912345678');
  t.equal(read('84912345678.00', 'VN'), '+84912345678');
  t.equal(read('+84912345678.0'), '+84912345678');
  t.equal(read('+1.415.555.0110'), '+14155550110');
  t.match(read('8.4912345678E+10', 'VN'), /E\.164 form/);
  // 001 dials abroad from Indonesia, which its numbering plan does not say.
  t.match(read('001 84 912345678', 'ID'), /E\.164 form/);
  for (const raw of ['+84 00 12345678', '+62 00812 3456 789', '+49 0030 123456'])
    t.match(read(raw), /^is not a possible phone number/, raw);
  for (const whole of ['+390612345678', '+2250712345678', '+2290112345678', '+3780549123456'])
    t.equal(read(whole), whole, 'a zero that belongs to the number');
});

t.test('numbers are read as addresses, lists of leads and older plans write them', async (t) => {
  t.equal(read('tel:0912345678;phone-context=+84'), '+84912345678');
  t.equal(read('tel:912345678;phone-context=+84;isub=12'), '+84912345678');
  t.equal(read('tel:+84912345678;phone-context=example.com'), '+84912345678');
  t.match(read('tel:0912345678;phone-context=+84;ext=5'), /^has an extension/);
  t.equal(read('p:+84912345678'), '+84912345678', 'a list of leads of Facebook');
  for (const raw of ['+52 1 55 1234 5678', '0052 1 55 1234 5678'])
    t.equal(read(raw), '+525512345678');
  for (const raw of ['044 55 1234 5678', '01 55 1234 5678', '1 55 1234 5678', '521 55 1234 5678'])
    t.equal(read(raw, 'MX'), '+525512345678', raw);
  t.equal(read('8~10 84 912345678', 'RU'), '+84912345678');
  t.match(read('8~10 84 912345678'), /E\.164 form.*defaultCountry/);
});

t.test('an example of each country is read in each of its forms', async (t) => {
  for (const country of getCountries()) {
    const example = getExampleNumber(country, examples);
    if (example === undefined || !hasNumberingPlan(country)) continue;
    t.equal(read(example.formatNational(), country), example.number, country);
    t.equal(read(example.formatInternational()), example.number, country);
    t.equal(read(example.number.replace('+', '00')), example.number, country);
  }
});

t.test('dust on a number changes nothing, and reading twice is reading once', async () => {
  const dust = fc.constantFrom(
    '\u202a',
    '\u202c',
    '\u200b',
    '\u200e',
    '\u2060',
    '\ufeff',
    '\u00ad',
  );
  const gap = fc.constantFrom(
    '',
    ' ',
    '-',
    '.',
    '\u2011',
    '\u2013',
    '\u2212',
    '\u00a0',
    '\u3000',
    '(',
  );
  const countries = getCountries().filter((one) => getExampleNumber(one, examples) !== undefined);
  const seams = fc.array(fc.tuple(dust, gap), { minLength: 24, maxLength: 24 });
  fc.assert(
    fc.property(fc.constantFrom(...countries), seams, fc.boolean(), (country, between, isLocal) => {
      const example = getExampleNumber(country as CountryCode, examples);
      if (example === undefined) return true;
      const text = isLocal ? example.formatNational().replace(/\D/g, '') : example.number;
      const raw = [...text].map((one, at) => `${one}${between[at]?.join('') ?? ''}`).join('');
      const once = phoneNumber(raw.slice(0, 64), country);
      if (raw.length > 64) return true;
      if (!('value' in once) || once.value !== example.number) return false;
      const twice = phoneNumber(once.value, country);
      return 'value' in twice && twice.value === once.value;
    }),
    { seed: 310, numRuns: tries(2_000) },
  );
});

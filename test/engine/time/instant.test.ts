import fc from 'fast-check';
import t from 'tap';
import { parseInstant, plainInstant } from '../../../engine/time/instant.ts';
import { tries } from '../../support/tries.ts';

const plain = (text: string) => {
  const bytes = Buffer.from(`"${text}"`);
  return plainInstant(bytes, 1, bytes.length - 1);
};

t.test('every instant of the calendar is read as it is written', async () => {
  fc.assert(
    fc.property(fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }), (ms) => {
      const text = new Date(ms).toISOString();
      return parseInstant(text) === ms && plain(text) === (ms < 0 ? -1 : ms);
    }),
    { seed: 1, numRuns: tries(20_000) },
  );
});

t.test('offsets and fractions are taken into account', async (t) => {
  const base = Date.UTC(2026, 1, 28, 10);
  const cases: [string, number][] = [
    ['2026-02-28T10:00:00Z', base],
    ['2026-02-28T10:00:00.5Z', base + 500],
    ['2026-02-28T10:00:00.123999Z', base + 123],
    ['2026-02-28T17:00:00+07:00', base],
    ['2026-02-28T06:30:00.250-03:30', base + 250],
    ['2026-02-28T10:00:00-00:00', base],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['2000-02-29T00:00:00Z', Date.UTC(2000, 1, 29)],
  ];
  for (const [text, ms] of cases) {
    t.equal(parseInstant(text), ms, text);
    t.equal(plain(text), ms, text);
  }
  t.equal(parseInstant('2026-02-28t10:00:00z'), base, 'small letters are RFC 3339 too');
  t.equal(parseInstant('2026-12-31T23:59:60Z'), Date.UTC(2027, 0, 1), 'a leap second');
});

t.test('what is not an RFC 3339 date-time is refused by both', async (t) => {
  for (const text of [
    '',
    'now',
    '2026-02-28',
    '2026-02-28 10:00:00Z',
    '2026-02-28T10:00:00',
    '2026-02-28T10:00Z',
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:61Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+0700',
    '2026-01-01T00:00:00+07',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00ZZ',
    '+002026-01-01T00:00:00Z',
    '2026-01-01T00:00:00,5Z',
    '202x-01-01T00:00:00Z',
    '2026-01-01T00:00:0/Z',
    '2026-01-01T00:00:00.1:Z',
    '２０２６-01-01T00:00:00Z',
    '2026-01-01T00:00:00+07:60',
  ]) {
    t.equal(parseInstant(text), undefined, text);
    t.equal(plain(text), -1, text);
  }
});

t.test('where the bytes are understood, the text says the same', async () => {
  const piece = fc.constantFrom(
    '2026',
    '-',
    '02',
    '28',
    'T',
    '10',
    ':',
    '00',
    '.',
    '5',
    'Z',
    '+',
    '07',
    '99',
    'x',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), fc.nat({ max: 20 }), (pieces, at) => {
      const whole = '2026-02-28T10:00:00.123+07:00';
      const text = whole.slice(0, at) + pieces.join('') + whole.slice(at + pieces.join('').length);
      const ms = plain(text);
      return ms === -1 || ms === parseInstant(text);
    }),
    { seed: 2, numRuns: tries(20_000) },
  );
});

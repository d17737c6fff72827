// What texts cost: the sum of many is that of each, and countries without a price are named.

import fc from 'fast-check';
import t from 'tap';
import { costsOf, TextTally } from '../../../../actors/channels/sms/text-prices.ts';
import { tries } from '../../../support/tries.ts';

const country = fc.constantFrom('VN', 'ID', 'TH', undefined);
const text = fc.record({ country, segments: fc.integer({ min: 1, max: 20 }) });
/** To six places, as decimals without an exact double are. */
const price = fc.integer({ min: 0, max: 10 ** 12 }).map((micros) => micros / 1e6);
const prices = fc.record(
  {
    currency: fc.constant('VND'),
    perSegment: price,
    byCountry: fc.dictionary(fc.constantFrom('VN', 'ID'), price),
  },
  { requiredKeys: ['currency'] },
);

t.test('the sum is that of each text, to a millionth', async () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 300 }), prices, (texts, paid) => {
      const tally = new TextTally();
      for (const { country: of, segments } of texts) tally.add(of, segments);
      const { countries, total } = costsOf(tally.shown(), paid);
      const micros = texts.map(({ country: of, segments }) => {
        const own = of === undefined ? undefined : paid.byCountry?.[of];
        const each = own ?? paid.perSegment;
        return each === undefined ? undefined : BigInt(Math.round(each * 1e6)) * BigInt(segments);
      });
      const priced = micros.filter((one) => one !== undefined);
      const wanted = Number(priced.reduce((sum, one) => sum + one, 0n)) / 1e6;
      const isNone = priced.length === 0 && texts.length > 0;
      const named = countries.filter(({ cost }) => cost === null).map((one) => one.country);
      const without = texts.filter((_one, at) => micros[at] === undefined);
      const same = new Set<string | null>(without.map((one) => one.country ?? null));
      return (
        (isNone ? total === null : Math.abs((total ?? -1) - wanted) <= wanted * 1e-15) &&
        named.length === same.size &&
        named.every((one) => same.has(one))
      );
    }),
    { numRuns: tries(200) },
  );
});

t.test('without prices nothing costs anything, and texts are counted all the same', async (t) => {
  const tally = new TextTally();
  tally.add('VN', 2);
  tally.add(undefined, 1);
  t.same(costsOf(tally.shown(), undefined), {
    countries: [
      { country: 'VN', texts: 1, segments: 2, cost: null },
      { country: null, texts: 1, segments: 1, cost: null },
    ],
    total: null,
  });
  t.same(costsOf([], { currency: 'USD', perSegment: 1 }), { countries: [], total: 0 });
});

t.test('a price of 0.0333 costs 33.3 for a thousand', async (t) => {
  const texts = [{ country: 'GB', texts: 1_000, segments: 1_000 }];
  t.equal(costsOf(texts, { currency: 'EUR', perSegment: 0.0333 }).total, 33.3);
});

import t from 'tap';
import { sampleValue } from '../../dashboard/preview/sample-value.ts';

t.test('a made-up person has something for the variables of starters', async (t) => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['code', '482913'],
    ['loginCode', '482913'],
    ['order_id', '1042'],
    ['orderNumber', '1042'],
    ['total', '29.90'],
    ['tracking_url', 'https://example.com/'],
    ['first_name', undefined],
    ['nickname', undefined],
    ['valid', undefined],
  ];
  for (const [name, value] of cases) t.equal(sampleValue(name), value, name);
});

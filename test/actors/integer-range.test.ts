import t from 'tap';
import { z } from 'zod';
import { integerRange } from '../../actors/integer-range.ts';

t.test('a value outside has one issue, about the bound it breaks', async (t) => {
  const range = integerRange(1, 100);
  for (const value of [1, 50, 100]) t.equal(range.safeParse(value).success, true);
  const cases: [value: unknown, issue: object][] = [
    [1e300, { code: 'too_big', maximum: 100 }],
    [101, { code: 'too_big', maximum: 100 }],
    [100.5, { code: 'too_big', maximum: 100 }],
    [0, { code: 'too_small', minimum: 1 }],
    [-1e300, { code: 'too_small', minimum: 1 }],
    [1.5, { code: 'invalid_type', expected: 'int' }],
    ['5', { code: 'invalid_type', expected: 'number' }],
  ];
  for (const [value, issue] of cases) {
    const issues = range.safeParse(value).error?.issues;
    t.equal(issues?.length, 1, String(value));
    t.match(issues?.[0], issue, String(value));
  }
});

t.test('the description says integer and both bounds', async (t) => {
  t.match(z.toJSONSchema(integerRange(1, 100)), { type: 'integer', minimum: 1, maximum: 100 });
});

// What a caller reads when a body is wrong: every message in words of the caller's world.

import t from 'tap';
import { z } from 'zod';
import { faultOfIssues } from '../../../../http/call/answer/errors.ts';

const cases: readonly (readonly [z.ZodType, unknown, string])[] = [
  [z.object({ a: z.string() }), {}, 'a: is missing; expected a string'],
  [z.object({ a: z.string() }), { a: 1 }, 'a: expected a string, not a number'],
  [z.object({ a: z.string() }), { a: null }, 'a: expected a string, not null'],
  [z.object({ a: z.int() }), { a: 1.5 }, 'a: expected an integer'],
  [z.object({ a: z.coerce.number() }), { a: 'x' }, 'a: expected a number'],
  [z.object({ a: z.enum(['x', 'y']) }), { a: 'z' }, 'a: expected one of x, y'],
  [z.object({ a: z.enum(['x', 'y']) }), {}, 'a: is missing; expected one of x, y'],
  [z.object({ a: z.literal(true) }), { a: false }, 'a: expected true'],
  [z.object({ a: z.literal(true) }), {}, 'a: is missing; expected true'],
  [z.object({ a: z.array(z.enum(['x', 'y'])) }), { a: [null] }, 'a[0]: expected one of x, y'],
  [z.object({ a: z.string().min(1) }), { a: '' }, 'a: expected at least 1 character'],
  [z.object({ a: z.array(z.int()).max(2) }), { a: [1, 2, 3] }, 'a: expected at most 2 items'],
  [z.object({ a: z.array(z.int().min(3)) }), { a: [4, 2] }, 'a[1]: expected at least 3'],
  [z.object({ a: z.string().regex(/^x/) }), { a: 'y' }, 'a: has the wrong format'],
  [
    z.object({ a: z.string().regex(/^x/, 'must begin with x') }),
    { a: 'y' },
    'a: must begin with x',
  ],
  [z.object({ a: z.url() }), { a: 'y' }, 'a: expected an absolute URL'],
  [z.object({}), [], 'body: expected an object, not an array'],
];

t.test('a fault names the field and says what was expected', async (t) => {
  for (const [schema, value, message] of cases) {
    const parsed = schema.safeParse(value, { reportInput: true });
    t.equal(parsed.success ? 'valid' : faultOfIssues(parsed.error, 'body').message, message);
  }
});

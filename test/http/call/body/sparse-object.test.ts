// Reading the members that are there says what the whole schema says, for the bodies of all routes.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { z } from 'zod';
import { parseSparse } from '../../../../http/call/body/sparse-object.ts';
import { routes } from '../../../../http/routes/index.ts';
import { tries } from '../../../support/tries.ts';

const bodies = routes.flatMap(({ body, path, method }) =>
  body instanceof z.ZodObject ? [{ body, name: `${method} ${path}` }] : [],
);

/** The examples of all bodies by member, which other bodies often have as well. */
const values: Record<string, unknown[]> = {};
for (const { body } of bodies)
  for (const example of (body.meta()?.['examples'] ?? []) as Record<string, unknown>[])
    for (const [name, value] of Object.entries(example)) (values[name] ??= []).push(value);

const odd = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('', 0, -1, null, [], {}));

/** An object with some of the schema's members, most of them right, and now and then another. */
function sentTo(body: z.ZodObject): fc.Arbitrary<object> {
  const members = Object.keys(body.shape).map((name) => {
    const examples = values[name] ?? [];
    const right = examples.length > 0 ? fc.constantFrom(...examples) : odd;
    return [name, fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: odd })];
  });
  return fc.record({ ...Object.fromEntries(members), unknown: odd }, { requiredKeys: [] });
}

t.test('the members that are there are read as by the whole schema', async (t) => {
  let read = 0;
  let accepted = 0;
  for (const { body, name } of bodies) {
    const runs = { numRuns: tries(120) };
    fc.assert(
      fc.property(sentTo(body), (drawn) => {
        const sent: unknown = JSON.parse(JSON.stringify(drawn));
        const whole = body.safeParse(sent, { reportInput: true });
        if (whole.success) accepted++;
        const sparse = parseSparse(body, sent);
        if (sparse === undefined) return;
        read++;
        if (!whole.success) assert.fail(`${name}: the schema refuses ${JSON.stringify(sent)}`);
        assert.deepStrictEqual(sparse, whole.data);
        assert.deepEqual(Object.keys(sparse), Object.keys(whole.data), 'in the same order');
      }),
      runs,
    );
  }
  t.ok(read > 300 && read > accepted / 2, `${read} of ${accepted} in ${bodies.length} routes`);
});

t.test('what is no plain object of members is left to the schema', async (t) => {
  const one = z.object({ a: z.string().optional(), b: z.number().default(3) });
  t.same(parseSparse(one, {}), { b: 3 });
  t.same(parseSparse(one, { a: 'x', c: 1 }), { a: 'x', b: 3 });
  for (const sent of [null, [], 'x', { a: 1 }, { b: null }])
    t.equal(parseSparse(one, sent), undefined);
  const refined = one.refine(({ a }) => a !== 'x', 'not x');
  for (const schema of [refined, z.looseObject({}), z.strictObject({}), z.union([one, one])])
    t.equal(parseSparse(schema, { a: 'y' }), undefined);
  t.equal(parseSparse(z.object({ a: z.string() }), {}), undefined, 'a required member');
  t.equal(parseSparse(z.object({ a: z.array(z.string()).default([]) }), {}), undefined);
});

t.test('a send is read without the schema', async (t) => {
  const send = bodies.find(({ name }) => name === 'POST /v1/apps/:appId/notifications');
  for (const example of (send?.body.meta()?.['examples'] ?? []) as object[])
    t.ok(send && parseSparse(send.body, example), JSON.stringify(example));
});

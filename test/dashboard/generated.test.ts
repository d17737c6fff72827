// The committed table of operations is what the API description says now.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { apiTable } from '../../sdk/generate/api-table.ts';
import { clientSource } from '../../sdk/generate/client-source.ts';
import { reasonTable } from '../../sdk/generate/reason-table.ts';
import { typeOf } from '../../sdk/generate/schema-types.ts';
import { root } from '../support/places.ts';

t.test('the generated tables are current; `npm run generate` makes them so', async (t) => {
  const committed = readFileSync(join(root, 'dashboard/api/generated.ts'), 'utf8');
  t.ok(committed === apiTable(), 'dashboard/api/generated.ts');
  const reasons = readFileSync(join(root, 'dashboard/words/reasons.generated.ts'), 'utf8');
  t.ok(reasons === reasonTable(), 'dashboard/words/reasons.generated.ts');
});

t.test('a type for each form of schema', async (t) => {
  const cases: readonly (readonly [object, string])[] = [
    [{ type: 'string' }, 'string'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ enum: ['a', 1, null] }, '"a" | 1 | null'],
    [{ const: 'x' }, '"x"'],
    [{ $ref: '#/components/schemas/Device' }, 'Device'],
    [{ type: 'array', items: { type: 'integer' } }, 'readonly (number)[]'],
    [{ anyOf: [{ type: 'integer' }, { type: 'number' }] }, 'number'],
    [{ type: 'object' }, 'Readonly<Record<string, unknown>>'],
    [
      { type: 'object', additionalProperties: { type: 'boolean' } },
      'Readonly<Record<string, boolean>>',
    ],
    [
      { type: 'object', properties: { a: { type: 'string' }, 'b-c': {} }, required: ['a'] },
      '{ readonly a: string; readonly "b-c"?: unknown; }',
    ],
    [{}, 'unknown'],
  ];
  for (const [schema, type] of cases) t.equal(typeOf(schema), type);
});

t.test('an operation has its method, its path and the types of what it takes', async (t) => {
  const source = clientSource({
    components: { schemas: { Thing: { type: 'string' } } },
    paths: {
      '/v1/things/{id}': {
        patch: {
          operationId: 'changeThing',
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
            { name: 'strict', in: 'query', schema: { type: 'boolean' } },
          ],
          requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
          responses: {
            200: {
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
            },
            404: { content: {} },
          },
        },
      },
    },
  });
  t.match(source, "changeThing: ['PATCH', '/v1/things/{id}'],");
  t.match(source, 'readonly path: { readonly id: string; };');
  t.match(source, 'readonly query: undefined;');
  t.match(source, 'readonly answer: Thing;');
});

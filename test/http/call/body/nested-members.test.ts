// Every object that a route describes names what it does not know: an unknown member is planted in
// each object of each example of each body, one at a time.

import t from 'tap';
import { z } from 'zod';
import { unknownMembers } from '../../../../http/call/body/unknown-members.ts';
import { routes } from '../../../../http/routes/index.ts';

const planted = 'zzUnknown';

/**
 * Objects that are open on purpose: what stands in them is the caller's own, or a provider's. The
 * identifiers of Customer.io name one thing, and its schema refuses a second.
 */
const open = new Set(['POST /mcp ', 'POST /compat/customerio/api/v1/send/email identifiers']);

const line = 'POST /v1/apps/:appId/messages';

type Path = readonly (string | number)[];

/** Paths of the objects of a value that are described member by member. */
function* described(schema: z.ZodType, value: unknown, path: Path): Generator<Path> {
  if (typeof value !== 'object' || value === null) return;
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  )
    yield* described(schema.unwrap() as z.ZodType, value, path);
  else if (schema instanceof z.ZodPipe) yield* described(schema.in as z.ZodType, value, path);
  else if (schema instanceof z.ZodUnion) {
    const taken = (schema.options as z.ZodType[]).find((one) => one.safeParse(value).success);
    if (taken !== undefined) yield* described(taken, value, path);
  } else if (schema instanceof z.ZodArray && Array.isArray(value))
    for (const [i, one] of value.entries())
      yield* described(schema.element as z.ZodType, one, [...path, i]);
  else if (schema instanceof z.ZodRecord)
    for (const [name, one] of Object.entries(value))
      yield* described(schema.valueType as z.ZodType, one, [...path, name]);
  else if (schema instanceof z.ZodObject) {
    yield path;
    for (const [name, one] of Object.entries(value)) {
      const member = schema.shape[name] as z.ZodType | undefined;
      if (member !== undefined) yield* described(member, one, [...path, name]);
    }
  }
}

function withPlanted(value: unknown, path: Path): unknown {
  const copy = structuredClone(value) as Record<string, unknown>;
  const at = path.reduce<unknown>((one, part) => (one as never)[part], copy);
  (at as Record<string, unknown>)[planted] = 1;
  return copy;
}

t.test('a slip in a button or in a language is named with what was meant', async (t) => {
  const body = routes.find(({ method, path }) => `${method} ${path}` === line)?.body as z.ZodType;
  const sent = {
    body: 'x',
    buttons: [
      { label: 'Go', linkk: 'https://a.example' },
      { text: 'Go', href: 'https://a.example' },
    ],
    localizations: { de: { titel: 'Hallo', body: 'x', buttons: [{ label: 'Los', ur: 'x' }] } },
  };
  t.match(unknownMembers(body, sent), [
    { field: 'buttons[0].linkk', warning: 'unknown; did you mean link?' },
    { field: 'localizations.de.titel', warning: 'unknown; did you mean title?' },
    { field: 'localizations.de.buttons[0].ur', warning: 'unknown; did you mean url?' },
  ]);
  const keys = routes.find(({ method, path }) => `${method} ${path}` === 'POST /v1/keys')?.body;
  t.match(unknownMembers(keys as z.ZodType, { name: 'a', scopes: ['read'], app: 'app_1' }), [
    { field: 'app', warning: 'unknown; did you mean appId?' },
  ]);
});

t.test('an unknown member of any described object of any body is named', async (t) => {
  let count = 0;
  const silent: string[] = [];
  for (const { method, path: where, body } of routes) {
    if (body === undefined) continue;
    const examples = (body.meta()?.['examples'] ?? []) as readonly unknown[];
    for (const example of examples)
      for (const path of described(body, example, [])) {
        count++;
        const found = unknownMembers(body, withPlanted(example, path));
        const place = `${method} ${where} ${path.filter((part) => typeof part === 'string').join('.')}`;
        if (!found.some(({ field }) => field.endsWith(planted))) silent.push(place);
      }
  }
  t.ok(count > 100, `${count} objects`);
  t.same(
    [...new Set(silent)].filter((place) => !open.has(place)),
    [],
  );
});

// The API description in the older form, OpenAPI 3.0, with some tags only: what generators take
// that do not know 3.1 yet. A choice between several forms becomes any value.

interface Json {
  readonly [name: string]: unknown;
}

interface Described {
  readonly info: Json;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>;
}

/** The operations of these tags, and all that they need. */
export function olderDescription(document: unknown, tags: readonly string[]): Json {
  const { info, paths, components } = document as Described;
  const chosen = Object.entries(paths).flatMap(([path, methods]) => {
    const some = Object.entries(methods).filter(([, one]) =>
      tags.includes((one['tags'] as readonly string[])[0] ?? ''),
    );
    return some.length === 0 ? [] : [[path, Object.fromEntries(some.map(titled))] as const];
  });
  const needed = { paths: Object.fromEntries(chosen), responses: components['responses'] ?? {} };
  const schemas = components['schemas'] ?? {};
  const names = neededNames(needed, schemas);
  return {
    openapi: '3.0.3',
    info,
    paths: older(needed.paths),
    components: {
      ...(older({ ...components, schemas: undefined }) as Json),
      schemas: Object.fromEntries(names.map((name) => [name, older(schemas[name])])),
    },
  };
}

/** Generators name a body by its title. */
function titled([method, operation]: [string, Json]): [string, Json] {
  const body = operation['requestBody'] as
    | { content: Record<string, { schema: Json }> }
    | undefined;
  const json = body?.content['application/json'];
  if (json === undefined || json.schema['$ref'] !== undefined) return [method, operation];
  const id = String(operation['operationId']);
  const schema = { ...json.schema, title: `${id.slice(0, 1).toUpperCase()}${id.slice(1)}Body` };
  const content = { 'application/json': { ...json, schema } };
  return [method, { ...operation, requestBody: { ...body, content } }];
}

function neededNames(from: unknown, schemas: Readonly<Record<string, Json>>): readonly string[] {
  const found = new Set<string>();
  const waiting = [JSON.stringify(from)];
  for (let text = waiting.pop(); text !== undefined; text = waiting.pop())
    for (const [, name = ''] of text.matchAll(/#\/components\/schemas\/(\w+)/g))
      if (!found.has(name)) {
        found.add(name);
        waiting.push(JSON.stringify(schemas[name]));
      }
  return [...found].sort();
}

/** Words that are values, not schemas. */
const values = new Set(['example', 'examples', 'default', 'enum', 'required', 'tags', 'security']);
/** Words of 3.1 alone. */
const newer = new Set(['$schema', 'prefixItems', 'propertyNames', 'const', 'contentMediaType']);

function older(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(older);
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as Json;
  if (typeof schema['$ref'] === 'string') return { $ref: schema['$ref'] };
  const kept = Object.entries(schema).filter(
    ([name, one]) => !newer.has(name) && !(name === 'examples' && Array.isArray(one)),
  );
  const next: Record<string, unknown> = Object.fromEntries(
    kept.map(([name, one]) => {
      if (name === 'properties') return [name, olderFields(one as Json)];
      return [name, values.has(name) ? one : older(one)];
    }),
  );
  // A constant that is no text makes no type in an older generator.
  if (typeof schema['const'] === 'string') next['enum'] = [schema['const']];
  for (const [above, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const)
    if (typeof next[above] === 'number')
      Object.assign(next, { [bound]: next[above], [above]: true });
  return withoutNullType(withoutUnions(withoutRequiredNulls(next)));
}

/** A field may have the name of a keyword: `tags`. */
function olderFields(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, older(one)]));
}

/** To an older generator a required field cannot be null. */
function withoutRequiredNulls(schema: Record<string, unknown>): Record<string, unknown> {
  const { required, properties = {} } = schema;
  if (!Array.isArray(required)) return schema;
  const fields = properties as Readonly<Record<string, Json | undefined>>;
  return { ...schema, required: required.filter((name) => fields[name]?.['nullable'] !== true) };
}

function withoutNullType(schema: Record<string, unknown>): Record<string, unknown> {
  const { type } = schema;
  if (!Array.isArray(type)) return schema;
  const others = type.filter((one) => one !== 'null');
  const { type: _type, ...rest } = schema;
  const nullable = others.length < type.length ? { nullable: true } : {};
  return { ...rest, ...nullable, ...(others.length === 1 ? { type: others[0] } : {}) };
}

function withoutUnions(schema: Record<string, unknown>): Record<string, unknown> {
  const parts = schema['anyOf'] as readonly Json[] | undefined;
  if (parts === undefined) return schema;
  const { anyOf: _anyOf, ...rest } = schema;
  const others = parts.filter((one) => one['type'] !== 'null');
  const nullable = others.length < parts.length ? { nullable: true } : {};
  if (others.length === 1) {
    const only = others[0] as Json;
    const one = only['$ref'] === undefined ? only : { allOf: [only] };
    return { ...one, ...rest, ...nullable };
  }
  return { ...nullable };
}

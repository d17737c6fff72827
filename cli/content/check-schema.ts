// What is wrong with a value by its schema: every problem with the path of its field. Knows the
// keywords that the API description uses; the server checks the rest.

import type { FileSchema } from './schemas.ts';

/** One problem of a value. */
interface SchemaProblem {
  /** `steps[1].minutes`; empty for the whole. */
  readonly field: string;
  readonly error: string;
}

/** All problems, in the order of the fields. `root` has the named schemas. */
export function schemaProblems(
  value: unknown,
  schema: FileSchema,
  root: FileSchema = schema,
  field = '',
): readonly SchemaProblem[] {
  const one = resolved(schema, root);
  if (one.anyOf !== undefined) return closest(value, one.anyOf, root, field);
  const wrongType = typeProblem(value, one);
  if (wrongType !== undefined) return [{ field, error: wrongType }];
  const bound = boundProblem(value, one);
  const own = bound === undefined ? [] : [{ field, error: bound }];
  if (Array.isArray(value)) {
    const items = one['items'] as FileSchema | undefined;
    if (items === undefined) return own;
    const inner = value.flatMap((item, at) => schemaProblems(item, items, root, `${field}[${at}]`));
    return [...own, ...inner];
  }
  if (typeof value !== 'object' || value === null) return own;
  return [...own, ...fieldProblems(value as Record<string, unknown>, one, root, field)];
}

function fieldProblems(
  value: Readonly<Record<string, unknown>>,
  schema: FileSchema,
  root: FileSchema,
  field: string,
): readonly SchemaProblem[] {
  const at = (name: string) => (field === '' ? name : `${field}.${name}`);
  const { properties = {}, required = [] } = schema;
  const missing = required
    .filter((name) => value[name] === undefined)
    .map((name) => ({ field: at(name), error: 'is missing' }));
  const others = schema['additionalProperties'];
  const inner = Object.entries(value).flatMap(([name, one]) => {
    const known = properties[name];
    if (known !== undefined) return schemaProblems(one, known, root, at(name));
    if (others === false) return [{ field: at(name), error: 'is not a known field' }];
    return typeof others === 'object' && others !== null
      ? schemaProblems(one, others as FileSchema, root, at(name))
      : [];
  });
  return [...missing, ...inner];
}

/** The branch with the fewest problems is the one that was meant. */
function closest(
  value: unknown,
  branches: readonly FileSchema[],
  root: FileSchema,
  field: string,
): readonly SchemaProblem[] {
  let best: readonly SchemaProblem[] | undefined;
  for (const branch of branches) {
    const problems = schemaProblems(value, branch, root, field);
    if (problems.length === 0) return [];
    if (best === undefined || depthOf(problems, field) > depthOf(best, field)) best = problems;
  }
  return best ?? [];
}

/** A branch whose problems are deeper, and then fewer, was more likely meant. */
function depthOf(problems: readonly SchemaProblem[], field: string): number {
  const isDeep = problems.every((one) => one.field !== field);
  return (isDeep ? 1_000 : 0) - problems.length;
}

function resolved(schema: FileSchema, root: FileSchema): FileSchema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  return (root['$defs'] as Record<string, FileSchema> | undefined)?.[name] ?? {};
}

function typeProblem(value: unknown, schema: FileSchema): string | undefined {
  const { type } = schema;
  const choices = (schema['enum'] ??
    (schema['const'] === undefined ? undefined : [schema['const']])) as
    | readonly unknown[]
    | undefined;
  if (choices !== undefined)
    return choices.includes(value)
      ? undefined
      : `expected ${choices.map((one) => JSON.stringify(one)).join(', ')}`;
  if (type === undefined) return undefined;
  const types = typeof type === 'string' ? [type] : type;
  if (types.some((one) => isOfType(value, one))) return undefined;
  return `expected ${types.map((one) => typeWords[one] ?? one).join(' or ')}`;
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function boundProblem(value: unknown, schema: FileSchema): string | undefined {
  const [least, most] =
    typeof value === 'string'
      ? ['minLength', 'maxLength']
      : Array.isArray(value)
        ? ['minItems', 'maxItems']
        : ['minimum', 'maximum'];
  const size = typeof value === 'string' || Array.isArray(value) ? value.length : value;
  if (typeof size !== 'number') return undefined;
  const unit = typeof value === 'string' ? ' characters' : Array.isArray(value) ? ' items' : '';
  const [from, to] = [schema[least], schema[most]];
  if (typeof from === 'number' && size < from) return `expected at least ${from}${unit}`;
  if (typeof to === 'number' && size > to) return `expected at most ${to}${unit}`;
  const pattern = schema['pattern'];
  if (
    typeof value === 'string' &&
    typeof pattern === 'string' &&
    !new RegExp(pattern, 'u').test(value)
  )
    return `expected a text that matches ${pattern}`;
  return undefined;
}

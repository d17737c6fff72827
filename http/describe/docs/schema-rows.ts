// A JSON Schema as a readable list of fields: name, type, bounds, meaning. Nested objects unfold.

import { type JsonSchema, resolveIn } from '../../call/schemas/json-schema.ts';
import { refusedWords } from '../../call/schemas/schemas.ts';
import { escaped, type Html, inline } from './html.ts';

export type Schemas = Readonly<Record<string, JsonSchema>>;

const depthMax = 6;

/**
 * The fields of an object, of a list's objects, or of a union's variants. A recursive schema
 * unfolds once; `outside` has the references on the way here.
 */
export function schemaRows(
  schema: JsonSchema,
  schemas: Schemas,
  depth = 0,
  outside: readonly string[] = [],
): Html {
  const { $ref } = schema;
  if (depth > depthMax || ($ref !== undefined && outside.includes($ref))) return '';
  const within = $ref === undefined ? outside : [...outside, $ref];
  const { items, anyOf, properties, required = [] } = resolveIn(schemas, schema);
  if (properties !== undefined) {
    const rows = refusedLast(properties).map(([name, member]) =>
      row(name, member, required.includes(name), schemas, depth, within),
    );
    return `<ul class="fields">${rows.join('')}</ul>`;
  }
  if (items !== undefined) return schemaRows(items, schemas, depth, within);
  const variants = (anyOf ?? []).filter((variant) => hasMembers(variant, schemas));
  if (variants.length === 1 && variants[0] !== undefined) {
    return schemaRows(variants[0], schemas, depth, within);
  }
  return variants
    .map((variant) => {
      const { title = 'variant' } = resolveIn(schemas, variant);
      return unfolding(escaped(title), schemaRows(variant, schemas, depth + 1, within));
    })
    .join('');
}

/** A field that is only there to say where it belongs comes after those that do something. */
function refusedLast(properties: Readonly<Record<string, JsonSchema>>) {
  const isRefused = ({ description }: JsonSchema) => description?.startsWith(refusedWords) === true;
  return Object.entries(properties).toSorted(
    ([, one], [, other]) => Number(isRefused(one)) - Number(isRefused(other)),
  );
}

/** A schema's type: `string`, `list of strings`, `integer or null`. */
export function typeWords(schema: JsonSchema, schemas: Schemas): string {
  const { type, items, anyOf, oneOf, allOf, enum: values, ...rest } = resolveIn(schemas, schema);
  if (rest.const !== undefined) return JSON.stringify(rest.const);
  const variants = anyOf ?? oneOf;
  if (variants !== undefined) {
    return [...new Set(variants.map((variant) => typeWords(variant, schemas)))].join(' or ');
  }
  if (values !== undefined) return values.length > 4 ? 'string' : values.map(String).join(' | ');
  if (type === 'array')
    return `list of ${items === undefined ? 'values' : plural(typeWords(items, schemas))}`;
  if (Array.isArray(type)) return type.join(' or ');
  if (rest.format === 'date-time') return 'date-time';
  if (type === 'object' && typeof rest.additionalProperties === 'object') return 'map';
  if (type === undefined && allOf?.[0] !== undefined) return typeWords(allOf[0], schemas);
  return typeof type === 'string' ? type : 'any';
}

/** Bounds and default: `1 to 200`, `at most 5`, `default 50`. */
export function boundWords(schema: JsonSchema, schemas: Schemas): string {
  const s = resolveIn(schemas, schema);
  const words = [
    range(s.minimum, s.maximum, ''),
    range(s.minLength, s.maxLength, ' characters'),
    range(s.minItems, s.maxItems, ' items'),
    range(undefined, s.maxProperties, ' members'),
    s.default === undefined ? '' : `default ${JSON.stringify(s.default)}`,
  ];
  const values = s.enum !== undefined && s.enum.length > 4 ? `one of ${s.enum.join(', ')}` : '';
  return [...words, values].filter((word) => word !== '').join(', ');
}

function row(
  name: string,
  schema: JsonSchema,
  required: boolean,
  schemas: Schemas,
  depth: number,
  within: readonly string[],
): Html {
  const described = resolveIn(schemas, schema);
  const bounds = boundWords(schema, schemas);
  const inner = hasMembers(schema, schemas) ? schemaRows(schema, schemas, depth + 1, within) : '';
  return `<li><div class="field"><code class="name">${escaped(name)}</code> <span class="type">${escaped(
    typeWords(schema, schemas),
  )}</span>${required ? ' <span class="req">required</span>' : ''}${
    bounds === '' ? '' : ` <span class="bound">${escaped(bounds)}</span>`
  }</div>${described.description === undefined ? '' : `<p>${inline(described.description)}</p>`}${
    inner === '' ? '' : unfolding('members', inner)
  }</li>`;
}

function unfolding(label: Html, inner: Html): Html {
  return `<details class="inner"><summary>${label}</summary>${inner}</details>`;
}

function hasMembers(schema: JsonSchema, schemas: Schemas): boolean {
  const { properties, items, anyOf } = resolveIn(schemas, schema);
  if (properties !== undefined) return true;
  if (items !== undefined) return hasMembers(items, schemas);
  return anyOf?.some((variant) => hasMembers(variant, schemas)) ?? false;
}

function plural(words: string): string {
  return /^\w+$/.test(words) && words !== 'any' ? `${words}s` : words;
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const shown = (value: number) => value.toLocaleString('en-US');
  if (least !== undefined && most !== undefined) {
    return least === most ? `${shown(least)}${unit}` : `${shown(least)} to ${shown(most)}${unit}`;
  }
  if (most !== undefined) return `at most ${shown(most)}${unit}`;
  return least === undefined ? '' : `at least ${shown(least)}${unit}`;
}

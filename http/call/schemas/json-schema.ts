// Turns zod schemas into the description's JSON Schema. Named schemas (`meta({id})`) become
// components. Removes closed objects, safe-integer bounds, and patterns that repeat a format.

import { z } from 'zod';
import { AssertionFailed } from '../../../engine/base/assert.ts';

/** JSON Schema 2020-12, as far as this description uses it. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly contentMediaType?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
}

const componentPath = '#/components/schemas/';
const ownPath = '#/$defs/';
/** Keywords whose values are data, not schemas. */
const verbatim = new Set(['examples', 'example', 'default', 'const', 'enum', 'required']);

export class SchemaComponents {
  readonly schemas: Record<string, JsonSchema> = {};

  /** The schema of an input (body, query) or output (response), with references to components. */
  add(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { $defs, ...root } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
    for (const [name, definition] of Object.entries($defs ?? {})) {
      const cleaned = clean(definition, componentPath) as JsonSchema;
      const known = this.schemas[name];
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(cleaned)) {
        throw new AssertionFailed(`two schemas are named ${name}`);
      }
      this.schemas[name] = cleaned;
    }
    return clean(root, componentPath) as JsonSchema;
  }

  resolve(schema: JsonSchema): JsonSchema {
    return resolveIn(this.schemas, schema);
  }
}

/** Follows a reference to one of `schemas`; fields beside the reference win. */
export function resolveIn(
  schemas: Readonly<Record<string, JsonSchema>>,
  schema: JsonSchema,
): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...beside } = schema;
  const target = schemas[$ref.slice(componentPath.length)];
  if (target === undefined) throw new AssertionFailed(`${$ref} is not a component`);
  return { ...resolveIn(schemas, target), ...beside };
}

/** The schema of an input by itself: named schemas are in its `$defs`. */
export function selfContained(schema: z.ZodType): JsonSchema {
  const { $defs, ...root } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const cleaned = clean(root, ownPath) as JsonSchema;
  if ($defs === undefined) return cleaned;
  return { ...cleaned, $defs: cleanProperties($defs, ownPath) as Record<string, JsonSchema> };
}

/** For `additionalProperties` of an object that refuses what it does not know. */
export const refusesOthers = { not: {} } as const;

/** Zod writes `false` for every object, also for those whose unknown members are ignored. */
function isClosed(key: string, member: unknown): boolean {
  return key === 'additionalProperties' && JSON.stringify(member) === '{"not":{}}';
}

/** `path` is where references lead to. */
function clean(value: unknown, path: string): unknown {
  if (Array.isArray(value)) return value.map((one) => clean(one, path));
  if (typeof value !== 'object' || value === null) return value;
  const kept: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (isNoise(key, member, value)) continue;
    if (isClosed(key, member)) kept[key] = false;
    else if (key === '$ref') kept[key] = String(member).replace(ownPath, path);
    else if (key === 'properties') kept[key] = cleanProperties(member, path);
    else kept[key] = verbatim.has(key) ? member : clean(member, path);
  }
  return kept;
}

/** Property names may equal keywords, so they are skipped here. */
function cleanProperties(properties: unknown, path: string): unknown {
  return Object.fromEntries(
    Object.entries(properties as object).map(([name, schema]) => [name, clean(schema, path)]),
  );
}

function isNoise(key: string, member: unknown, parent: object): boolean {
  switch (key) {
    case '$schema':
    case 'id':
    case 'propertyNames':
      return true;
    case 'additionalProperties':
      // Closed objects would contradict "unknown members are ignored"; open ones say nothing.
      return (
        member === false || (typeof member === 'object' && Object.keys(member ?? {}).length === 0)
      );
    case 'minimum':
      return member === Number.MIN_SAFE_INTEGER;
    case 'maximum':
      return member === Number.MAX_SAFE_INTEGER;
    case 'pattern':
      return 'format' in parent;
    default:
      return false;
  }
}

// TypeScript types from JSON Schema, as far as the API description uses it.

/** A schema of the API description: JSON Schema 2020-12. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly not?: unknown;
}

/** The type of a schema, as TypeScript source. Named schemas become names. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((one) => JSON.stringify(one)));
  const parts = schema.anyOf ?? schema.oneOf;
  if (parts !== undefined) return union(parts.map(typeOf));
  if (schema.allOf !== undefined) return schema.allOf.map((one) => `(${typeOf(one)})`).join(' & ');
  const { type } = schema;
  if (Array.isArray(type))
    return union(type.map((one: string) => typeOf({ ...schema, type: one })));
  return plainType(schema);
}

function plainType(schema: Schema): string {
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      if (schema.prefixItems !== undefined)
        return `readonly [${schema.prefixItems.map(typeOf).join(', ')}]`;
      return `readonly (${typeOf(schema.items ?? {})})[]`;
    case 'object':
      return objectType(schema);
    default:
      return schema.properties === undefined ? 'unknown' : objectType(schema);
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema): string {
  const members = Object.entries(properties).map(
    ([name, schema]) =>
      `readonly ${memberName(name)}${required.includes(name) ? '' : '?'}: ${memberType(schema)};`,
  );
  const rest =
    additionalProperties === undefined || typeof additionalProperties === 'boolean'
      ? undefined
      : typeOf(additionalProperties);
  if (members.length === 0) return `Readonly<Record<string, ${rest ?? 'unknown'}>>`;
  const own = `{ ${members.join(' ')} }`;
  return rest === undefined ? own : `${own} & Readonly<Record<string, ${rest}>>`;
}

/** A member that is described but never accepted has no schema but its description. */
function memberType(schema: Schema): string {
  return schema.not === undefined ? typeOf(schema) : 'never';
}

export function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

function union(parts: readonly string[]): string {
  return [...new Set(parts)].join(' | ') || 'never';
}

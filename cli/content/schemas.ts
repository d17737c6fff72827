// The schema of each kind of file, from the API description of the server: for editors, and to find
// what is wrong with files before anything is sent.

import { contentReferences, type Kind } from './kinds.ts';

/** JSON Schema, as far as the API description uses it. */
export interface FileSchema {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, FileSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly FileSchema[];
}

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedBody>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, FileSchema>> };
}

interface DescribedBody {
  readonly operationId: string;
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: FileSchema }>>;
  };
}

/** The schemas of one server. */
export class ContentSchemas {
  readonly #bodies = new Map<string, FileSchema>();
  readonly #named: Readonly<Record<string, FileSchema>>;

  constructor(description: unknown) {
    const { paths, components } = description as Described;
    this.#named = components.schemas;
    for (const methods of Object.values(paths))
      for (const { operationId, requestBody } of Object.values(methods)) {
        const schema = requestBody?.content['application/json']?.schema;
        if (schema !== undefined) this.#bodies.set(operationId, schema);
      }
  }

  static async of(baseUrl: string): Promise<ContentSchemas> {
    const answer = await fetch(`${baseUrl.replace(/\/+$/, '')}/openapi.json`);
    if (!answer.ok) throw new Error(`GET ${answer.url}: ${answer.status}`);
    return new ContentSchemas(await answer.json());
  }

  /** Whether the server knows this kind. */
  knows({ created }: Kind): boolean {
    return this.#bodies.has(created);
  }

  /** The schema of a file, whole in itself. */
  of(kind: Kind): FileSchema {
    const { created, inNoFile, noun } = kind;
    const body = this.#resolved(this.#bodies.get(created) ?? {});
    const gone = new Set([...inNoFile, 'templateName', 'templateId']);
    const properties = Object.fromEntries(
      Object.entries(body.properties ?? {})
        .filter(([name, one]) => !gone.has(name) && one['not'] === undefined)
        .map(([name, one]): [string, FileSchema] => [
          contentReferences[name]?.file ?? name,
          contentReferences[name] === undefined
            ? renamed(one)
            : aReference(one, contentReferences[name].folder),
        ]),
    );
    const timezone = noun === 'settings' ? { timezone: { type: 'string' } } : {};
    const own$ = { $schema: { type: 'string' }, ...timezone };
    const required = (body.required ?? []).map((name) => contentReferences[name]?.file ?? name);
    const schema = { type: 'object', properties: { ...own$, ...properties }, required };
    return {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: noun,
      ...schema,
      additionalProperties: false,
      $defs: this.#definitionsOf(schema),
    };
  }

  /** The fields that an update may set to `null`. */
  clearable({ created }: Kind): ReadonlySet<string> {
    const update = this.#bodies.get(created.replace(/^create/, 'update'));
    const { properties = {} } = this.#resolved(update ?? {});
    return new Set(
      Object.entries(properties)
        .filter(([, one]) => this.#takesNull(one))
        .map(([name]) => contentReferences[name]?.file ?? name),
    );
  }

  #takesNull(schema: FileSchema): boolean {
    const { type, anyOf = [] } = this.#resolved(schema);
    if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return true;
    return anyOf.some((one) => this.#takesNull(one));
  }

  #resolved(schema: FileSchema): FileSchema {
    return schema.$ref === undefined ? schema : (this.#named[nameIn(schema.$ref)] ?? {});
  }

  /** All named schemas that this one needs, directly or by others. */
  #definitionsOf(schema: FileSchema): Readonly<Record<string, FileSchema>> {
    const found: Record<string, FileSchema> = {};
    const waiting = namesIn(schema);
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (found[name] !== undefined) continue;
      const one = renamed(this.#named[name] ?? {});
      found[name] = one;
      waiting.push(...namesIn(one));
    }
    return found;
  }
}

/** A name, in place of an id. */
function aReference(schema: FileSchema, folder: string): FileSchema {
  const description = `The name of one of ${folder}/, or file:<its file without .json>.`;
  const takesNull = JSON.stringify(schema).includes('"null"');
  return { type: takesNull ? ['string', 'null'] : 'string', description };
}

/** Named schemas are below `$defs`; fields that refer to something have a name. */
function renamed(schema: unknown): FileSchema {
  if (Array.isArray(schema)) return schema.map(renamed) as unknown as FileSchema;
  if (typeof schema !== 'object' || schema === null) return schema as unknown as FileSchema;
  const entries = Object.entries(schema).flatMap(([name, value]): [string, unknown][] => {
    if (name === '$ref') return [['$ref', `#/$defs/${nameIn(String(value))}`]];
    if (name === 'properties') return [[name, withNames(value as Record<string, FileSchema>)]];
    if (name === 'required' && Array.isArray(value))
      return [[name, value.map((one: string) => contentReferences[one]?.file ?? one)]];
    return [
      [name, ['enum', 'const', 'default', 'examples'].includes(name) ? value : renamed(value)],
    ];
  });
  return Object.fromEntries(entries);
}

function withNames(properties: Readonly<Record<string, FileSchema>>) {
  const found: Record<string, FileSchema> = {};
  for (const [name, schema] of Object.entries(properties)) {
    const reference = contentReferences[name];
    if (reference === undefined) found[name] ??= renamed(schema);
    else {
      // A step sends a saved message by its name, or one of its own.
      const inline = properties[reference.file];
      const named = aReference(schema, reference.folder);
      found[reference.file] = inline === undefined ? named : { anyOf: [named, renamed(inline)] };
    }
  }
  return found;
}

function nameIn(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

function namesIn(schema: unknown): string[] {
  return [...JSON.stringify(schema).matchAll(/"\$ref":"[^"]*\/(\w+)"/g)].map(
    ([, name = '']) => name,
  );
}

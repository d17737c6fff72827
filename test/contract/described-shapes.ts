// What the API description promises of answers, as validators. An object that lists its members has
// no others: an undocumented member is a lie as well. Only objects that list none are open.

import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../http/call/schemas/json-schema.ts';
import type {
  OpenApiContent,
  OpenApiDocument,
  OpenApiResponse,
} from '../../http/describe/openapi-types.ts';
import type { Operation } from '../e2e/described-calls.ts';
import type { Reply } from '../support/server.ts';
import { parseCsv } from '../support/strict-csv.ts';

const home = 'https://described.example/api';
const componentPath = '#/components/schemas/';

/** Judges answers by one description. */
export class DescribedShapes {
  readonly #document: OpenApiDocument;
  readonly #ajv = new Ajv2020({ strict: false, formats });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
    const { schemas } = document.components;
    const closed = Object.entries(schemas).map(([name, one]) => [name, this.#closedInside(one)]);
    this.#ajv.addSchema({ $id: home, components: { schemas: Object.fromEntries(closed) } });
  }

  /** What an answer to this operation has that is not described, or lacks; `undefined` if true. */
  lieOf({ line, spec }: Operation, reply: Reply): string | undefined {
    const described = spec.responses[reply.status];
    if (described === undefined)
      return `the status ${reply.status} is not described, only ${Object.keys(spec.responses).join(', ')}`;
    const own = line.includes(' /compat/') && reply.status >= 400 ? withoutElsewhere(reply) : reply;
    return this.#lieOfResponse(`${line} ${reply.status}`, described, own);
  }

  /** The same for a refusal outside the operations, such as a 405. */
  lieOfRefusal(reply: Reply): string | undefined {
    const lane = 'x-ratelimit-lane' in reply.headers ? 'Lane' : '';
    const described = this.#document.components.responses[`${lane}Error${reply.status}`];
    if (described === undefined) return `no refusal is described with ${reply.status}`;
    return this.#lieOfResponse(`${lane}${reply.status}`, described, reply);
  }

  #lieOfResponse(place: string, described: OpenApiResponse, reply: Reply): string | undefined {
    const name = described.$ref?.split('/').at(-1) ?? '';
    const { content, headers = {} } =
      described.$ref === undefined ? described : (this.#document.components.responses[name] ?? {});
    // operations share their refusals
    const shared = described.$ref ?? place;
    return lieOfHeaders(headers, reply) ?? this.#lieOfContent(shared, content, reply);
  }

  #lieOfContent(
    place: string,
    content: OpenApiContent | undefined,
    { headers, text, json }: Reply,
  ): string | undefined {
    const type = String(headers['content-type'] ?? '')
      .split(';')[0]
      ?.trim();
    if (content === undefined)
      return text === '' ? undefined : `a body (${type}) where none is described`;
    const schema = content[type ?? '']?.schema;
    if (schema === undefined)
      return `the content type "${type}" is not described, only ${Object.keys(content).join(', ')}`;
    if (type !== 'application/json') return lieOfText(type ?? '', text);
    if (json === undefined) return 'no JSON under application/json';
    return this.#lieOfJson(`${place} ${type}`, schema, json);
  }

  #lieOfJson(place: string, schema: JsonSchema, json: unknown): string | undefined {
    let validate = this.#validators.get(place);
    if (validate === undefined) {
      validate = this.#ajv.compile(this.#closed(schema) as object);
      this.#validators.set(place, validate);
    }
    return validate(json) ? undefined : (validate.errors ?? []).map(sentenceOf).join('; ');
  }

  /** A schema in the place of a value: what it does not list, the value must not have. */
  #closed(schema: JsonSchema | boolean): unknown {
    if (typeof schema === 'boolean') return schema;
    const inside = this.#closedInside(schema);
    return this.#isOpen(schema) ? inside : { ...inside, unevaluatedProperties: false };
  }

  /** The same with its own members open, as a part of another schema. */
  #closedInside(schema: JsonSchema): object {
    const { $ref, properties, additionalProperties, items, anyOf, oneOf, allOf, ...rest } = schema;
    const each = (parts: readonly JsonSchema[]) => parts.map((one) => this.#closedInside(one));
    return {
      ...rest,
      ...($ref && { $ref: home + $ref }),
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, one]) => [name, this.#closed(one)]),
        ),
      }),
      ...(additionalProperties !== undefined && {
        additionalProperties: this.#closed(additionalProperties),
      }),
      ...(items && { items: this.#closed(items) }),
      ...(anyOf && { anyOf: each(anyOf) }),
      ...(oneOf && { oneOf: each(oneOf) }),
      ...(allOf && { allOf: each(allOf) }),
    };
  }

  /** Whether any member may be there: of a schema that lists none. */
  #isOpen(schema: JsonSchema): boolean {
    const { $ref, type, properties, anyOf, oneOf, allOf } = schema;
    if ($ref !== undefined) {
      const target = this.#document.components.schemas[$ref.slice(componentPath.length)];
      return target === undefined || this.#isOpen(target);
    }
    if (properties !== undefined) return false;
    if (allOf !== undefined) return allOf.some((one) => this.#isOpen(one));
    const either = anyOf ?? oneOf;
    if (either !== undefined) return either.some((one) => this.#isOpen(one));
    return type === undefined || [type].flat().includes('object');
  }
}

const formats = {
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/,
};

/** Headers of our own that no answer may bring unannounced. */
function lieOfHeaders(described: object, { headers }: Reply): string | undefined {
  const unknown = Object.keys(headers).filter(
    (name) =>
      /^(x-(?!content-type-options|robots-tag)|retry-after$|location$)/.test(name) &&
      !(name in described),
  );
  return unknown.length === 0
    ? undefined
    : `the header ${unknown.join(', ')} is not described, only ${Object.keys(described).join(', ')}`;
}

const forms: Readonly<Record<string, (text: string) => unknown>> = {
  'text/csv': (text) => parseCsv(text),
  'application/x-ndjson': (text) =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
  'text/html': (text) => begins(text, '<!doctype html>'),
  'image/gif': (text) => begins(text, 'GIF89a'),
  'text/xml': (text) => begins(text, '<?xml'),
  'text/plain': () => undefined,
};

function lieOfText(type: string, text: string): string | undefined {
  try {
    const read = forms[type];
    if (read === undefined) return `nobody here reads ${type}`;
    read(text);
    return undefined;
  } catch (error) {
    return `no ${type}: ${error instanceof Error ? error.message : error}`;
  }
}

function begins(text: string, start: string): void {
  if (!text.toLowerCase().startsWith(start.toLowerCase()))
    throw new Error(`begins with ${JSON.stringify(text.slice(0, 20))}, not ${start}`);
}

function sentenceOf({ instancePath, message, params }: ErrorObject): string {
  const where = instancePath === '' ? 'the body' : instancePath;
  const what = Object.values(params as object).filter((value) => typeof value !== 'object');
  return `${where} ${message}${what.length > 0 ? ` (${what.join(', ')})` : ''}`;
}

/** Without what errors say in other services' forms (test/contract/other-services.test.ts). */
function withoutElsewhere(reply: Reply): Reply {
  const {
    meta: _customerio,
    errors: _onesignal,
    success: _segment,
    message: _also,
    ...json
  } = reply.json ?? {};
  return { ...reply, json };
}

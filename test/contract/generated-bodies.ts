// Bodies and queries made from the API description: valid by a schema, close to an example of it,
// or wrong in one place. The same for a seed.

import * as fc from 'fast-check';
import { type JsonSchema, resolveIn } from '../../http/call/schemas/json-schema.ts';
import { type IdKind, idOf } from '../e2e/described-calls.ts';
import { type JsonPath, placesOf } from '../support/json-places.ts';
import { tries } from '../support/tries.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;
type Arb = fc.Arbitrary<unknown>;

/** `count` bodies: in turn one by the schema alone, and one close to an example. */
export function validBodies(
  schemas: Schemas,
  schema: JsonSchema,
  examples: readonly unknown[],
  { seed, count }: { readonly seed: number; readonly count: number },
): readonly unknown[] {
  const maker = new ValueMaker(schemas);
  const [first] = examples;
  const near = first === undefined ? [] : examples.map((one) => maker.near(schema, one));
  const arbs = [...near, maker.whole(schema)];
  return arbs.flatMap((arb, index) =>
    fc.sample(arb, { seed: seed + index, numRuns: Math.ceil(count / arbs.length) }),
  );
}

/** `count` values of a parameter. */
export function parameterValues(
  schemas: Schemas,
  { name, schema }: { readonly name: string; readonly schema: JsonSchema },
  { seed, count }: { readonly seed: number; readonly count: number },
): readonly string[] {
  const arb = new ValueMaker(schemas).whole(schema, name);
  return fc.sample(arb, { seed, numRuns: count }).map(String);
}

/** An example with one thing wrong, and what it is. */
interface Mutation {
  readonly what: string;
  readonly body: unknown;
}

/** At most `count` of them, spread over the places of the example. */
export function wrongBodies(
  example: unknown,
  { seed, count }: { readonly seed: number; readonly count: number },
): readonly Mutation[] {
  const places = placesOf(example);
  if (places.length === 0) return [];
  const all = places.flatMap((place) =>
    Object.entries(wrongValues).map(([what, value]) => ({
      what: `${place.join('.')} ${what}`,
      body: changed(example, place, () => value),
    })),
  );
  const order = fc.shuffledSubarray(all, {
    minLength: Math.min(count, all.length),
    maxLength: Math.min(count, all.length),
  });
  return fc.sample(order, { seed, numRuns: tries(1) })[0] ?? [];
}

const depthMax = 8;
const missing = Symbol('missing');
const wrongValues = {
  'is missing': missing,
  'is null': null,
  'is a number': -1,
  'is a fraction': 0.5,
  'is a huge number': 1e308,
  'is a text': 'x',
  'is empty': '',
  'is a long text': 'x'.repeat(70_000),
  'has a control character': 'a\u0000b',
  'is a template': '{{ nobody.knows }}',
  'is a broken template': '{{',
  'is a list': [1],
  'is an empty list': [],
  'is a long list': Array.from({ length: 1_001 }, (_, i) => `x${i}`),
  'is an object': { surprise: 1 },
  'is true': true,
  'is another id': idOf('sub'),
  'is in the past': '2001-01-01T00:00:00Z',
};

/** What a text of this name is, if it names something of the world. */
const kindOfMember: Readonly<Record<string, IdKind>> = {
  appId: 'app',
  subscriberId: 'sub',
  externalUserId: 'external',
  messageId: 'msg',
  segmentId: 'seg',
  entrySegmentId: 'seg',
  campaignId: 'cmp',
  journeyId: 'jrn',
  deviceId: 'dev',
  sendId: 'ntf',
};

class ValueMaker {
  readonly #schemas: Schemas;

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  /** Any value of a schema. */
  whole(given: JsonSchema, name = '', depth = 0): Arb {
    const schema = resolveIn(this.#schemas, given);
    const { examples = [] } = schema;
    if (depth > depthMax) return fc.constantFrom(...examples, null);
    // made when drawn: filters hold filters
    const own = fc.constant(schema).chain((one) => this.#own(one, name, depth));
    if (examples.length === 0) return own;
    return fc.oneof(
      { arbitrary: fc.constantFrom(...examples), weight: 1 },
      { arbitrary: own, weight: 1 },
    );
  }

  /** A value close to this one: most places as they are. */
  near(given: JsonSchema, value: unknown, name = '', depth = 0): Arb {
    const schema = resolveIn(this.#schemas, given);
    const kept = fc.constant(value);
    const other = this.whole(schema, name, depth);
    if (isRecord(value) && schema.properties !== undefined) {
      const members = Object.entries(schema.properties).map(([key, one]) => {
        const arb =
          key in value
            ? this.near(one, value[key], key, depth + 1)
            : sometimes(this.whole(one, key, depth + 1));
        return [key, arb] as const;
      });
      const rest = Object.entries(value).filter(([key]) => !(key in (schema.properties ?? {})));
      return fc
        .record(Object.fromEntries(members))
        .map((made) => ({ ...Object.fromEntries(rest), ...withoutMissing(made) }));
    }
    if (Array.isArray(value) && schema.items !== undefined) {
      const { items } = schema;
      const parts = value.map((one) => this.near(items, one, name, depth + 1));
      return fc.tuple(...parts);
    }
    return fc.oneof({ arbitrary: kept, weight: 4 }, { arbitrary: other, weight: 1 });
  }

  #own(schema: JsonSchema, name: string, depth: number): Arb {
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    const either = schema.anyOf ?? schema.oneOf;
    if (either !== undefined)
      return fc.oneof(...either.map((one) => this.whole(one, name, depth + 1)));
    if (schema.allOf !== undefined) {
      const parts = schema.allOf.map((one) => resolveIn(this.#schemas, one));
      return this.whole(Object.assign({}, ...parts) as JsonSchema, name, depth + 1);
    }
    const types = [schema.type ?? []].flat();
    if (types.length === 0) return fc.jsonValue({ maxDepth: 1 }) as Arb;
    return fc.oneof(...types.map((type) => this.#ofType(type, schema, name, depth)));
  }

  #ofType(type: string, schema: JsonSchema, name: string, depth: number): Arb {
    const { minimum = -1_000_000, maximum = 1_000_000 } = schema;
    switch (type) {
      case 'object':
        return this.#object(schema, depth);
      case 'array': {
        const { items = {}, minItems = 0, maxItems = 3 } = schema;
        const most = depth > 5 ? minItems : Math.max(minItems, Math.min(maxItems, 3));
        const one = this.whole(items, name.replace(/s$/, ''), depth + 1);
        return fc.array(one, { minLength: minItems, maxLength: most });
      }
      case 'integer':
        return fc.integer({ min: Math.max(minimum, -1e9), max: Math.min(maximum, 1e9) });
      case 'number':
        return fc.double({ min: minimum, max: maximum, noNaN: true });
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      default:
        return this.#text(schema, name);
    }
  }

  #object({ properties, required = [], additionalProperties }: JsonSchema, depth: number): Arb {
    if (properties === undefined) {
      const values =
        typeof additionalProperties === 'object'
          ? this.whole(additionalProperties, '', depth + 1)
          : (fc.jsonValue({ maxDepth: 1 }) as Arb);
      return fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), values, { maxKeys: 3 });
    }
    const members = Object.entries(properties).map(([key, one]) => {
      const arb = this.whole(one, key, depth + 1);
      return [key, required.includes(key) ? arb : sometimes(arb, depth)] as const;
    });
    return fc.record(Object.fromEntries(members)).map(withoutMissing);
  }

  #text({ format, pattern, minLength = 0, maxLength = 40 }: JsonSchema, name: string): Arb {
    const kind = kindOfMember[name];
    if (kind !== undefined) return fc.constant(idOf(kind));
    if (format === 'date-time')
      return fc.integer({ min: 0, max: 4e9 }).map((seconds) => iso(seconds));
    if (format === 'date') return fc.integer({ min: 0, max: 4e9 }).map((s) => iso(s).slice(0, 10));
    if (format === 'uri') return fc.webUrl();
    if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
    const most = Math.max(minLength, Math.min(maxLength, 40));
    return fc.string({ unit: 'grapheme', minLength, maxLength: most });
  }
}

function iso(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}

function sometimes(arb: Arb, depth = 0): Arb {
  return fc.oneof(
    { arbitrary: fc.constant(missing), weight: depth > 3 ? 12 : 3 },
    { arbitrary: arb, weight: 1 },
  );
}

function withoutMissing(made: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(made).filter(([, value]) => value !== missing));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function changed(value: unknown, [first, ...rest]: JsonPath, by: () => unknown): unknown {
  if (first === undefined) return by();
  if (Array.isArray(value))
    return value
      .map((one, index) => (index === first ? changed(one, rest, by) : one))
      .filter((one) => one !== missing);
  const inner = changed(Reflect.get(value as object, first), rest, by);
  return withoutMissing({ ...(value as object), [first]: inner });
}

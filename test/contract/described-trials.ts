// The calls that an operation of the description is tried with: its examples, bodies and queries by
// its schemas, and each way to get a call wrong: key, ids, query, type, form and size of the body.

import type { OpenApiDocument, OpenApiParameter } from '../../http/describe/openapi-types.ts';
import {
  examplesOf,
  fill,
  type Operation,
  unknownWorld,
  type World,
} from '../e2e/described-calls.ts';
import { parameterValues, validBodies, wrongBodies } from './generated-bodies.ts';

/** A call of an operation. */
export interface Trial {
  readonly operation: Operation;
  /** What is special about it. */
  readonly what: string;
  /** Method and path. */
  readonly line: string;
  readonly body?: string | object | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Is meant to succeed, so what it does is done to something new. */
  readonly isMeant?: true;
}

/** What trials are made from. */
export interface Materials {
  readonly document: OpenApiDocument;
  readonly own: World;
  /** The header that lets the caller in; empty where nobody is asked. */
  readonly credential: Readonly<Record<string, string>>;
  /** Credentials of other kinds, by what they are. */
  readonly otherCredentials: Readonly<Record<string, string>>;
  readonly seed: number;
  /** Generated bodies per example of an operation. */
  readonly bodies: number;
}

const json = { 'content-type': 'application/json' };
const tooLarge = `{"padding":"${'x'.repeat(1_048_576)}"}`;

/** Calls as described, and with a generated body or query. */
export function acceptableTrials(operation: Operation, from: Materials): readonly Trial[] {
  const { document, own, credential, seed, bodies } = from;
  const { schemas } = document.components;
  const examples = examplesOf(operation);
  const make = (what: string, body: unknown, index = 0): Trial => {
    const [line, filled] = fill(operation, body, () => own);
    const isMeant = what.startsWith('a body') ? {} : { isMeant: true as const };
    return { ...trial(operation, `${what} ${index}`, line, filled, credential), ...isMeant };
  };
  const described = examples.map((one, index) => make('described example', one, index));
  const schema = operation.spec.requestBody?.content['application/json']?.schema;
  if (schema === undefined) return [...described, ...queryTrials(operation, from)];
  const count = Math.max(bodies, examples.length + 1);
  const valid = validBodies(schemas, schema, examples, { seed, count });
  const wrong = examples.flatMap((one, index) =>
    wrongBodies(one, { seed: seed + index, count: bodies }),
  );
  const surprising = { surprise: { nobody: ['knows'] } };
  return [
    ...described,
    ...valid.map((one, index) => make('generated body', one, index)),
    ...wrong.map(({ what, body }) => make(`a body whose ${what}`, body)),
    make('unknown member', { ...(examples[0] as object), ...surprising }),
    ...queryTrials(operation, from),
  ];
}

/** Calls that are wrong whatever the state of what they name. */
export function refusedTrials(operation: Operation, from: Materials): readonly Trial[] {
  const { own, credential, otherCredentials } = from;
  const [example] = examplesOf(operation);
  const [line, body] = fill(operation, example, () => own);
  const [unknown, unknownBody] = fill(operation, example, () => unknownWorld(own));
  const [nonsense] = fill(operation, example, () => nonsenseWorld);
  const make = (what: string, ...[line, body, headers = credential]: Parts) =>
    trial(operation, what, line, body, headers);
  const trials = [
    make('ids that nobody has', unknown, unknownBody),
    make('ids in the path that nobody has', unknown, body),
    make('no ids in the path', nonsense, body),
    make('unknown parameter', withQuery(line, 'surprise=1'), body),
    make('repeated parameter', withQuery(line, 'limit=1&limit=2'), body),
    make('no query', line.replace(/\?.*/, ''), body),
    make('no credential', line, body, {}),
    ...Object.entries(otherCredentials).map(([what, authorization]) =>
      make(what, line, body, { authorization }),
    ),
  ];
  if (operation.method === 'GET') return trials;
  const typed = (type: string) => ({ ...credential, 'content-type': type });
  return [
    ...trials,
    make('broken JSON', line, '{"a":', { ...credential, ...json }),
    make('no bytes', line, '', { ...credential, ...json }),
    make('a list', line, '[]', { ...credential, ...json }),
    make('null', line, 'null', { ...credential, ...json }),
    make('two members of a name', line, '{"a":1,"a":2}', { ...credential, ...json }),
    make('a form', line, 'a=b', typed('application/x-www-form-urlencoded')),
    make('XML', line, '<a/>', typed('application/xml')),
    make('too large a body', line, tooLarge, { ...credential, ...json }),
    make(
      'unknown member, strict',
      withQuery(line, 'strict=true'),
      typeof body === 'string' ? body : { ...body, surprise: 1 },
    ),
    make('strictness that is no boolean', withQuery(line, 'strict=perhaps'), body),
  ];
}

type Parts = [line: string, body?: string | object, headers?: Readonly<Record<string, string>>];

const nonsenseWorld = new Proxy({} as World, { get: () => 'nonsense' });

function trial(
  operation: Operation,
  what: string,
  line: string,
  body: string | object | undefined,
  headers: Readonly<Record<string, string>>,
): Trial {
  return { operation, what, line, body, headers };
}

/** Each parameter with values by its schema and with odd ones, and all of them at once. */
function queryTrials(operation: Operation, from: Materials): readonly Trial[] {
  const { document, own, credential, seed, bodies } = from;
  const { schemas } = document.components;
  const [line, body] = fill(operation, examplesOf(operation)[0], () => own);
  const parameters = (operation.spec.parameters ?? []).filter(({ in: place }) => place === 'query');
  const valuesOf = (one: OpenApiParameter) =>
    parameterValues(schemas, one, { seed, count: Math.ceil(bodies / 2) });
  const single = parameters.flatMap((one) => [
    ...valuesOf(one).map((value) => [[one.name, value] as const]),
    ...oddValuesFor(one, from).map((value) => [[one.name, value] as const]),
  ]);
  const drawn = parameters.map((one) => [one.name, valuesOf(one)] as const);
  const together = Array.from({ length: Math.ceil(bodies / 2) }, (_, index) =>
    drawn.map(([name, values]) => [name, values[index % values.length] ?? ''] as const),
  );
  return [...single, ...(parameters.length > 1 ? together : [])].map((pairs) => {
    const what = `query ${pairs.map(([name]) => name).join(', ')}`;
    return trial(operation, what, replaced(line, pairs, own), body, credential);
  });
}

/** Some of them, others for the next parameter. */
function oddValuesFor({ name }: OpenApiParameter, { seed, bodies }: Materials): readonly string[] {
  const from = (seed + name.length) % oddValues.length;
  return [...oddValues, ...oddValues].slice(from, from + Math.min(bodies, oddValues.length));
}

const oddValues = ['', 'x', '-1', '1.5', '\u0000', '9'.repeat(30), 'true', 'x'.repeat(2_000)];

/** A line with these parameters in place of its own of these names. */
function replaced(
  line: string,
  pairs: readonly (readonly [name: string, value: string])[],
  own: World,
): string {
  const [path = '', query = ''] = line.split('?');
  const parameters = new URLSearchParams(query);
  for (const [name, value] of pairs) parameters.set(name, realId(value, own));
  return `${path}?${parameters}`;
}

function realId(value: string, own: World): string {
  const kind = /^([a-z]+)_0{26}$/.exec(value)?.[1];
  return kind !== undefined && kind in own ? own[kind as keyof World] : value;
}

function withQuery(line: string, query: string): string {
  return `${line}${line.includes('?') ? '&' : '?'}${query}`;
}

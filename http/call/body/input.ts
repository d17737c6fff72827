// Parses a call's query and JSON body by its route's schemas. Unknown members of a body are ignored
// and named in the answer, or refused if the caller asks for that. Unknown query parameters are
// refused: a misspelled filter would silently widen the result.

import { z } from 'zod';
import {
  fault,
  inRefusal,
  type UnknownMember,
  unknownFieldFault,
  unsupportedFault,
} from '../../../actors/faults.ts';
import { limits } from '../../../actors/limits.ts';
import { type Fault, FaultError, fieldFault } from '../../../engine/base/fault.ts';
import type { HttpRequest } from '../../server/exchange.ts';
import { faultOfIssues, pathText } from '../answer/errors.ts';
import type { Call } from '../call.ts';
import type { Route } from '../route.ts';
import { inexactFault } from './inexact-number.ts';
import { guardJson } from './json-guard.ts';
import { repeatedMember } from './repeated-member.ts';
import { parseSparse } from './sparse-object.ts';
import { unknownMembers } from './unknown-members.ts';
import { brokenText } from './well-formed.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });
const shownCharsMax = 64;
const shownMax = 10;

/**
 * The parsed query. Throws a fault. Public calls come from released apps and pages that nobody can
 * fix: any parameter is allowed, and the last of repeated ones counts.
 */
export function parseQuery(route: Route, query: string): unknown {
  if (route.query === undefined && query === '') return undefined;
  const raw: Record<string, string> = {};
  const repeated: string[] = [];
  for (const [name, value] of new URLSearchParams(query)) {
    if (Object.hasOwn(raw, name)) repeated.push(name);
    raw[name] = value;
  }
  if (route.access.kind !== 'public') {
    refuseUnknown(Object.keys(raw), parametersOf(route));
    const [first] = repeated;
    if (first !== undefined)
      throw new FaultError(fieldFault(first, 'appears more than once; expected one value'));
  }
  if (route.query === undefined) return undefined;
  for (const name of numbersOf(route.query))
    if (Object.hasOwn(raw, name) && !/^-?\d{1,15}$/.test(raw[name] ?? '')) raw[name] = 'NaN';
  const parsed = route.query.safeParse(raw, { reportInput: true });
  if (!parsed.success) throw new FaultError(faultOfIssues(parsed.error, 'query'));
  return parsed.data;
}

const numbers = new WeakMap<z.ZodType, readonly string[]>();

/** Parameters that are numbers: written with digits alone, not as `0x10`, `1e1` or ` 5`. */
function numbersOf(query: z.ZodType): readonly string[] {
  let names = numbers.get(query);
  if (names === undefined) {
    const shape = query instanceof z.ZodObject ? query.shape : {};
    names = Object.keys(shape).filter((name) => innermost(shape[name]) instanceof z.ZodNumber);
    numbers.set(query, names);
  }
  return names;
}

function innermost(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return innermost(schema.unwrap());
  return schema instanceof z.ZodDefault ? innermost(schema.unwrap()) : schema;
}

function parametersOf({ query, body }: Route): readonly string[] {
  const own = query instanceof z.ZodObject ? Object.keys(query.shape) : [];
  return body === undefined ? own : [...own, 'strict'];
}

function refuseUnknown(names: readonly string[], known: readonly string[]): void {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const expected = known.length === 0 ? 'it takes none' : `expected one of ${known.join(', ')}`;
  const error = `is not a query parameter of this route; ${expected}`;
  const issues = unknown
    .slice(0, shownMax)
    .map((name) => ({ field: name.slice(0, shownCharsMax), error }));
  const field = issues[0]?.field ?? '';
  throw new FaultError({ ...fieldFault(field, error), ...(issues.length > 1 ? { issues } : {}) });
}

type ParsedBody = Pick<Call, 'body' | 'sent' | 'unknown' | 'inexact'>;

const noItems: ReadonlyMap<number, Fault> = new Map();
const noBody = { sent: undefined, unknown: [], inexact: noItems } as const;

/** The body as its schema parsed it, and as sent. Throws a fault. */
export function parseBody(
  route: Route,
  request: Pick<HttpRequest, 'header' | 'query'>,
  bytes: Uint8Array,
  params: Call['params'],
): ParsedBody {
  if (route.body === undefined || route.rawBody === true) return { ...noBody, body: undefined };
  if (route.optionalBody === true && bytes.byteLength === 0)
    return { ...noBody, body: route.body.parse({}) };
  const type = request.header('content-type');
  if (!/^application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i.test(type)) {
    throw new FaultError(
      fault(
        'unsupported_media_type',
        'the body must be JSON; send `content-type: application/json`',
      ),
    );
  }
  const encoding = request.header('content-encoding');
  if (encoding !== '' && encoding !== 'identity') {
    throw new FaultError(
      fault('unsupported_media_type', 'this route does not accept a content-encoding'),
    );
  }
  const read = route.readBytes?.(bytes);
  if (read !== undefined) {
    isStrict(request);
    return { ...noBody, body: read };
  }
  const { value: sent, isInexact } = readJson(bytes, route.valuesMax);
  if (route.judgesTexts !== true) refuseBroken(sent, bytes);
  const sparse = parseSparse(route.body, sent);
  const parsed =
    sparse === undefined
      ? route.body.safeParse(sent, { reportInput: true })
      : ({ success: true, data: sparse } as const);
  const schema = route.membersOf?.(params) ?? route.body;
  if (!parsed.success)
    throw new FaultError(
      namingUnknown(faultOfIssues(parsed.error, 'body'), unknownMembers(schema, sent)),
    );
  const unknown = unknownMembers(schema, sent);
  const [first] = unknown;
  if (first?.isUnsupported === true) throw new FaultError(unsupportedFault(first));
  if (isStrict(request) && unknown.length > 0) throw new FaultError(unknownFieldFault(unknown));
  const isJudged = isInexact && route.judgesTexts !== true;
  const inexact = isJudged ? judgeInexact(sent, unknown, route.judgesNumbersOf) : noItems;
  return { body: parsed.data, sent, unknown, inexact };
}

/**
 * Refuses a number that may not be stored as sent. Returns the faults of the items of the list
 * `items`, by index. Members that are dropped may have any.
 */
function judgeInexact(
  sent: unknown,
  unknown: readonly UnknownMember[],
  items: string | undefined,
): ReadonlyMap<number, Fault> {
  const dropped = unknown.filter(({ isStored }) => isStored !== true);
  const leftOut = new Set(dropped.map(({ field }) => field));
  if (items !== undefined) leftOut.add(items);
  const refusal = inexactFault(sent, (path) => leftOut.has(path));
  if (refusal !== undefined) throw new FaultError(refusal);
  if (items === undefined) return noItems;
  const faults = new Map<number, Fault>();
  for (const [index, item] of (sent as Record<string, unknown[]>)[items]?.entries() ?? []) {
    const fault = inexactFault(item);
    if (fault !== undefined) faults.set(index, fault);
  }
  return faults;
}

/** Whether a call wants unknown members refused. Throws a fault if it does not say it clearly. */
export function isStrict(request: Pick<HttpRequest, 'header' | 'query'>): boolean {
  const { query } = request;
  const asked = query.includes('strict') ? new URLSearchParams(query).get('strict') : null;
  const isAsked = isTrue('strict', asked ?? '');
  return isTrue('x-engage-strict', request.header('x-engage-strict')) || isAsked;
}

function isTrue(field: string, value: string): boolean {
  if (value !== '' && value !== 'true' && value !== 'false')
    throw new FaultError(fieldFault(field, 'expected true or false'));
  return value === 'true';
}

/**
 * A refusal that also names the members that resemble known ones, and all that are unknown if it
 * asks for a missing one: `external_user_id` may be why `externalUserId` is missing.
 */
export function namingUnknown(refusal: Fault, unknown: readonly UnknownMember[]): Fault {
  const { field, message } = refusal;
  if (refusal.code !== 'invalid' || field === undefined || unknown.length === 0) return refusal;
  const own = refusal.issues ?? [{ field, error: withoutField(message, field) }];
  const isMissing = own.some(({ error }) => error.startsWith('is missing'));
  const told = unknown.filter(({ meant }) => isMissing || meant !== undefined);
  const first = told.find(({ meant }) => meant !== undefined) ?? told[0];
  if (first === undefined) return refusal;
  return {
    ...refusal,
    message: `${message}. ${first.field}: ${inRefusal(first.warning)}`,
    issues: [...own, ...told.map(({ field, warning }) => ({ field, error: inRefusal(warning) }))],
  };
}

/** Sentences about a journey's steps name the step's id too; those stay whole. */
function withoutField(sentence: string, field: string): string {
  const begin = `${field}: `;
  return sentence.startsWith(begin) ? sentence.slice(begin.length) : sentence;
}

/** Refuses texts that cannot be stored as sent, before any schema runs. */
function refuseBroken(sent: unknown, bytes: Uint8Array): void {
  const broken = brokenText(sent, bytes);
  if (broken === undefined) return;
  const what = broken.isKey ? 'has a key with' : 'holds';
  throw new FaultError(
    fieldFault(
      pathText(broken.path) || 'body',
      `${what} an unpaired surrogate; expected valid Unicode`,
    ),
  );
}

/** JSON within the bounds on depth, size and keys. Throws a fault that names the problem. */
export function parseJson(bytes: Uint8Array): unknown {
  return readJson(bytes).value;
}

function readJson(bytes: Uint8Array, nodes: number = limits.jsonNodesMax) {
  const guarded = guardJson(bytes, { depth: limits.jsonDepthMax, nodes });
  if (!guarded.ok)
    throw new FaultError(fault('invalid_json', `body: ${guarded.problem}`, { field: 'body' }));
  const text = decoder.decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'not JSON';
    throw new FaultError(
      fault('invalid_json', `body: not valid JSON (${why.slice(0, 120)})`, { field: 'body' }),
    );
  }
  // Elsewhere the last one counts, as everywhere; of a filter, an audience would be another one.
  const twice = filterName.test(text) ? repeatedMember(text) : undefined;
  if (twice !== undefined)
    throw new FaultError(fieldFault(twice, 'appears twice; expected each member once'));
  return { value, isInexact: guarded.isInexact === true };
}

const filterName = /[fF]ilter"/;

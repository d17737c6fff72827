// The authority on `POST /e`: JSON.parse, then every rule by hand, one sentence per bad event.
// scan.ts only optimizes it. Refuses only a body that isn't a list of events as a whole.

import { Buffer, isUtf8 } from 'node:buffer';
import { type Bytes, type Millis, minuteMs } from '../../../engine/base/brand.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import { parseId } from '../../../engine/base/id.ts';
import { parseInstant } from '../../../engine/time/instant.ts';
import { isObject } from '../../is-object.ts';
import { limits as bounds, inexactProblem, isInexact } from '../../limits.ts';
import { tooOld } from '../../tenants/accounts/records.ts';
import type { EventRows, IngestLimits } from '../log/event-rows.ts';
import { RowWriter } from '../log/row-writer.ts';
import {
  eventIdCharsMax,
  externalUserIdBytesMax,
  nestingMax,
  referenceCharsMax,
} from './event-schema.ts';
import { forbiddenKeys } from './json-bytes.ts';
import { clientNameProblem } from './names.ts';
import { scanIngest, scanParts } from './scan.ts';
import { inBody, namingSlip, UnknownNames } from './unknown-names.ts';

/** `index` is its place in the request; `error` starts with the field's name. */
interface EventError {
  readonly index: number;
  readonly error: string;
}

/** `read`: `out` has good events, `errors` the others. `refused`: `out` is invalid. */
type IngestReading =
  | { readonly outcome: 'read'; readonly errors: readonly EventError[] }
  | { readonly outcome: 'refused'; readonly fault: Fault };

const readWithoutErrors: IngestReading = { outcome: 'read', errors: [] };

/** Reads a body into `out`, by scanner if possible. `out` may point into the body. */
export function readIngest(
  body: Uint8Array,
  limits: IngestLimits,
  out: EventRows,
  unknown = new UnknownNames(),
): IngestReading {
  if (scanIngest(body, limits, out, unknown)) return readWithoutErrors;
  return parseIngest(body, limits, out, unknown);
}

/**
 * Reads the bodies of several requests, one after the other, as of one: how many events each has,
 * or `undefined` if the scanner does not accept one, or one has unknown members.
 */
export function readParts(
  bodies: Uint8Array,
  parts: readonly Bytes[],
  limits: IngestLimits,
  out: EventRows,
  unknown: UnknownNames,
): readonly number[] | undefined {
  const counts: number[] = [];
  return scanParts(bodies, parts, limits, out, unknown, counts) ? counts : undefined;
}

/** Reads any bytes into `out`, which points into its own bytes. */
export function parseIngest(
  body: Uint8Array,
  limits: IngestLimits,
  out: EventRows,
  unknown = new UnknownNames(),
): IngestReading {
  if (!isUtf8(body)) return refuse('body', 'expected UTF-8 text');
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8');
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? ` (${error.message.slice(0, 120)})` : '';
    return {
      outcome: 'refused',
      fault: fieldFault('body', `not valid JSON${why}`, 'invalid_json'),
    };
  }
  if (!isObject(root)) return refuse('body', notAnObject(root));
  const appId = ownMember(root, 'appId');
  if (appId !== undefined && !isText(appId, eventIdCharsMax))
    return refuse('appId', 'expected an app id');
  const events = ownMember(root, 'events');
  if (!Array.isArray(events) || events.length === 0 || events.length > bounds.ingestEventsMax) {
    return refuse('events', `expected an array of 1 to ${bounds.ingestEventsMax} events`);
  }
  const writer = new RowWriter(out, body.length + 64);
  if (appId !== undefined) writer.appId(appId);
  const errors: EventError[] = [];
  unknown.clear();
  unknown.noteOf(inBody, root);
  events.forEach((event: unknown, index) => {
    if (isObject(event)) unknown.noteOf(index, event);
    const error = readEvent(event, index, limits, out, writer);
    if (error !== undefined)
      errors.push({ index, error: isObject(event) ? namingSlip(error, event) : error });
  });
  writer.finish();
  return { outcome: 'read', errors };
}

/** Checks all before writing the row, so a bad event leaves nothing. */
function readEvent(
  event: unknown,
  index: number,
  limits: IngestLimits,
  out: EventRows,
  writer: RowWriter,
): string | undefined {
  if (!isObject(event)) return 'event: expected an object';
  // Bad events are rare: only they pay for the path.
  if (!isSafe(event, nestingMax + 1)) return describeUnsafe(event, '', nestingMax + 1);

  const written = ownMember(event, 'name');
  if (typeof written !== 'string') return `name: ${clientNameProblem('')}`;
  const name = written.normalize();
  const nameProblem = clientNameProblem(name);
  if (nameProblem !== undefined) return `name: ${nameProblem}`;

  const [external, subscriber] = personNames(event);
  const userProblem = externalUserProblem(external, subscriber);
  if (userProblem !== undefined) return userProblem;
  const person = typeof subscriber === 'string' ? parseId('sub', subscriber) : undefined;
  if (subscriber !== undefined && person?.ordinal !== limits.appOrdinal) {
    return 'subscriberId: expected the id of a subscriber of this app';
  }

  const id = ownMember(event, 'id');
  if (id !== undefined && !isText(id, eventIdCharsMax))
    return `id: ${textProblem(id, eventIdCharsMax)}`;

  const at = ownMember(event, 'at');
  const atMs =
    at === undefined ? limits.nowMs : typeof at === 'string' ? parseInstant(at) : undefined;
  if (atMs === undefined) return 'at: expected an RFC 3339 date-time';
  const timeProblem = problemOfTime(atMs, limits);
  if (timeProblem !== undefined) return timeProblem;

  const props = ownMember(event, 'props');
  if (props !== undefined && !isObject(props)) return 'props: expected an object';
  const propsText = props === undefined ? undefined : JSON.stringify(props);
  const propsProblem = propsText === undefined ? undefined : problemOfProps(props, propsText);
  if (propsProblem !== undefined) return propsProblem;

  const found: (string | undefined)[] = [];
  for (const reference of clientReferences) {
    const value = ownMember(event, reference);
    if (value !== undefined && !isText(value, referenceCharsMax)) {
      return `${reference}: ${textProblem(value, referenceCharsMax)}`;
    }
    found.push(value);
  }

  const row = writer.begin(index, atMs);
  writer.name(row, name);
  if (typeof external === 'string') writer.text(out.external, row, external);
  else if (person !== undefined) {
    out.person[row] = person.low32;
    out.personHigh16[row] = person.high16;
    out.personCreatedMs[row] = person.atMs;
  }
  if (id !== undefined) writer.text(out.id, row, id);
  if (propsText !== undefined) writer.text(out.props, row, propsText);
  found.forEach((value, which) => {
    if (value !== undefined) writer.reference(row, which, value);
  });
  return undefined;
}

function externalUserProblem(external: unknown, subscriber: unknown): string | undefined {
  if (external === undefined) {
    return subscriber === undefined
      ? 'externalUserId: expected subscriberId or externalUserId'
      : undefined;
  }
  if (subscriber !== undefined)
    return 'externalUserId: give either subscriberId or externalUserId, not both';
  if (!isText(external, bounds.externalUserIdCharsMax))
    return `externalUserId: ${textProblem(external, bounds.externalUserIdCharsMax)}`;
  if (Buffer.byteLength(external) > externalUserIdBytesMax)
    return `externalUserId: expected at most ${externalUserIdBytesMax} bytes of UTF-8`;
  return undefined;
}

function problemOfTime(
  atMs: Millis,
  { nowMs, retentionMs, keptDays }: IngestLimits,
): string | undefined {
  const fromMs = nowMs - retentionMs;
  if (atMs < fromMs) return `at: ${tooOld(fromMs, keptDays, nowMs)}`;
  if (atMs > nowMs + bounds.eventFutureMs)
    return `at: expected at most ${bounds.eventFutureMs / minuteMs} minutes in the future`;
  return undefined;
}

function problemOfProps(props: unknown, text: string): string | undefined {
  if (Buffer.byteLength(text) > bounds.eventPropsBytesMax)
    return `props: expected at most ${bounds.eventPropsBytesMax} bytes as JSON`;
  const half = surrogatePlace(props, text, 'props');
  if (half !== undefined) return `${half}: expected valid Unicode`;
  // JSON.stringify writes an infinite number as null.
  const far = text.includes('null') ? placeOf(isInfinite, props, 'props') : undefined;
  if (far !== undefined) return `${far}: a number is out of range`;
  const changed = inexactPlace(props, text, 'props');
  return changed === undefined ? undefined : `${changed}: ${inexactProblem}`;
}

/** The path of the first number that may not be what was sent; `json` is the value's text. */
export function inexactPlace(value: unknown, json: string, path: string): string | undefined {
  return /\d{16}|\de\+/.test(json) ? placeOf(isInexact, value, path) : undefined;
}

/** The first of `references`; a client's `journeyId` is ignored. */
const clientReferences = ['deviceId', 'sendId', 'campaignId', 'messageId'] as const;

export type JsonObject = { readonly [key: string]: unknown };

/** `null` is absent: many SDKs write an unset field so. */
export function ownMember(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? (object[key] ?? undefined) : undefined;
}

export function isText(value: unknown, charsMax: number): value is string {
  return textProblem(value, charsMax) === undefined;
}

/** An id's or reference's problem, as a sentence's end. */
function textProblem(value: unknown, charsMax: number): string | undefined {
  if (typeof value !== 'string' || value.length === 0 || value.length > charsMax)
    return `expected 1 to ${charsMax} characters`;
  if (/\p{Surrogate}/u.test(value)) return 'expected valid Unicode';
  if (/\p{Cc}/u.test(value)) return 'must not contain control characters';
  return undefined;
}

/** As a sentence's end. */
export function notAnObject(root: unknown): string {
  const what = root === null ? 'null' : Array.isArray(root) ? 'an array' : `a ${typeof root}`;
  return `expected an object, not ${what}`;
}

/** The first unpaired surrogate's path; `json` has it as an escape. */
export function surrogatePlace(value: unknown, json: string, path: string): string | undefined {
  return json.includes('\\ud') ? placeOf(isUnpaired, value, path) : undefined;
}

function isUnpaired(value: unknown): boolean {
  return typeof value === 'string' && /\p{Surrogate}/u.test(value);
}

/** JSON.parse reads out-of-range numbers as Infinity. */
function isInfinite(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value);
}

/** Path of the first match; unpaired surrogates are shown as U+FFFD. */
function placeOf(
  isSo: (value: unknown) => boolean,
  value: unknown,
  path: string,
): string | undefined {
  if (isSo(value)) return path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const place = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
    const shown = place.replace(/\p{Surrogate}/gu, '\ufffd');
    const found = isSo(key) ? shown : placeOf(isSo, item, shown);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** No dangerous key, and at most `levels` levels, itself included. */
function isSafe(value: object, levels: number): boolean {
  if (levels === 0) return false;
  for (const key of Object.keys(value)) {
    if (forbiddenKeys.has(key) && !Array.isArray(value)) return false;
    const item: unknown = (value as JsonObject)[key];
    if (typeof item === 'object' && item !== null && !isSafe(item, levels - 1)) return false;
  }
  return true;
}

/** A problem of keys or nesting, as a sentence. */
function describeUnsafe(value: object, path: string, levels: number): string | undefined {
  if (levels === 0) return `${path}: expected at most ${nestingMax} levels of nesting`;
  for (const [key, item] of Object.entries(value)) {
    const place = path === '' ? key : Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
    if (forbiddenKeys.has(key)) return `${place}: this key is not allowed`;
    const problem =
      typeof item === 'object' && item !== null
        ? describeUnsafe(item, place, levels - 1)
        : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function refuse(field: string, problem: string): IngestReading {
  return { outcome: 'refused', fault: fieldFault(field, problem) };
}

const externalPrefix = 'external:';

/** The caller's id and ours; `subscriberId: "external:…"` is the caller's. */
function personNames(event: JsonObject): readonly [external: unknown, subscriber: unknown] {
  const external = ownMember(event, 'externalUserId');
  const subscriber = ownMember(event, 'subscriberId');
  const isExternal = typeof subscriber === 'string' && subscriber.startsWith(externalPrefix);
  if (external !== undefined || !isExternal) return [external, subscriber];
  return [subscriber.slice(externalPrefix.length), undefined];
}

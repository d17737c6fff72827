// The fast reader of `POST /e`: one pass, no allocation per event, no JSON.parse. `false` means
// unusual (an escaped key, a bad date, one bad event): slow-path.ts then decides. On accepted
// bodies both give the same rows (test/actors/events/ingest/scan.test.ts).

import { isUtf8 } from 'node:buffer';
import type { Bytes } from '../../../engine/base/brand.ts';
import type { Slices } from '../../../engine/base/string-table.ts';
import { plainInstant } from '../../../engine/time/instant.ts';
import { limits as bounds } from '../../limits.ts';
import type { EventRows, IngestLimits } from '../log/event-rows.ts';
import { clearEventRows, rowsMax } from '../log/event-rows.ts';
import {
  atMember,
  externalMember,
  forbiddenMember,
  idMember,
  memberOf,
  nameMember,
  propsMember,
  referenceMember,
  subscriberMember,
  unknownMember,
} from './event-members.ts';
import { eventIdCharsMax, referenceCharsMax } from './event-schema.ts';
import {
  byteAt,
  closeBrace,
  closeBracket,
  colon,
  comma,
  exponentGrowth,
  openBrace,
  openBracket,
  plainStringEnd,
  quote,
  skipObject,
  skipSpace,
  skipValue,
  spells,
  type ValueTraits,
} from './json-bytes.ts';
import { beginNames, internName } from './request-names.ts';
import { readSubscriberId, subscriberIdBytes } from './subscriber-id.ts';
import { inBody, UnknownNames } from './unknown-names.ts';

// Our SDKs' props are not deeper. Also bounds recursion.
const depthMax = 4;

const personMembers = subscriberMember | externalMember;

const traits: ValueTraits = { exponent: false };

/**
 * `true`: all events are valid and in `out`. `false`: `out` is invalid; call `parseIngest`. `out`
 * keeps slices of `body`, which must not change meanwhile.
 */
export function scanIngest(
  body: Uint8Array,
  limits: IngestLimits,
  out: EventRows,
  unknown = new UnknownNames(),
): boolean {
  begin(body, out, unknown);
  return isUtf8(body) && scanBody(body, 0, body.length, limits, out, unknown);
}

/**
 * The bodies of several requests, one after the other, as if one request had their events. Writes
 * how many each has into `counts`. `false` as of `scanIngest`, or if one has unknown members.
 */
export function scanParts(
  bodies: Uint8Array,
  parts: readonly Bytes[],
  limits: IngestLimits,
  out: EventRows,
  unknown: UnknownNames,
  counts: number[],
): boolean {
  begin(bodies, out, unknown);
  // Each part begins with an ASCII character, or is no JSON: none completes another's text.
  if (!isUtf8(bodies)) return false;
  let at = 0;
  for (const bytes of parts) {
    const before = out.count;
    out.appIdEnd = 0;
    if (!scanBody(bodies, at, at + bytes, limits, out, unknown)) return false;
    counts.push(out.count - before);
    at += bytes;
  }
  return unknown.isEmpty;
}

function begin(body: Uint8Array, out: EventRows, unknown: UnknownNames): void {
  clearEventRows(out, body);
  unknown.clear();
  beginNames();
}

/** Adds the events of the body between `start` and `end`. */
function scanBody(
  body: Uint8Array,
  start: number,
  end: number,
  limits: IngestLimits,
  out: EventRows,
  unknown: UnknownNames,
): boolean {
  let i = skipSpace(body, start, end);
  if (byteAt(body, i, end) !== openBrace) return false;
  let hasEvents = false;
  for (;;) {
    i = skipSpace(body, i + 1, end);
    if (byteAt(body, i, end) !== quote) return false;
    const keyStart = i + 1;
    const keyEnd = plainStringEnd(body, keyStart, end);
    if (keyEnd < 0) return false;
    i = skipSpace(body, keyEnd + 1, end);
    if (byteAt(body, i, end) !== colon) return false;
    i = skipSpace(body, i + 1, end);
    if (isWord(body, keyStart, keyEnd, eventsKey)) {
      if (hasEvents) return false;
      hasEvents = true;
      i = scanEvents(body, i, end, limits, out, unknown);
    } else if (isWord(body, keyStart, keyEnd, appIdKey)) {
      if (out.appIdEnd !== 0 || byteAt(body, i, end) !== quote) return false;
      out.appIdStart = i + 1;
      out.appIdEnd = plainStringEnd(body, i + 1, end);
      if (out.appIdEnd <= out.appIdStart || out.appIdEnd - out.appIdStart > eventIdCharsMax)
        return false;
      i = out.appIdEnd + 1;
    } else {
      unknown.note(inBody, body, keyStart, keyEnd);
      i = skipValue(body, i, end, depthMax, traits);
    }
    if (i < 0) return false;
    i = skipSpace(body, i, end);
    const next = byteAt(body, i, end);
    if (next === closeBrace) break;
    if (next !== comma) return false;
  }
  return hasEvents && skipSpace(body, i + 1, end) === end;
}

function scanEvents(
  body: Uint8Array,
  start: number,
  end: number,
  limits: IngestLimits,
  out: EventRows,
  unknown: UnknownNames,
): number {
  if (byteAt(body, start, end) !== openBracket) return -1;
  const earliestMs = limits.nowMs - limits.retentionMs;
  const latestMs = limits.nowMs + bounds.eventFutureMs;
  let i = start;
  let row = out.count;
  for (;;) {
    i = skipSpace(body, i + 1, end);
    if (row === rowsMax || byteAt(body, i, end) !== openBrace) return -1;
    out.atMs[row] = limits.nowMs;
    i = scanEvent(body, i, end, row, limits.appOrdinal, out, unknown);
    if (i < 0) return -1;
    const atMs = out.atMs[row] as number;
    if (atMs < earliestMs || atMs > latestMs) return -1;
    row++;
    i = skipSpace(body, i, end);
    const next = byteAt(body, i, end);
    if (next === closeBracket) break;
    if (next !== comma) return -1;
  }
  out.count = row;
  return i + 1;
}

/** Reads the event at `start` into `row`; returns its end, or -1. */
function scanEvent(
  body: Uint8Array,
  start: number,
  end: number,
  row: number,
  appOrdinal: number,
  out: EventRows,
  unknown: UnknownNames,
): number {
  let seen = 0;
  let present = 0;
  out.index[row] = row;
  out.refs[row] = 0;
  out.external.end[row] = 0;
  out.id.end[row] = 0;
  out.props.end[row] = 0;
  let i = start;
  for (;;) {
    i = skipSpace(body, i + 1, end);
    if (byteAt(body, i, end) !== quote) return -1;
    const keyStart = i + 1;
    const keyEnd = plainStringEnd(body, keyStart, end);
    if (keyEnd < 0) return -1;
    i = skipSpace(body, keyEnd + 1, end);
    if (byteAt(body, i, end) !== colon) return -1;
    i = skipSpace(body, i + 1, end);
    const member = memberOf(body, keyStart, keyEnd);
    if (member === unknownMember) {
      unknown.note(row, body, keyStart, keyEnd);
      i = skipValue(body, i, end, depthMax, traits);
    } else {
      if (member === forbiddenMember || (seen & member) !== 0) return -1;
      seen |= member;
      if (byteAt(body, i, end) === letterN) {
        // Null is absent; any other word is an error.
        i = isWord(body, i, Math.min(i + 4, end), nullWord) ? i + 4 : -1;
      } else {
        present |= member;
        i =
          member === propsMember
            ? scanProps(body, i, end, row, out)
            : scanText(body, i, end, member, row, appOrdinal, out);
      }
    }
    if (i < 0) return -1;
    i = skipSpace(body, i, end);
    const next = byteAt(body, i, end);
    if (next === closeBrace) break;
    if (next !== comma) return -1;
  }
  const person = present & personMembers;
  if ((present & nameMember) === 0 || person === 0 || person === personMembers) return -1;
  return i + 1;
}

function scanProps(
  body: Uint8Array,
  start: number,
  end: number,
  row: number,
  out: EventRows,
): number {
  if (byteAt(body, start, end) !== openBrace) return -1;
  traits.exponent = false;
  const i = skipObject(body, start, end, depthMax - 1, traits);
  if (i < 0) return -1;
  // JSON.stringify lengthens only exponents.
  const length = traits.exponent ? (i - start) * exponentGrowth : i - start;
  if (length > bounds.eventPropsBytesMax) return -1;
  out.props.start[row] = start;
  out.props.end[row] = i;
  return i;
}

/** Reads a known string field; returns its end, or -1. */
function scanText(
  body: Uint8Array,
  start: number,
  end: number,
  member: number,
  row: number,
  appOrdinal: number,
  out: EventRows,
): number {
  if (byteAt(body, start, end) !== quote) return -1;
  const textStart = start + 1;
  const textEnd = plainStringEnd(body, textStart, end);
  // Bytes are never fewer than characters, so a character limit holds.
  const length = textEnd - textStart;
  if (length <= 0) return -1;
  switch (member) {
    case nameMember: {
      const name = internName(body, textStart, textEnd, out);
      if (name < 0) return -1;
      out.name[row] = name;
      break;
    }
    case externalMember:
      if (length > bounds.externalUserIdCharsMax) return -1;
      put(out.external, row, textStart, textEnd);
      break;
    case subscriberMember:
      if (length !== subscriberIdBytes) return -1;
      if (!readSubscriberId(body, textStart, appOrdinal, row, out)) return -1;
      break;
    case idMember:
      if (length > eventIdCharsMax) return -1;
      put(out.id, row, textStart, textEnd);
      break;
    case atMember: {
      const atMs = plainInstant(body, textStart, textEnd);
      if (atMs < 0) return -1;
      out.atMs[row] = atMs;
      break;
    }
    default: {
      if (length > referenceCharsMax) return -1;
      const which = 31 - Math.clz32(member / referenceMember);
      put(out.reference[which] as Slices, row, textStart, textEnd);
      out.refs[row] = (out.refs[row] as number) | (1 << which);
      out.anyRefs = true;
    }
  }
  return textEnd + 1;
}

function put(column: Slices, row: number, start: number, end: number): void {
  column.start[row] = start;
  column.end[row] = end;
}

const letterN = 110;
const nullWord = Buffer.from('null');
const eventsKey = Buffer.from('events');
const appIdKey = Buffer.from('appId');

function isWord(body: Uint8Array, start: number, end: number, word: Uint8Array): boolean {
  return end - start === word.length && spells(body, start, word);
}

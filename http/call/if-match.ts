// Reads `If-Match`, and writes the `ETag` of an answer.

import { fault } from '../../actors/faults.ts';
import { isObject } from '../../actors/is-object.ts';
import { FaultError } from '../../engine/base/fault.ts';
import type { Editing } from './call.ts';
import type { Reply, Route } from './route.ts';

/** RFC 9110, 8.8.3: a tag in double quotes, `W/` before it if it is weak. */
const tagAndComma = /\s*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)")?\s*(?:,|$)/y;

/** What a route's call changes. Throws a fault for a header that is malformed or not supported. */
export function editingOf(
  { edits, method }: Pick<Route, 'edits' | 'method'>,
  header: string | undefined,
): Editing | undefined {
  if (edits !== undefined)
    return header === undefined ? { kind: edits } : { kind: edits, ifMatch: ifMatchOf(header) };
  // A write that ignored it would overwrite what its caller meant to keep.
  if (header !== undefined && method !== 'GET') throw refusal('this route does not support it');
  return undefined;
}

/** A weak tag names no exact version, so it matches nothing. */
function ifMatchOf(header: string): NonNullable<Editing['ifMatch']> {
  if (header.trim() === '*') return '*';
  const tags: string[] = [];
  let isEmpty = true;
  for (tagAndComma.lastIndex = 0; tagAndComma.lastIndex < header.length; ) {
    const found = tagAndComma.exec(header);
    if (found === null) throw refusal(expected);
    const [, weak, tag] = found;
    if (tag === undefined) continue;
    isEmpty = false;
    if (weak === undefined) tags.push(tag);
  }
  if (isEmpty) throw refusal(expected);
  return tags;
}

const expected =
  'expected * or tags in double quotes, separated by commas, as the header ETag has them';

function refusal(problem: string): FaultError {
  return new FaultError(fault('invalid', `If-Match: ${problem}`, { field: 'If-Match' }));
}

/** The version of the object in an answer's body. */
export function etagHeader({ body }: Reply): readonly (readonly [string, string])[] {
  const etag = isObject(body) ? body['etag'] : undefined;
  return typeof etag === 'string' ? [['etag', `"${etag}"`]] : [];
}

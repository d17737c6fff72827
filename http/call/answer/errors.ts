// A fault as a response: status, `{error, code, field, issues}`, `Retry-After`, `WWW-Authenticate`;
// no internal text.

import type { z } from 'zod';
import { fault, notFound, statusOf, unknownId } from '../../../actors/faults.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import { instant } from '../schemas/schemas.ts';
import { issueWords } from './issue-words.ts';

interface ErrorAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** `scheme`: of the credential that a 401 asks for. `more`: members of another service's form. */
export function errorAnswer(
  refusal: Fault,
  scheme: 'Bearer' | 'Basic' = 'Bearer',
  more: object = {},
): ErrorAnswer {
  const { message, code, field, issues, change, retryAfterSeconds } = refusal;
  const status = statusOf(refusal);
  const headers: (readonly [string, string])[] = [];
  if (retryAfterSeconds !== undefined) headers.push(['retry-after', String(retryAfterSeconds)]);
  if (status === 401) headers.push(['www-authenticate', `${scheme} realm="Engage"`]);
  return {
    status,
    headers,
    body: `${JSON.stringify({ error: message, code, field, issues, change: changeView(change), ...more })}\n`,
  };
}

function changeView(change: Fault['change']) {
  if (change === undefined) return undefined;
  const { by, byName, atMs, etag } = change;
  return { by, byName, at: atMs === null ? null : instant(atMs), etag };
}

/** zod's issues as a fault: the first in words, all of them listed. */
export function faultOfIssues(error: Pick<z.ZodError, 'issues'>, root: 'body' | 'query'): Fault {
  const issues = error.issues.flatMap(flatten).map((issue) => ({
    field: pathText(issue.path) || root,
    error: issueWords(issue),
  }));
  const [first] = issues;
  if (first === undefined) return fault('invalid', `${root}: invalid`);
  return fault('invalid', `${first.field}: ${first.error}`, {
    field: first.field,
    ...(issues.length > 1 ? { issues } : {}),
  });
}

/** Adds the field to a not-found refusal: the actor knows the id, the route knows the field. */
export function namedBy(field: string, what: string, refusal: Fault, id?: string): Fault {
  const named = notFound(`${field}: ${what}`);
  const isIt = [named.message, notFound(what).message].includes(refusal.message);
  if (refusal.code !== named.code || !isIt) return refusal;
  return { ...refusal, ...(id === undefined ? { ...named, field } : unknownId(field, what, id)) };
}

/** An unmatched union is described by its closest branch: the one with the fewest issues. */
function flatten(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const [closest] = [...issue.errors].sort((a, b) => a.length - b.length);
  if (closest === undefined || closest.length === 0) return [issue];
  return closest.flatMap((inner) =>
    flatten({ ...inner, path: [...issue.path, ...inner.path] } as z.core.$ZodIssue),
  );
}

/** `devices[1].endpoint` from `['devices', 1, 'endpoint']`. */
export function pathText(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? String(part) : `.${String(part)}`;
  }
  return text;
}

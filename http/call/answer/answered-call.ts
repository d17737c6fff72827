// An answer, for metrics. Its labels have few values whatever a caller sends: the pattern of a
// route, never a path, and methods that HTTP knows.

import type { Millis } from '../../../engine/base/brand.ts';

export interface AnsweredCall {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly lane: string;
  /** Absent where no route served the call. */
  readonly durMs?: Millis;
}

/** The route of every path that has none. */
const unknownRoute = 'unknown';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** A call that no handler took. */
export function unserved(
  method: string | undefined,
  status: number,
  route: string | undefined,
): AnsweredCall {
  const known = method !== undefined && methods.includes(method) ? method : 'other';
  return { route: route ?? unknownRoute, method: known, status, lane: 'none' };
}

// Reading what moves by itself. Today it asks again while the page is visible; a stream would take
// its place here, and nowhere else.

import type { AnswerOf, ArgumentsOf, OperationName } from './client.ts';
import { useRead } from './queries.ts';

export const liveEveryMs = 2_000;

interface LiveOptions<Name extends OperationName> {
  /** Whether an answer will change by itself; without an answer it is asked once. */
  readonly isLive: (answer: AnswerOf<Name>) => boolean;
  readonly enabled?: boolean;
  readonly keepPrevious?: boolean;
}

export function useLiveRead<Name extends OperationName>(
  name: Name,
  args: ArgumentsOf<Name>,
  { isLive, ...options }: LiveOptions<Name>,
) {
  return useRead(name, args, {
    ...options,
    everyMs: (answer) => answer !== undefined && isLive(answer) && liveEveryMs,
  });
}

// Answers a question whose filter counts what no column has: the app's actor names it, the pool
// reads it, and the actor answers with it. A filter without counts costs one turn more only.

import type { Answer, Message } from '../../../engine/actor/message.ts';
import type { MessageOf } from '../../../engine/actor/protocol.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { askActor, type PoolQuestion, type ReadingHost, readFor } from '../../pool-question.ts';
import { timesRead } from './pool-read.ts';
import type {
  CountedTimes,
  FilterRef,
  MembershipProtocol,
  SegmentsProtocol,
  UncountedTimes,
} from './protocol.ts';

type Question =
  | MessageOf<SegmentsProtocol, 'segment.preview' | 'segment.explain' | 'segment.members'>
  | MessageOf<MembershipProtocol, 'segment.watch'>;

export const answerFilter: PoolQuestion<Question> = (host, app, question, answer) =>
  withCounted(host, app, question, question.asked, answer, (times) => {
    const whole = times === undefined ? question : { ...question, times };
    askActor(host, app, whole as Message, answer, (value) => answer({ ok: true, value }));
  });

/** The same for a question that may have no filter. */
export const answerOptional: PoolQuestion<Message & { readonly asked?: FilterRef }> = (
  host,
  app,
  question,
  answer,
) => {
  const ask = (times?: CountedTimes) => {
    const whole = times === undefined ? question : { ...question, times };
    askActor(host, app, whole as Message, answer, (value) => answer({ ok: true, value }));
  };
  if (question.asked === undefined) ask();
  else withCounted(host, app, question, question.asked, answer, ask);
};

/** The same for an area's saved filters; the message `uncounted` returns what to read. */
export function answerKept(uncounted: string): PoolQuestion<Message> {
  return (host, app, question, answer) =>
    readUncounted(host, app, { ...question, kind: uncounted }, answer, (times) => {
      const whole = times === undefined ? question : { ...question, times };
      askActor(host, app, whole, answer, (value) => answer({ ok: true, value }));
    });
}

/** Calls `then` with what the filter counts and no column has; `undefined` if there is nothing. */
export function withCounted(
  host: ReadingHost,
  app: Ordinal,
  caller: object,
  asked: FilterRef,
  answer: (answer: Answer) => void,
  then: (times: CountedTimes | undefined) => void,
): void {
  // The caller goes along: the actor checks all of the app's id, not only the ordinal.
  const uncounted = { ...caller, asked, kind: 'segment.uncounted' };
  readUncounted(host, app, uncounted, answer, then);
}

function readUncounted(
  host: ReadingHost,
  app: Ordinal,
  uncounted: Message,
  answer: (answer: Answer) => void,
  then: (times: CountedTimes | undefined) => void,
): void {
  askActor<UncountedTimes>(host, app, uncounted, answer, ({ names, ...from }) => {
    if (names.length === 0) then(undefined);
    else readFor(host, app, timesRead, { app, names, ...from }, answer, then);
  });
}

// Answers a question about a filter that counts what no column has: the app's actor names it, the
// pool reads it, and the question goes to the actor with it. A question that counts nothing goes
// there at once, and costs one turn more only.

import type { Answer, Message } from '../../../engine/actor/message.ts';
import type { MessageOf } from '../../../engine/actor/protocol.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { askActor, type PoolQuestion, type ReadingHost, readFor } from '../../pool-question.ts';
import { timesRead } from './pool-read.ts';
import type {
  AskedFilter,
  CountedTimes,
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

/**
 * The same for a question that an area's kept filters decide; a message of the kind `uncounted`
 * says what to read.
 */
export function answerKept(uncounted: string): PoolQuestion<Message> {
  return (host, app, question, answer) =>
    readUncounted(host, app, { ...question, kind: uncounted }, answer, (times) => {
      const whole = times === undefined ? question : { ...question, times };
      askActor(host, app, whole, answer, (value) => answer({ ok: true, value }));
    });
}

/**
 * Reads what the filter counts and no column has, then goes on; with `undefined` where there is
 * nothing of the kind.
 */
export function withCounted(
  host: ReadingHost,
  app: Ordinal,
  caller: object,
  asked: AskedFilter,
  answer: (answer: Answer) => void,
  then: (times: CountedTimes | undefined) => void,
): void {
  // Whom the call named goes along: all of an app's id has to be right, not only the ordinal that
  // leads here.
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

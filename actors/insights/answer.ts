// Answers an insight: waits for its turn, asks the app's actor for the facts, and has the pool read. The queue comes first,
// so that no facts are gathered for a question that is refused, and those that are used are not older than the reading.

import type { Answer } from '../../engine/actor/message.ts';
import type { MessageOf, ReplyOf } from '../../engine/actor/protocol.ts';
import type { Ordinal } from '../../engine/base/brand.ts';
import { askActor, type PoolQuestion, type ReadingHost, readFor } from '../pool-question.ts';
import type { CountedTimes, SegmentsProtocol } from '../segments/protocol.ts';
import type { Facts, InsightsProtocol, Question } from './protocol.ts';
import { stoppedFault } from './queue.ts';

/** Answers any of the questions for one app of a partition. */
export const answerInsight: PoolQuestion<Question> = (host, app, question, answer) => {
  host.insights.enter(
    app,
    (turn) => {
      const end = (value: Answer) => {
        turn.end();
        answer(value);
      };
      withTimesOf(question, host, app, end, (times) => {
        const asked: MessageOf<InsightsProtocol, 'insight.facts'> = {
          ...callerOf(question),
          kind: 'insight.facts',
          question,
          ...(times === undefined ? {} : { times }),
        };
        askActor<Facts>(host, app, asked, end, (facts) => {
          const what = { app, question, facts, stop: turn.stop.word };
          const told = (value: unknown) =>
            end(value === null ? { ok: false, fault: stoppedFault } : { ok: true, value });
          readFor(host, app, 'insight', what, end, told, ownBuffers(facts));
        });
      });
    },
    (fault) => answer({ ok: false, fault }),
  );
};

/** Goes on with what the filter of a funnel counts and no column has; at once where there is nothing of the kind. */
function withTimesOf(
  question: Question,
  host: ReadingHost,
  app: Ordinal,
  answer: (answer: Answer) => void,
  then: (times: CountedTimes | undefined) => void,
): void {
  if (question.kind !== 'insight.funnel' || question.filter === undefined) {
    then(undefined);
    return;
  }
  const uncounted: MessageOf<SegmentsProtocol, 'segment.uncounted'> = {
    ...callerOf(question),
    kind: 'segment.uncounted',
    asked: { filter: question.filter },
  };
  askActor<ReplyOf<SegmentsProtocol, 'segment.uncounted'>>(
    host,
    app,
    uncounted,
    answer,
    ({ names, ...from }) => {
      if (names.length === 0) then(undefined);
      else readFor(host, app, 'times', { app, names, ...from }, answer, then);
    },
  );
}

/** Whom the call named goes along: all of an app's id has to be right, not only the ordinal that leads here. */
function callerOf({ by, namedApp }: Question) {
  return { by, ...(namedApp === undefined ? {} : { namedApp }) };
}

/** What was copied for this question alone: it is handed over to the pool, not copied again. */
function ownBuffers({ audience, created }: Facts): readonly ArrayBuffer[] {
  const arrays = [audience, created?.column.seconds, created?.column.millis];
  return arrays.flatMap((array) => (array?.buffer instanceof ArrayBuffer ? [array.buffer] : []));
}

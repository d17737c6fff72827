// Answers an insight: waits in the queue, asks the app's actor for facts, and has the pool read.
// The queue comes first, so that a refused query gathers no facts, and the facts are no older than
// the read.

import type { Answer } from '../../../engine/actor/message.ts';
import type { MessageOf } from '../../../engine/actor/protocol.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { withCounted } from '../../audiences/segments/counted.ts';
import type { CountedTimes } from '../../audiences/segments/protocol.ts';
import { type InsightTurn, stoppedFault } from '../../insight-turn.ts';
import { askActor, type PoolQuestion, type ReadingHost, readFor } from '../../pool-question.ts';
import { insightRead } from './pool-read.ts';
import type { Facts, InsightsProtocol, Question } from './protocol.ts';

/** Answers a query for one app of a partition. */
export const answerInsight: PoolQuestion<Question> = (host, app, question, answer) =>
  host.insights.enter(
    question,
    app,
    (turn) =>
      read(host, app, question, turn, (value) => {
        turn.end();
        answer(value);
      }),
    (fault) => answer({ ok: false, fault }),
  );

function read(
  host: ReadingHost,
  app: Ordinal,
  question: Question,
  turn: InsightTurn,
  answer: (answer: Answer) => void,
): void {
  // The whole app id has to match, not only the ordinal that leads here.
  const { by, namedApp } = question;
  const caller = { by, ...(namedApp === undefined ? {} : { namedApp }) };
  const askFacts = (times: CountedTimes | undefined) => {
    const asked: MessageOf<InsightsProtocol, 'insight.facts'> = {
      ...caller,
      kind: 'insight.facts',
      question,
      ...(times === undefined ? {} : { times }),
    };
    askActor<Facts>(host, app, asked, answer, (facts) => {
      const what = { app, question, facts, stop: turn.stop.word };
      const told = (found: unknown) =>
        answer(found === null ? { ok: false, fault: stoppedFault } : { ok: true, value: found });
      readFor(host, app, insightRead, what, answer, told, ownBuffers(facts));
    });
  };
  if (question.kind !== 'insight.funnel' || question.filter === undefined) askFacts(undefined);
  else withCounted(host, app, caller, { filter: question.filter }, answer, askFacts);
}

/** Copies made only for this query: transferred to the pool, not copied again. */
function ownBuffers({ audience, created, zones }: Facts): readonly ArrayBuffer[] {
  const arrays = [audience, created?.column.seconds, created?.column.millis, zones?.codeOf];
  return arrays.flatMap((array) => (array?.buffer instanceof ArrayBuffer ? [array.buffer] : []));
}

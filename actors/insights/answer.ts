// Answers an insight: waits for its turn, asks the app's actor for the facts, and has the pool read. The queue comes first,
// so that no facts are gathered for a question that is refused, and those that are used are not older than the reading.

import type { Answer, Message } from '../../engine/actor/message.ts';
import { askActor, type PoolQuestion, readFor } from '../pool-question.ts';
import type { Facts, Question } from './protocol.ts';
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
      const { by, namedApp } = question;
      const asked: Message & { readonly question: Question } = {
        kind: 'insight.facts',
        question,
        ...{ by, ...(namedApp === undefined ? {} : { namedApp }) },
      };
      askActor<Facts>(host, app, asked, end, (facts) => {
        const what = { app, question, facts, stop: turn.stop.word };
        readFor(host, app, 'insight', what, end, (value) =>
          end(
            value === null ? { ok: false, fault: stoppedFault(facts.span) } : { ok: true, value },
          ),
        );
      });
    },
    (fault) => answer({ ok: false, fault }),
  );
};

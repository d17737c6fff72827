// Answers a question about a filter that counts what no column has: the app's actor names it, the pool reads it, and the
// question goes to the actor with it. A question that counts nothing goes there at once, and costs one turn more only.

import type { Message } from '../../engine/actor/message.ts';
import type { MessageOf, ReplyOf } from '../../engine/actor/protocol.ts';
import { askActor, type PoolQuestion, readFor } from '../pool-question.ts';
import type { CountedTimes, SegmentsProtocol } from './protocol.ts';

type Question = MessageOf<SegmentsProtocol, 'segment.preview' | 'segment.explain'>;

export const answerFilter: PoolQuestion<Question> = (host, app, question, answer) => {
  const ask = (message: Message) =>
    askActor(host, app, message, answer, (value) => answer({ ok: true, value }));
  const { kind: _kind, ...rest } = question;
  const uncounted: Message = { ...rest, kind: 'segment.uncounted' };
  askActor<ReplyOf<SegmentsProtocol, 'segment.uncounted'>>(
    host,
    app,
    uncounted,
    answer,
    ({ names, ...from }) => {
      if (names.length === 0) return ask(question);
      readFor(host, app, 'times', { app, names, ...from }, answer, (times) => {
        const whole: Message & { readonly times: CountedTimes } = { ...question, times };
        ask(whole);
      });
    },
  );
};

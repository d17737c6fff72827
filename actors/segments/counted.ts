// Answers a question about a filter that counts what no column has: the app's actor names it, the pool reads it, and the
// question goes to the actor with it. A question that counts nothing goes there at once, and costs one turn more only.

import type { Answer, Message } from '../../engine/actor/message.ts';
import type { Partition } from '../../engine/actor/partition.ts';
import type { Ordinal } from '../../engine/base/brand.ts';
import type { Fault } from '../../engine/base/fault.ts';
import type { CountedTimes, UncountedTimes } from './protocol.ts';
import type { TimesRead } from './read-times.ts';

/** Questions that filters decide, and what to ask first: the same, but for what has to be read. */
const firstAsked: ReadonlyMap<string, string> = new Map([
  ['segment.preview', 'segment.uncounted'],
  ['segment.explain', 'segment.uncounted'],
  ['flags.evaluate', 'flags.uncounted'],
  ['flag.explain', 'flags.uncounted'],
  ['inapp.feed', 'inapp.uncounted'],
]);

/** How a partition's host reads for it. */
export interface TimesHost {
  readonly partition: Partition;
  read(read: TimesRead): Promise<CountedTimes>;
  /** Says why a read failed; the caller of the API is not told. */
  onFailed(error: unknown): void;
}

const unreadable: Fault = { code: 'internal', message: 'events could not be read' };

/** Whether a message is such a question. */
export function asksFilter(message: Message): boolean {
  return firstAsked.has(message.kind);
}

export function answerFilter(
  { partition, read, onFailed }: TimesHost,
  app: Ordinal,
  question: Message,
  answer: (answer: Answer) => void,
): void {
  const ask = (message: Message, then: (answer: Answer) => void) =>
    partition.deliver({
      to: app,
      lane: 'express',
      deadlineMs: Number.POSITIVE_INFINITY,
      bytes: undefined,
      message,
      answer: then,
    });
  const uncounted: Message = { ...question, kind: firstAsked.get(question.kind) ?? question.kind };
  ask(uncounted, (known) => {
    if (!known.ok) return answer(known);
    const { names, ...from } = known.value as UncountedTimes;
    if (names.length === 0) return ask(question, answer);
    read({ app, names, ...from }).then(
      (times) => {
        const whole: Message & { readonly times: CountedTimes } = { ...question, times };
        ask(whole, answer);
      },
      (error: unknown) => {
        onFailed(error);
        answer({ ok: false, fault: unreadable });
      },
    );
  });
}

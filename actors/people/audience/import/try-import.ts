// Tries an import without changing anything: each slice is a turn of its own, decided after what
// those before it would have written. That is carried from turn to turn, within this thread.

import type { Message } from '../../../../engine/actor/message.ts';
import type { MessageOf, ReplyOf } from '../../../../engine/actor/protocol.ts';
import type { PoolQuestion } from '../../../pool-question.ts';
import type { AudienceProtocol, RowError, SubscriberInput, TriedImport } from '../protocol.ts';
import { noCounts, withSlice } from './import-counts.ts';

/** A slice's work: one per row, and one per device. */
const sliceWorkMax = 500;

type Question = MessageOf<AudienceProtocol, 'subscriber.try_import'>;
type SliceReply = ReplyOf<AudienceProtocol, 'subscriber.try_slice'>;

export const tryImport: PoolQuestion<Question> = ({ partition }, app, question, answer) => {
  // With the caller: the actor checks the whole app id, not only the ordinal.
  const { rows, kind: _kind, ...caller } = question;
  let counts = noCounts;
  const errors: RowError[] = [];
  const trySome = (from: number, tried: TriedImport | undefined): void => {
    const slice = sliceFrom(rows, from);
    const carried = tried === undefined ? {} : { tried };
    const message = { ...caller, kind: 'subscriber.try_slice', rows: slice, ...carried };
    partition.deliver({
      to: app,
      lane: 'bulk',
      deadlineMs: Number.POSITIVE_INFINITY,
      bytes: undefined,
      message: message as Message,
      answer: (known) => {
        if (!known.ok) return answer(known);
        const reply = known.value as SliceReply;
        counts = withSlice(counts, reply);
        for (const one of reply.errors) errors.push({ ...one, row: from + one.row });
        const next = from + reply.handled;
        if (next < rows.length) trySome(next, reply.tried);
        else answer({ ok: true, value: { ...counts, errors } });
      },
    });
  };
  trySome(0, undefined);
};

function sliceFrom(rows: readonly SubscriberInput[], from: number): readonly SubscriberInput[] {
  let work = 0;
  let to = from;
  for (; to < rows.length && work < sliceWorkMax; to++)
    work += 1 + (rows[to]?.devices?.length ?? 0);
  return rows.slice(from, to);
}

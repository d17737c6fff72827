// How a question is answered that needs a long read: the app's actor says what only memory knows,
// the pool reads, and the answer goes out. The actor never waits for the reading.

import type { Answer, Message } from '../engine/actor/message.ts';
import type { Partition } from '../engine/actor/partition.ts';
import type { Ordinal } from '../engine/base/brand.ts';
import type { InsightQueue } from './insight/insights/queue.ts';
import type { ReadName, Reads } from './runtime/reads.ts';

/** What a partition's host offers to such questions. */
export interface ReadingHost {
  readonly partition: Partition;
  /** Whose insight is read now; one of the shard. */
  readonly insights: InsightQueue;
  /**
   * Reads in the pool, or at once while the partition holds next to nothing. `own`: buffers that
   * are given away with it.
   */
  read<Name extends ReadName>(
    name: Name,
    what: Reads[Name]['what'],
    own?: readonly ArrayBuffer[],
  ): Promise<Reads[Name]['found']>;
  /** Says why a read failed; the caller of the API is only told that it did. */
  onFailed(app: Ordinal, what: string, error: unknown): void;
}

/** Answers one kind of question for an app of the host's partition. */
export type PoolQuestion<Asked extends Message> = (
  host: ReadingHost,
  app: Ordinal,
  asked: Asked,
  answer: (answer: Answer) => void,
) => void;

/**
 * Asks the app's actor before anything else of the bulk lane; `then` gets what it answered, unless
 * it refused.
 */
export function askActor<Reply>(
  { partition }: ReadingHost,
  app: Ordinal,
  message: Message,
  answer: (answer: Answer) => void,
  then: (reply: Reply) => void,
): void {
  partition.deliver({
    to: app,
    lane: 'express',
    deadlineMs: Number.POSITIVE_INFINITY,
    bytes: undefined,
    message,
    answer: (known) => (known.ok ? then(known.value as Reply) : answer(known)),
  });
}

/**
 * Reads, and hands on what was found; a read that fails is told to the operator and answered with a
 * fault. `own`: as above.
 */
export function readFor<Name extends ReadName>(
  host: ReadingHost,
  app: Ordinal,
  name: Name,
  what: Reads[Name]['what'],
  answer: (answer: Answer) => void,
  then: (found: Reads[Name]['found']) => void,
  own: readonly ArrayBuffer[] = [],
): void {
  host.read(name, what, own).then(then, (error: unknown) => {
    host.onFailed(app, name, error);
    answer({
      ok: false,
      fault: { code: 'internal', message: `${unreadable[name]} could not be read` },
    });
  });
}

const unreadable: { readonly [Name in ReadName]: string } = {
  events: 'events',
  times: 'events',
  export: 'subscribers',
  insight: 'events',
  forecast: 'events',
  preview: 'the message',
  timeline: 'events',
};

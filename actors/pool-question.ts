// How a question is answered that needs a long read: the app's actor says what only memory knows,
// the pool reads, and the answer goes out. The actor never waits for the reading.

import type { Answer, Envelope, Message } from '../engine/actor/message.ts';
import type { Ordinal } from '../engine/base/brand.ts';
import type { InsightQueue } from './insight-queue.ts';

/** A read that the pool makes; `runtime/reads.ts` runs it by its name. */
export interface PoolRead<What, Found> {
  readonly name: string;
  /** What could not be read, for the error when it fails. */
  readonly of: string;
  /** Never there: ties the name to its types. */
  readonly types?: (what: What) => Found;
}

/** What a partition's host offers to such questions. */
export interface ReadingHost {
  readonly partition: { deliver(envelope: Envelope): void };
  /** The queue of insights, which a shard reads one at a time. */
  readonly insights: InsightQueue;
  /**
   * Reads in the pool, or at once while the partition holds next to nothing. `own`: buffers that
   * are given away with it.
   */
  read<What, Found>(
    read: PoolRead<What, Found>,
    what: What,
    own?: readonly ArrayBuffer[],
  ): Promise<Found>;
  /** Logs why a read failed; the caller of the API only learns that it did. */
  onFailed(app: Ordinal, what: string, error: unknown): void;
}

/** Answers one kind of question for an app of the host's partition. */
export type PoolQuestion<Asked extends Message> = (
  host: ReadingHost,
  app: Ordinal,
  asked: Asked,
  answer: (answer: Answer) => void,
) => void;

/** Asks the app's actor ahead of the bulk lane; `then` gets its reply, unless it refused. */
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

/** Reads, and hands on what was found; a read that fails is logged and answered with a fault. */
export function readFor<What, Found>(
  host: ReadingHost,
  app: Ordinal,
  read: PoolRead<What, Found>,
  what: What,
  answer: (answer: Answer) => void,
  then: (found: Found) => void,
  own: readonly ArrayBuffer[] = [],
): void {
  host.read(read, what, own).then(then, (error: unknown) => {
    host.onFailed(app, read.name, error);
    const message = `${read.of} could not be read`;
    answer({ ok: false, fault: { code: 'internal', message } });
  });
}

// Questions that need a long read: the app's actor adds what only memory knows, the pool reads, and
// the answer is sent. The actor never waits for the read.

import type { Answer, Envelope, Message } from '../engine/actor/message.ts';
import type { Ordinal } from '../engine/base/brand.ts';
import { FaultError } from '../engine/base/fault.ts';
import type { InsightTurns } from './insight-turn.ts';

/** A read in the pool; `runtime/reads.ts` runs it by its name. */
export interface PoolRead<What, Found> {
  readonly name: string;
  /** What could not be read, for the error when it fails. */
  readonly of: string;
  /** Never set: ties the name to its types. */
  readonly types?: (what: What) => Found;
}

export interface ReadingHost {
  readonly partition: { deliver(envelope: Envelope): void };
  /** A shard reads insights one at a time. */
  readonly insights: InsightTurns;
  /**
   * At once while the partition is nearly empty, otherwise in turn: throws `overloaded` for an
   * app whose turn does not come. `own`: buffers transferred to the pool.
   */
  read<What, Found>(
    app: Ordinal,
    read: PoolRead<What, Found>,
    what: What,
    own?: readonly ArrayBuffer[],
  ): Promise<Found>;
  /** Logs why a read failed; the API's caller only learns that it did. */
  onFailed(app: Ordinal, what: string, error: unknown): void;
}

/** Answers one kind of question about an app. */
export type PoolQuestion<Asked extends Message> = (
  host: ReadingHost,
  app: Ordinal,
  asked: Asked,
  answer: (answer: Answer) => void,
) => void;

/** Asks the app's actor on the express lane; calls `then` unless it refuses. */
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

/** Logs a failed read and answers it with a fault. */
export function readFor<What, Found>(
  host: ReadingHost,
  app: Ordinal,
  read: PoolRead<What, Found>,
  what: What,
  answer: (answer: Answer) => void,
  then: (found: Found) => void,
  own: readonly ArrayBuffer[] = [],
): void {
  host.read(app, read, what, own).then(then, (error: unknown) => {
    if (error instanceof FaultError) {
      answer({ ok: false, fault: error.fault });
      return;
    }
    host.onFailed(app, read.name, error);
    const message = `${read.of} could not be read`;
    answer({ ok: false, fault: { code: 'internal', message } });
  });
}

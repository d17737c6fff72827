// The actors as their callers see them: `router.ts` without threads and frames.

import type { Millis, Ordinal } from '../base/brand.ts';
import type { Answer, Lane, Message } from './message.ts';

export interface AskOptions {
  readonly lane?: Lane;
  /** How long the message may wait to be started; default 10 s. */
  readonly timeoutMs?: Millis;
  readonly bytes?: Uint8Array;
  /**
   * About how many bytes the message itself holds: the length of the body that it was read from.
   */
  readonly weight?: number;
}

export interface Asker {
  readonly shardCount: number;
  /** Asks the actor of `to`; the answer holds a value or a fault, and never rejects. */
  ask(to: Ordinal, message: Message, options?: AskOptions): Promise<Answer>;
  /** Asks and calls back: the form for hot paths. */
  askThen(
    to: Ordinal,
    message: Message,
    options: AskOptions,
    answer: (answer: Answer) => void,
  ): void;
  /** Asks a shard thread itself, not one of its partitions. */
  askShard(shard: number, message: Message, options?: AskOptions): Promise<Answer>;
}

// Actors as callers see them: `router.ts` without threads.

import type { Millis, Ordinal } from '../base/brand.ts';
import type { Answer, Lane, Message } from './message.ts';

export interface AskOptions {
  readonly lane?: Lane;
  /** Wait for a start; default 10 s. */
  readonly timeoutMs?: Millis;
  readonly bytes?: Uint8Array;
  /** Approximate bytes of the message: the length of its body. */
  readonly weight?: number;
}

export interface Asker {
  readonly shardCount: number;
  /** The answer is a value or a fault; never rejects. */
  ask(to: Ordinal, message: Message, options?: AskOptions): Promise<Answer>;
  /** With a callback, for hot paths. */
  askThen(
    to: Ordinal,
    message: Message,
    options: AskOptions,
    answer: (answer: Answer) => void,
  ): void;
  /** The shard thread itself, not a partition. */
  askShard(shard: number, message: Message, options?: AskOptions): Promise<Answer>;
}

// The front's way to actors: tell and ask by owner, with deadlines, bounded per shard. A handled
// message is always answered; only the shard drops one, before it starts.

import type { Ordinal } from '../base/brand.ts';
import type { Port } from '../thread/link.ts';
import { Link } from '../thread/link.ts';
import { atTickEnd } from '../thread/tick-end.ts';
import { type AnswerItem, laneCode, type RequestItem, threadItself } from '../thread/wire.ts';
import type { Clock } from '../time/clock.ts';
import type { Asker, AskOptions } from './asker.ts';
import type { Answer, Message } from './message.ts';
import { partitionOf, shardOf } from './placement.ts';

interface RouterOptions {
  readonly partitions: number;
  /** One per shard, in order. */
  readonly shards: readonly Port[];
  readonly clock: Clock;
  /** Outstanding per shard before new asks are refused. */
  readonly outstandingMax?: number;
  readonly outstandingBytesMax?: number;
  /** From a shard (a key was deleted, an app changed). */
  onNotice?(message: Message): void;
  readonly defer?: (flush: () => void) => void;
  /** In a cluster: where partitions are. Without it all are here. */
  readonly places?: Places;
}

/** Where partitions are, as they move between servers. */
export interface Places {
  /** Asks whoever owns the partition, here or elsewhere; waits a little for an owner. */
  ask(asked: PlacedAsk): void;
}

export interface PlacedAsk {
  readonly partition: number;
  readonly to: Ordinal;
  readonly message: Message;
  readonly options: AskOptions;
  readonly answer: (answer: Answer) => void;
}

interface Pending {
  readonly answer: (answer: Answer) => void;
  readonly bytes: number;
}

interface Shard {
  readonly link: Link<RequestItem, AnswerItem>;
  readonly pending: Map<number, Pending>;
  bytes: number;
}

const busy: Answer = {
  ok: false,
  fault: {
    code: 'overloaded',
    message: 'the server is overloaded; nothing was done and it is safe to retry',
    retryAfterSeconds: 1,
  },
};

export class Router implements Asker {
  readonly #options: RouterOptions;
  readonly #shards: Shard[];
  readonly #outstandingMax: number;
  readonly #outstandingBytesMax: number;
  #correlation = 0;

  constructor(options: RouterOptions) {
    this.#options = options;
    this.#outstandingMax = options.outstandingMax ?? 8192;
    this.#outstandingBytesMax = options.outstandingBytesMax ?? 128 * 1024 * 1024;
    this.#shards = options.shards.map((port) => {
      const pending = new Map<number, Pending>();
      const shard: Shard = {
        pending,
        bytes: 0,
        link: new Link<RequestItem, AnswerItem>(
          port,
          ([correlation, payload]) => {
            if (correlation === 0) {
              options.onNotice?.(payload as Message);
              return;
            }
            const waiting = pending.get(correlation);
            if (waiting === undefined) return;
            pending.delete(correlation);
            shard.bytes -= waiting.bytes;
            waiting.answer(payload as Answer);
          },
          options.defer ?? atTickEnd,
        ),
      };
      return shard;
    });
  }

  get shardCount(): number {
    return this.#shards.length;
  }

  get outstanding(): number {
    return this.#shards.reduce((sum, shard) => sum + shard.pending.size, 0);
  }

  askThen(
    to: Ordinal,
    message: Message,
    options: AskOptions,
    answer: (answer: Answer) => void,
  ): void {
    const { partitions, places } = this.#options;
    const partition = partitionOf(to, partitions);
    if (places !== undefined) places.ask({ partition, to, message, options, answer });
    else
      this.askHere(
        shardOf(partition, this.#shards.length),
        partition,
        to,
        message,
        options,
        answer,
      );
  }

  /** A shard thread of this server, whatever it owns. */
  askHere(
    shard: number,
    partition: number,
    to: Ordinal,
    message: Message,
    options: AskOptions,
    answer: (answer: Answer) => void,
  ): void {
    this.#send(shard, partition, to, message, options, answer);
  }

  ask(to: Ordinal, message: Message, options: AskOptions = {}): Promise<Answer> {
    return new Promise((resolve) => this.askThen(to, message, options, resolve));
  }

  askShard(shard: number, message: Message, options: AskOptions = {}): Promise<Answer> {
    return new Promise((resolve) => this.#send(shard, threadItself, 0, message, options, resolve));
  }

  #send(
    index: number,
    partition: number,
    to: Ordinal,
    message: Message,
    options: AskOptions,
    answer: (answer: Answer) => void,
  ): void {
    const shard = this.#shards[index] as Shard;
    const weight = options.weight ?? 0;
    const bytes = (options.bytes?.byteLength ?? 0) + weight;
    if (
      shard.pending.size >= this.#outstandingMax ||
      shard.bytes + bytes > this.#outstandingBytesMax
    ) {
      answer(busy);
      return;
    }
    this.#correlation = this.#correlation >= 0x7fffffff ? 1 : this.#correlation + 1;
    const correlation = this.#correlation;
    shard.pending.set(correlation, { answer, bytes });
    shard.bytes += bytes;
    const deadlineMs = this.#options.clock.now() + (options.timeoutMs ?? 10_000);
    shard.link.send(
      [
        correlation,
        partition,
        to,
        laneCode(options.lane ?? 'express'),
        deadlineMs,
        message,
        weight,
      ],
      options.bytes,
    );
  }
}

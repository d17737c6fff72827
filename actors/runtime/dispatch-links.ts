// A shard's links to all dispatchers: grants go there, outcomes and questions come back.

import type { Answer, Message } from '../../engine/actor/message.ts';
import type { Partition } from '../../engine/actor/partition.ts';
import { Link, type Port } from '../../engine/thread/link.ts';
import { type GrantItem, type OutcomeItem, threadItself } from '../../engine/thread/wire.ts';
import type { DispatchAnswer } from '../sending/dispatch/protocol.ts';
import { sendGrant } from '../sending/dispatch/wave-crossing.ts';

const reportsWaitMs = 1_000;

export class DispatchLinks {
  readonly #links: readonly Link<GrantItem, OutcomeItem>[];
  readonly #partitionAt: (index: number) => Partition | undefined;
  #ended = 0;

  constructor(ports: readonly Port[], partitionAt: (index: number) => Partition | undefined) {
    this.#partitionAt = partitionAt;
    this.#links = ports.map(
      (port, index) => new Link<GrantItem, OutcomeItem>(port, (item) => this.#receive(index, item)),
    );
  }

  send(dispatcher: number, message: Message): void {
    const link = this.#links[dispatcher];
    if (link !== undefined) sendGrant(link, message);
  }

  /** It is there when this returns: dispatchers look before each call. */
  sendAllAtOnce(message: Message): void {
    for (const link of this.#links) {
      link.send(message);
      link.flush();
    }
  }

  flush(): void {
    for (const link of this.#links) link.flush();
  }

  /** Without the dispatchers' last reports, sends that were made would be made again. */
  async ended(): Promise<void> {
    for (let waitedMs = 0; this.#ended < this.#links.length; waitedMs += 5) {
      if (waitedMs >= reportsWaitMs) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  #receive(dispatcher: number, [partition, to, message, correlation]: OutcomeItem): void {
    if (partition === threadItself) {
      this.#ended++;
      return;
    }
    this.#partitionAt(partition)?.deliverAlways({
      to,
      lane: 'express',
      deadlineMs: Number.POSITIVE_INFINITY,
      message,
      bytes: undefined,
      answer: correlation === undefined ? undefined : this.#answerTo(dispatcher, correlation),
    });
  }

  #answerTo(dispatcher: number, correlation: number): (answer: Answer) => void {
    return (answer) => {
      const answered: DispatchAnswer = { kind: 'dispatch.answer', correlation, answer };
      this.#links[dispatcher]?.send(answered);
    };
  }
}

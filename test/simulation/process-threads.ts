// The threads of one life of an engine's process, all in this one: the front, shards, the real
// dispatchers, and the links between them. What partitions there are, and how they come and go, is
// for whoever extends it.

import type { TimesRead } from '../../actors/audiences/segments/pool-read.ts';
import type { CountedTimes } from '../../actors/audiences/segments/protocol.ts';
import { readTimes } from '../../actors/audiences/segments/read-times.ts';
import { channelIds } from '../../actors/channels/channel-ids.ts';
import { noHistory } from '../../actors/events/history/event-history.ts';
import { InsightQueue } from '../../actors/insight-queue.ts';
import type { WebhookCalls } from '../../actors/integrations/webhooks/calls.ts';
import type { WebhookGrant, WebhookRecall } from '../../actors/integrations/webhooks/protocol.ts';
import type { ReadingHost } from '../../actors/pool-question.ts';
import { eventLog } from '../../actors/runtime/event-log.ts';
import { eventsOf } from '../../actors/runtime/facts.ts';
import { poolQuestion } from '../../actors/runtime/pool-questions.ts';
import { Dispatcher } from '../../actors/sending/dispatch/dispatcher.ts';
import type { DispatchDisowned, DispatchWave } from '../../actors/sending/dispatch/protocol.ts';
import type { DispatchGrant } from '../../actors/sending/outbox/protocol.ts';
import { carry, type RelayedMessage } from '../../actors/tenants/clients/relay.ts';
import { decodeBlock } from '../../engine/actor/block.ts';
import type { Answer, Effect, Envelope, Lane, Message } from '../../engine/actor/message.ts';
import type { Partition } from '../../engine/actor/partition.ts';
import { partitionOf, shardOf } from '../../engine/actor/placement.ts';
import { moved } from '../../engine/actor/turn-faults.ts';
import type { Rng } from '../../engine/base/rng.ts';
import { fraction } from '../../engine/base/rng.ts';
import { sharedHoldsBytes } from '../../engine/thread/shared-holds.ts';
import { sharedPacesBytes } from '../../engine/thread/shared-paces.ts';
import { Link, type LinkHost } from './link.ts';
import type { Running } from './partition-life.ts';
import type { ThreadsWorld } from './process-world.ts';
import { simulatedCalls } from './receivers.ts';
import { noteRead } from './segment-truth.ts';

interface Request {
  readonly correlation: number;
  readonly to: number;
  readonly lane: Lane;
  readonly deadlineMs: number;
  readonly message: Message;
  readonly bytes: Uint8Array | undefined;
}

/** What goes from a dispatcher to a shard: outcomes, and that there will be no more. */
type Granted = DispatchGrant | DispatchWave | WebhookGrant | WebhookRecall | DispatchDisowned;
type Report = readonly [partition: number, to: number, message: Message] | 'ended';
type Reply = readonly [correlation: number, answer: Answer];
export type Pending = (answer: Answer | 'lost') => void;

const shuttingDown: Answer = {
  ok: false,
  fault: { code: 'shutting_down', message: 'Engage is shutting down' },
};

/** One life of a process. */
export abstract class ProcessThreads<World extends ThreadsWorld = ThreadsWorld>
  implements LinkHost
{
  readonly timeline: LinkHost['timeline'];
  readonly rng: Rng;
  alive = true;
  /** Ends in order: takes no more requests, and lets what is under way end. */
  draining = false;
  readonly world: World;
  protected readonly shards: number;
  protected readonly paces = new SharedArrayBuffer(sharedPacesBytes);
  readonly #partitions: number;
  readonly #requests: Link<Request>[] = [];
  readonly #replies: Link<Reply>[] = [];
  /** Of questions that are not asked here. */
  readonly #insights = new InsightQueue(() => () => undefined);
  readonly #dispatchers: Dispatcher[] = [];
  readonly #webhooks: WebhookCalls[] = [];
  readonly #grants: Link<Granted>[][] = [];
  readonly #pending = new Map<number, Pending>();
  readonly #reports: Link<Report>[][] = [];
  readonly #dispatchersEnded: number[] = [];
  protected onShardEnded = (_shard: number): void => {};
  #correlation = 0;

  /** `rng` drives everything that happens in this life. */
  constructor(world: World, partitions: number, rng: Rng) {
    this.world = world;
    this.timeline = world.timeline;
    this.rng = rng;
    this.#partitions = partitions;
    this.shards = world.faults().shards;
    this.#wire(partitions);
  }

  /** The partition that takes messages here; `undefined` if another process owns it. */
  protected abstract target(index: number): Running | undefined;

  /** Who takes reports of what was granted from this address. */
  protected abstract reported(address: number): Pick<Partition, 'deliverAlways'> | undefined;

  protected get dispatchers(): number {
    return this.#dispatchers.length;
  }

  /** Asks an owner's actor on behalf of another partition. */
  protected askFor(
    to: number,
    message: Message,
    options: { lane?: Lane; bytes?: Uint8Array | undefined },
    answer: Pending,
  ): void {
    this.ask(to, message, options, answer);
  }

  linkDelayMs(): number {
    return fraction(this.rng) * this.world.faults().linkDelayMaxMs;
  }

  /**
   * Asks an owner's actor through the front. `answer` is called once: with the answer, or `lost` at
   * a crash.
   */
  ask(
    to: number,
    message: Message,
    options: { lane?: Lane; bytes?: Uint8Array | undefined },
    answer: Pending,
  ): void {
    const correlation = ++this.#correlation;
    this.#pending.set(correlation, answer);
    if (this.draining) {
      this.later(this.linkDelayMs(), () => this.#answer([correlation, shuttingDown]));
      return;
    }
    const shard = shardOf(partitionOf(to, this.#partitions), this.shards);
    this.#requests[shard]?.send({
      correlation,
      to,
      lane: options.lane ?? 'express',
      deadlineMs: this.world.clock.now() + (this.world.sabotage.patienceMs ?? 10_000),
      message,
      bytes: options.bytes,
    });
  }

  /** Tells dispatchers that nobody here owns what was granted from this address. */
  protected disown(index: number, address: number): void {
    const shard = shardOf(index, this.shards);
    for (const link of this.#grants[shard] ?? [])
      link.send({ kind: 'dispatch.disowned', partition: address });
  }

  #disown(dispatcher: number, address: number): void {
    this.#dispatchers[dispatcher]?.disown(address);
    this.#webhooks[dispatcher]?.disown(address);
  }

  /** Dies at once: nobody gets an answer any more. */
  protected die(): void {
    this.alive = false;
    for (const pending of this.#pending.values()) pending('lost');
    this.#pending.clear();
  }

  /** Dispatchers let their calls end and say so behind their last report, to every shard. */
  protected endDispatchers(): void {
    for (const [index, dispatcher] of this.#dispatchers.entries()) {
      Promise.all([dispatcher.stop(), this.#webhooks[index]?.stop()]).then(
        () => {
          for (const link of this.#reports[index] ?? []) link.send('ended');
        },
        (error: unknown) => this.world.findings.add('no_throw', String(error)),
      );
    }
  }

  #wire(partitions: number): void {
    const { shards, dispatchers } = this.world.faults();
    const holds = new SharedArrayBuffer(sharedHoldsBytes);
    for (let shard = 0; shard < shards; shard++) {
      this.#requests.push(new Link(this, (request) => this.#receive(request, shard, partitions)));
      this.#replies.push(new Link(this, (reply) => this.#answer(reply)));
      this.#grants.push([]);
      for (let index = 0; index < dispatchers; index++) {
        const link = new Link<Granted>(this, (grant) => {
          if (grant.kind === 'webhook.grant') this.#webhooks[index]?.grant(shard, grant);
          else if (grant.kind === 'webhook.recall') this.#webhooks[index]?.recall(grant);
          else if (grant.kind === 'dispatch.disowned') this.#disown(index, grant.partition);
          else this.#dispatchers[index]?.grant(shard, grant);
        });
        this.#grants[shard]?.push(link);
      }
    }
    for (let index = 0; index < dispatchers; index++) {
      const links = Array.from({ length: shards }, (_, shard) => this.#reportLink(shard));
      this.#reports.push(links);
      const report = (shard: number, partition: number, to: number, message: Message) => {
        links[shard]?.send([partition, to, message]);
      };
      const later = (ms: number, task: () => void) => this.later(ms, task);
      this.#webhooks.push(simulatedCalls(this.world, later, report));
      this.#dispatchers.push(
        new Dispatcher({
          adapters: new Map(channelIds.map((channel) => [channel, this.world.adapter(channel)])),
          clock: this.world.clock,
          defer: (task) => this.later(0.1, task), // one length for all, so first in is first out
          after: (ms, task) => this.later(ms, task),
          onBug: () => {},
          report,
          holds,
          paces: this.paces,
          unsubscribeUrl: () => '',
          preferencesUrl: () => 'http://engage.test/p/x',
        }),
      );
    }
  }

  #reportLink(shard: number): Link<Report> {
    return new Link(this, (report) => {
      if (report === 'ended') {
        const ended = (this.#dispatchersEnded[shard] ?? 0) + 1;
        this.#dispatchersEnded[shard] = ended;
        if (ended === this.#dispatchers.length) this.onShardEnded(shard);
        return;
      }
      const [partition, to, message] = report;
      const envelope: Envelope = {
        to,
        lane: 'express',
        deadlineMs: Number.POSITIVE_INFINITY,
        message,
        bytes: undefined,
        answer: undefined,
      };
      this.reported(partition)?.deliverAlways(envelope);
    });
  }

  #receive(request: Request, shard: number, partitions: number): void {
    const { correlation, to, lane, deadlineMs, message, bytes } = request;
    const target = this.target(partitionOf(to, partitions));
    const answer = (value: Answer) => {
      this.#replies[shard]?.send([correlation, value]);
      if (this.world.sabotage.answersTwice === true)
        this.#replies[shard]?.send([correlation, value]);
    };
    if (target === undefined) {
      answer({ ok: false, fault: moved });
      return;
    }
    const question = message.kind.startsWith('segment.') ? poolQuestion(message.kind) : undefined;
    if (question !== undefined) {
      const host: ReadingHost = {
        partition: target.partition,
        insights: this.#insights,
        read: (_app, _name, what) => this.#readTimes(target, what as TimesRead) as Promise<never>,
        onFailed: (_app, _what, error) => this.world.findings.add('no_throw', String(error)),
      };
      question(host, to, message, answer);
      return;
    }
    target.partition.deliver({ to, lane, deadlineMs, message, bytes, answer });
  }

  /** As the pool does it: later, and of what is durable then. */
  #readTimes({ store }: Running, read: TimesRead): Promise<CountedTimes> {
    return new Promise((resolve) => {
      this.later(this.linkDelayMs(), () => {
        let newest = 0;
        for (const { block } of store.blocks(1, Number.POSITIVE_INFINITY))
          for (const entry of decodeBlock(block).entries)
            if (entry.owner === read.app)
              for (const events of eventsOf(entry))
                newest = Math.max(newest, events.seq(events.count - 1));
        resolve(noteRead(readTimes(read, eventLog(store), noHistory), newest));
        this.world.onPromise();
      });
    });
  }

  #answer([correlation, answer]: Reply): void {
    const pending = this.#pending.get(correlation);
    this.#pending.delete(correlation);
    if (pending === undefined)
      this.world.findings.add('answered_once', `request ${correlation} has a second answer`);
    else pending(answer);
  }

  protected later(delayMs: number, task: () => void): void {
    this.timeline.after(delayMs, () => {
      if (this.alive) task();
    });
  }

  /** As the front does it, except that messages get lost, come twice, or come late. */
  #relay(relay: RelayedMessage): void {
    const { relaysPerFault } = this.world.faults();
    const goesWrong = () => fraction(this.rng) < 1 / relaysPerFault;
    const askThen = (to: number, message: Message, answer: (value: Answer) => void) => {
      if (goesWrong()) return;
      const times = goesWrong() ? 2 : 1;
      for (let i = 0; i < times; i++) {
        const lateMs = goesWrong() ? fraction(this.rng) * 120_000 : 0;
        this.later(lateMs, () =>
          this.askFor(to, message, { lane: 'bulk' }, (value) => {
            if (value !== 'lost') answer(value);
          }),
        );
      }
    };
    carry({ askThen: (to, message, _options, answer) => askThen(to, message, answer) }, relay);
  }

  protected emit(index: number, { port, message }: Effect): void {
    if (message.kind === 'relay') this.#relay(message as RelayedMessage);
    if (port === 'front' || port === 'host') return;
    const grant = message as Granted;
    if (grant.kind === 'webhook.grant') this.world.onWebhookGrant(grant);
    else if (grant.kind === 'dispatch.grant' || grant.kind === 'dispatch.wave')
      this.world.onGrant(grant);
    const shard = shardOf(index, this.shards);
    const times = this.world.sabotage.grantsTwice === true ? 2 : 1;
    for (let i = 0; i < times; i++) this.#grants[shard]?.[port]?.send(grant);
  }
}

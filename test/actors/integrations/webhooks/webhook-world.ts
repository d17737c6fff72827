// A partition with an app, its people and a destination, the calls of a dispatch thread, and a
// receiver that a test scripts. Everything in this thread, on a clock that is moved by hand.

import type { WebhookResult } from '../../../../actors/integrations/webhooks/call/attempt.ts';
import { WebhookCalls } from '../../../../actors/integrations/webhooks/calls.ts';
import { eventOf } from '../../../../actors/integrations/webhooks/event-chunk.ts';
import type {
  DestinationInput,
  WebhookGrant,
  WebhookRecall,
} from '../../../../actors/integrations/webhooks/protocol.ts';
import type { Restored } from '../../../../actors/runtime/restored.ts';
import type { DispatchGrant } from '../../../../actors/sending/outbox/protocol.ts';
import type { Message } from '../../../../engine/actor/message.ts';
import { anApp, TestPartition, type TestPartitionOptions } from '../../../support/partition.ts';

/** A call that the receiver got. */
export interface Received {
  readonly id: string;
  readonly url: string;
  readonly event: string;
  readonly body: string;
  readonly secrets: readonly string[];
  readonly isReplayed: boolean;
  readonly atMs: number;
}

export const good: WebhookResult = { status: 200, error: undefined, durationMs: 12, answer: 'ok' };
export const bad: WebhookResult = {
  status: 500,
  error: 'status',
  durationMs: 30,
  answer: 'come back later',
};

export const aDestination: DestinationInput = {
  url: 'https://example.com/hook',
  freshSecret: 'whsec_made',
  events: ['*'],
  headers: {},
  enabled: true,
  concurrency: 16,
};

type Receiver = (call: Received) => WebhookResult | Promise<WebhookResult>;

export class WebhookWorld {
  one: TestPartition;
  app = 0;
  org = 0;
  receiver: Receiver = () => good;
  readonly received: Received[] = [];
  readonly bugs: unknown[] = [];
  /** What the front was told. */
  readonly told: Message[] = [];
  #options: TestPartitionOptions;
  #calls: WebhookCalls;
  #tasks: (() => void)[] = [];

  private constructor(options: TestPartitionOptions) {
    this.#options = options;
    this.one = new TestPartition(options);
    this.#calls = this.#newCalls();
  }

  static async make(options: TestPartitionOptions = {}): Promise<WebhookWorld> {
    const world = new WebhookWorld({ available: ['fcm'], ...options });
    Object.assign(world, await anApp(world.one));
    return world;
  }

  static async withPerson(name: string, options?: TestPartitionOptions): Promise<WebhookWorld> {
    const world = await WebhookWorld.make(options);
    await world.person(name);
    return world;
  }

  /** Everything in memory is gone; what is durable is read again. */
  restart(restored?: Restored): void {
    const { store, clock } = this.one;
    const again = restored === undefined ? {} : { restored };
    this.one = new TestPartition({ ...this.#options, ...again, store, clock });
    this.#tasks = [];
    this.#calls = this.#newCalls();
  }

  async put(type = 'webhook', input: Partial<DestinationInput> = {}) {
    return this.one.value(this.app, 'destination.put', {
      type,
      input: { ...aDestination, ...input },
    });
  }

  async person(externalUserId: string): Promise<string> {
    const { subscriber } = await this.one.value(this.app, 'subscriber.upsert', {
      subscriber: {
        externalUserId,
        devices: [{ channel: 'fcm', endpoint: `token-${externalUserId}` }],
      },
    });
    return subscriber.id;
  }

  async accept(externalUserId: string): Promise<string> {
    const { id } = await this.one.value(this.app, 'transactional.accept', {
      request: { to: { externalUserId }, channels: ['fcm'], title: 'Hello', body: 'World' },
      claim: null,
    });
    return id;
  }

  /** Accepts a send and lets the provider accept it, too. */
  async send(externalUserId: string): Promise<string> {
    const id = await this.accept(externalUserId);
    await this.run();
    return id;
  }

  /** So many events in one turn, as many as a wave of a campaign can make, of these in turns. */
  async happen(count: number, name = 'delivered', people = [0]): Promise<void> {
    const app = this.one.product.state.apps.get(this.app);
    if (app === undefined) throw new Error('there is no such app');
    const atMs = this.one.clock.now();
    for (let i = 0; i < count; i++) {
      const person = people[i % people.length] ?? 0;
      app.webhooks.unwritten.push({ name, person, atMs, seq: app.nextEvent + i, channel: 1 });
    }
    await this.one.value(this.app, 'webhook.write', {});
    await this.run();
  }

  async list(filter: object = {}) {
    return this.one.value(this.app, 'webhook_delivery.list', { limit: 50, ...filter });
  }

  /** Makes granted calls and takes their outcomes until nothing moves. */
  async run(): Promise<void> {
    for (let round = 0; round < 1_000; round++) {
      await this.one.settle();
      const effects = this.one.effects.splice(0);
      for (const { port, message } of effects) {
        if (port === 'front') this.told.push(message);
        if (typeof port !== 'number') continue;
        if (message.kind === 'dispatch.grant') this.#accept(message as DispatchGrant);
        else this.grant(message);
      }
      const tasks = this.#tasks.splice(0);
      for (const task of tasks) task();
      for (let i = 0; i < 8; i++) await Promise.resolve();
      await this.one.settle();
      if (effects.length + tasks.length + this.#tasks.length + this.one.effects.length === 0)
        return;
    }
    throw new Error('webhooks do not come to rest');
  }

  async advance(ms: number): Promise<void> {
    await this.one.advance(ms);
    await this.run();
  }

  grant(message: Message): void {
    if (message.kind === 'webhook.grant') this.#calls.grant(0, message as WebhookGrant);
    else if (message.kind === 'webhook.recall') this.#calls.recall(message as WebhookRecall);
  }

  #newCalls(): WebhookCalls {
    return new WebhookCalls({
      deliver: async (call) => {
        const { deliveryId: id, body, receiver, ...rest } = call;
        const { url, secrets } = receiver;
        const received = { ...rest, url, secrets, id, body: body.toString() };
        this.received.push(received);
        return this.receiver(received);
      },
      bodyOf: (_type, event, id) => Buffer.from(JSON.stringify({ id, ...eventOf(event) })),
      onBug: (error) => this.bugs.push(error),
      now: () => this.one.clock.now(),
      defer: (task) => this.#tasks.push(task),
      report: (_shard, _partition, to, message) => this.#deliver(to, message),
    });
  }

  #accept({ app, channel, attempts }: DispatchGrant): void {
    const reports = attempts.map(({ target, attempt: { sendId, attempt } }) => ({
      sendId,
      target,
      attempt,
      outcome: { outcome: 'accepted' },
    }));
    this.#deliver(app, { kind: 'dispatch.report', by: -1, channel, reports } as Message);
  }

  #deliver(to: number, message: Message): void {
    this.one.partition.deliverAlways({
      to,
      lane: 'express',
      deadlineMs: Number.POSITIVE_INFINITY,
      message,
      bytes: undefined,
      answer: undefined,
    });
  }
}

// An app whose campaigns really leave: a partition with the whole product, a real dispatcher, and adapters that do as they
// are told. Everything in one thread, on a clock that stands still until it is moved.

import type { CampaignInput, CampaignStats } from '../../../actors/campaigns/protocol.ts';
import type { CampaignRecord } from '../../../actors/campaigns/records.ts';
import type { Adapter, Attempt, Outcome } from '../../../actors/channels/adapter.ts';
import { type ChannelId, channelIds } from '../../../actors/channels/catalog.ts';
import { Dispatcher } from '../../../actors/dispatch/dispatcher.ts';
import type { DispatchWave } from '../../../actors/dispatch/protocol.ts';
import type { DispatchGrant } from '../../../actors/transactional/protocol.ts';
import type { Message } from '../../../engine/actor/message.ts';
import { anApp, TestPartition, type TestPartitionOptions } from '../../support/partition.ts';

/** What an adapter does with an attempt; `undefined`: it never answers. */
export type Answers = (attempt: Attempt) => Outcome | undefined;

const accept: Answers = () => ({ outcome: 'accepted' });

export class Scene {
  one: TestPartition;
  readonly app: number;
  readonly org: number;
  /** What reached a provider, in order. */
  readonly sent: Attempt[] = [];
  answers: Answers = accept;
  #dispatcher: Dispatcher;
  #later: (() => void)[] = [];
  #isDead = false;

  private constructor(one: TestPartition, org: number, app: number) {
    this.one = one;
    this.org = org;
    this.app = app;
    this.#dispatcher = this.#newDispatcher();
  }

  static async open(options: TestPartitionOptions = {}): Promise<Scene> {
    const one = new TestPartition(options);
    const { org, app } = await anApp(one);
    one.effects.length = 0;
    return new Scene(one, org, app);
  }

  /** People `user-0` and on, each with a device on the channels. */
  async people(count: number, channels: readonly ChannelId[] = ['fcm'], more: object = {}) {
    for (let i = 0; i < count; i++) await this.person(`user-${i}`, channels, more);
  }

  async person(externalUserId: string, channels: readonly ChannelId[], more: object = {}) {
    const devices = channels.map((channel) => ({
      channel,
      endpoint:
        channel === 'email'
          ? `${externalUserId}@example.com`
          : `token-${externalUserId}-${channel}`,
    }));
    return this.one.value(this.app, 'subscriber.upsert', {
      subscriber: { externalUserId, tags: { first_name: externalUserId }, devices, ...more },
    } as never);
  }

  async message(content: object = {}): Promise<string> {
    const made = await this.one.value(this.app, 'message.create', {
      message: { content: { title: 'Hi {{ first_name }}', body: 'News', ...content } },
    });
    return made.id;
  }

  async campaign(input: CampaignInput = {}): Promise<CampaignRecord> {
    const messageId = input.messageId ?? (await this.message());
    return this.one.value(this.app, 'campaign.create', {
      input: { channels: ['fcm'], ...input, messageId },
    });
  }

  /** Sends a campaign and lets it run as far as it goes at this instant. */
  async send(id: string): Promise<CampaignRecord> {
    const sent = await this.one.value(this.app, 'campaign.send', { id });
    await this.run();
    return sent;
  }

  async verb(verb: 'pause' | 'resume' | 'cancel', id: string): Promise<CampaignRecord> {
    const done = await this.one.value(this.app, `campaign.${verb}`, { id });
    await this.run();
    return done;
  }

  async stats(id: string): Promise<CampaignStats> {
    const [stats] = await this.one.value(this.app, 'campaign.stats', { ids: [id] });
    return stats as CampaignStats;
  }

  /** Lets grants, calls and reports go round until nothing moves. */
  async run(): Promise<void> {
    for (let round = 0; round < 10_000; round++) {
      await this.one.settle();
      const grants = this.one.effects.filter(({ port }) => typeof port === 'number');
      this.one.effects.length = 0;
      for (const { message } of grants)
        this.#dispatcher.grant(0, structuredClone(message) as DispatchGrant | DispatchWave);
      for (let i = 0; i < 30; i++) await Promise.resolve();
      const tasks = this.#later;
      this.#later = [];
      for (const task of tasks) task();
      if (grants.length === 0 && tasks.length === 0 && this.one.effects.length === 0) return;
    }
    throw new Error('the campaign does not come to rest');
  }

  async advance(ms: number): Promise<void> {
    await this.one.advance(ms);
    await this.run();
  }

  /** The process dies, with what dispatch holds, and starts again from the log. */
  async crash(): Promise<void> {
    this.#isDead = true;
    const { store, clock } = this.one;
    this.one = new TestPartition({ store, clock });
    this.#isDead = false;
    this.#later = [];
    this.#dispatcher = this.#newDispatcher();
    await this.run();
  }

  #newDispatcher(): Dispatcher {
    const adapter: Adapter = {
      send: (attempt) => {
        this.sent.push(attempt);
        const outcome = this.answers(attempt);
        return outcome === undefined ? new Promise(() => undefined) : Promise.resolve(outcome);
      },
      close: async () => undefined,
    };
    const dispatcher = new Dispatcher({
      adapters: new Map(channelIds.map((channel) => [channel, adapter])),
      clock: { now: () => this.one.clock.nowMs, monotonic: () => this.one.clock.nowMs },
      defer: (task) => this.#later.push(task),
      after: () => undefined,
      onBug: (error) => {
        throw error;
      },
      unsubscribeUrl: (app, address) => `http://engage.test/u/${app}-${address}`,
      report: (_shard, _partition, app, report) => {
        if (this.#isDead || dispatcher !== this.#dispatcher) return;
        this.one.partition.deliverAlways({
          to: app,
          lane: 'express',
          deadlineMs: Number.POSITIVE_INFINITY,
          message: structuredClone(report) as unknown as Message,
          bytes: undefined,
          answer: undefined,
        });
      },
    });
    return dispatcher;
  }
}

// An app whose campaigns really leave: a partition with the whole product, a real dispatcher, and
// adapters that do as they are told. Everything in one thread, on a clock that stands still until
// it is moved.

import { type ChannelId, channelIds } from '../../../../actors/channels/channel-ids.ts';
import type { Adapter } from '../../../../actors/channels/port/adapter.ts';
import type { Attempt } from '../../../../actors/channels/port/attempt.ts';
import type { LateResults, ResultsQuery } from '../../../../actors/channels/port/late-results.ts';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import type {
  CampaignInput,
  CampaignStats,
} from '../../../../actors/programs/campaigns/protocol.ts';
import type { CampaignRecord } from '../../../../actors/programs/campaigns/records.ts';
import { eventsOf } from '../../../../actors/runtime/facts.ts';
import type { AppState } from '../../../../actors/runtime/state.ts';
import { Dispatcher } from '../../../../actors/sending/dispatch/dispatcher.ts';
import type { DispatchWave, PollResults } from '../../../../actors/sending/dispatch/protocol.ts';
import type { DispatchGrant } from '../../../../actors/sending/outbox/protocol.ts';
import { decodeBlock } from '../../../../engine/actor/block.ts';
import type { Answer, Entry, Message } from '../../../../engine/actor/message.ts';
import type { Millis } from '../../../../engine/base/brand.ts';
import { hash32 } from '../../../../engine/base/hash.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import { sharedHoldsBytes } from '../../../../engine/thread/shared-holds.ts';
import {
  partitionWithApp,
  TestPartition,
  type TestPartitionOptions,
} from '../../../support/partition.ts';

/** What an adapter does with an attempt; `undefined`: it never answers. */
export type Answers = (attempt: Attempt, relayId?: string) => Outcome | undefined;

/** An event as the log has it. */
interface SceneEvent {
  readonly seq: number;
  readonly name: string;
  readonly person: number;
  readonly atMs: Millis;
  readonly channel: ChannelId | undefined;
  readonly sendId: string | undefined;
  readonly deviceId: string | undefined;
  readonly campaignId: string | undefined;
  readonly messageId: string | undefined;
  readonly meta: Readonly<Record<string, unknown>>;
}

export const accept: Answers = () => ({ outcome: 'accepted' });

export class Scene {
  one: TestPartition;
  readonly app: number;
  readonly org: number;
  /** What reached a provider, in order. */
  readonly sent: Attempt[] = [];
  /** When each did. */
  readonly sentMs: Millis[] = [];
  answers: Answers = accept;
  /** Called with what each dispatch thread is given. */
  onGrant: ((port: number, message: Message) => void) | undefined;
  /** What a provider says when it is asked what became of messages; absent where it cannot be. */
  results: ((query: ResultsQuery) => LateResults) | undefined;
  #dispatchers: readonly Dispatcher[];
  #holds = new SharedArrayBuffer(sharedHoldsBytes);
  #later: (() => void)[] = [];
  #isDead = false;
  #isHeld = false;
  #sweeps: (() => void)[] = [];
  #starts = 1;
  readonly #options: TestPartitionOptions;

  private constructor(
    one: TestPartition,
    org: number,
    app: number,
    options: TestPartitionOptions = {},
  ) {
    this.#options = options;
    this.one = one;
    this.org = org;
    this.app = app;
    this.#dispatchers = this.#newDispatchers();
  }

  static async open(options: TestPartitionOptions = {}): Promise<Scene> {
    const { one, org, app } = await partitionWithApp(options);
    one.effects.length = 0;
    return new Scene(one, org, app, options);
  }

  static async withPeople(...people: Parameters<Scene['people']>): Promise<Scene> {
    const scene = await Scene.open();
    await scene.people(...people);
    return scene;
  }

  /** Another app of the same org, in the same partition and with the same dispatch. */
  async anotherApp(): Promise<Scene> {
    const { ordinal } = await this.one.value(this.org, 'app.create', {
      name: 'Another',
      timezone: 'UTC',
      vapid: { publicKey: 'public', privateKey: 'private' },
    });
    return new Scene(this.one, this.org, ordinal);
  }

  /** People `user-0` and on, each with a device on the channels. */
  async people(
    count: number,
    channels: readonly ChannelId[] = ['fcm'],
    more: object = {},
    name = 'user',
  ) {
    for (let from = 0; from < count; from += 500)
      await this.import(
        Array.from({ length: Math.min(500, count - from) }, (_, i) => [
          `${name}-${from + i}`,
          channels,
          more,
        ]),
      );
  }

  /** People by their names, each with their devices. */
  async import(people: readonly (readonly [string, readonly ChannelId[], object])[]) {
    const rows = people.map(([name, channels, more]) => subscriber(name, channels, more));
    const made = await this.one.value(this.app, 'subscriber.import', { rows } as never);
    if (made.errors.length > 0) throw new Error(made.errors[0]?.error);
  }

  async person(externalUserId: string, channels: readonly ChannelId[], more: object = {}) {
    return this.one.value(this.app, 'subscriber.upsert', {
      subscriber: subscriber(externalUserId, channels, more),
    } as never);
  }

  /** A topic with the default `out` has a double opt-in. */
  async topic(key: string, otherwise: 'in' | 'out') {
    const input = { name: key, default: otherwise, doubleOptIn: otherwise === 'out' };
    await this.one.value(this.app, 'topic.create', { key, input });
  }

  /** `asks`: without an API key, so that an `in` may have to wait for a confirmation. */
  async choose(name: string, topic: string, choice: 'in' | 'out' | null, asks = false) {
    const ref = { externalUserId: name };
    const source = asks ? ({ source: 'page' } as const) : {};
    const change = { topics: { [topic]: choice } };
    return this.one.value(this.app, 'preferences.set', { ref, change, ...source });
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

  /** Creates a campaign and sends it. */
  async sentCampaign(input: CampaignInput = {}): Promise<CampaignRecord> {
    const campaign = await this.campaign(input);
    await this.send(campaign.id);
    return campaign;
  }

  async verb(
    verb: 'unschedule' | 'pause' | 'resume' | 'cancel',
    id: string,
  ): Promise<CampaignRecord> {
    const done = await this.one.value(this.app, `campaign.${verb}`, { id });
    await this.run();
    return done;
  }

  /** The code of a call's refusal, and its words. */
  async refusal(
    verb: 'send' | 'unschedule' | 'pause' | 'resume' | 'cancel' | 'archive' | 'update',
    id: string,
    more: object = {},
  ): Promise<string> {
    const answer: Answer = await this.one.ask(this.app, `campaign.${verb}`, { id, ...more });
    await this.run();
    return answer.ok ? 'accepted' : `${answer.fault.code}: ${answer.fault.message}`;
  }

  async settings(patch: object): Promise<void> {
    await this.one.value(this.app, 'settings.patch', { patch } as never);
  }

  async orgLimits(change: object): Promise<void> {
    await this.one.value(this.org, 'org.set_limits', change as never);
  }

  /** Tracks one event. */
  async track(externalUserId: string, name: string, more: object = {}): Promise<void> {
    await this.#ingest({ name, externalUserId, ...more });
  }

  async trackPerson(subscriberId: string, name: string, more: object = {}): Promise<void> {
    await this.#ingest({ name, subscriberId, ...more });
  }

  async #ingest(event: object): Promise<void> {
    const bytes = Buffer.from(JSON.stringify({ events: [event] }));
    await this.one.value(this.app, 'events.ingest', { keyless: false } as never, { bytes });
    await this.run();
  }

  async optOut(channel: ChannelId, address: string): Promise<void> {
    const source = 'api';
    await this.one.value(this.app, 'suppression.add', { channel, address, source } as never);
  }

  get state(): AppState {
    return this.one.product.state.apps.get(this.app) as AppState;
  }

  /** Whom providers were called for, sorted, each as often as they were. */
  reached(channel?: ChannelId): string[] {
    return this.sent
      .filter((one) => channel === undefined || one.channel === channel)
      .map(({ endpoint }) => ownerOf(endpoint as string))
      .sort();
  }

  /** The calls that were made, each by its send and device. */
  calls(): string[] {
    return this.sent.map(({ sendId, deviceId }) => `${sendId} ${deviceId}`);
  }

  /** Has dispatch make the calls that are granted, and takes nothing of what comes of them. */
  async callGranted(): Promise<void> {
    for (const { port, message } of this.one.effects.splice(0))
      if (typeof port === 'number') this.#grant(port, message);
    for (let i = 0; i < 30; i++) await Promise.resolve();
  }

  /** What the log says, turn by turn. */
  *blocks(): Generator<{ readonly atMs: Millis; readonly entries: readonly Entry[] }> {
    const { store } = this.one;
    for (let seq = store.oldestSeq; seq <= store.durableSeq; seq++)
      for (const { block } of store.blocks(seq, 1)) yield decodeBlock(block);
  }

  /** Every event of the app, as every reader of the log makes it. */
  events(...names: readonly string[]): SceneEvent[] {
    const found: SceneEvent[] = [];
    for (const { entries } of this.blocks())
      for (const entry of entries) {
        if (entry.owner !== this.app) continue;
        found.push(...this.eventsOf(entry, ...names));
      }
    return found;
  }

  eventsOf(entry: Entry, ...names: readonly string[]): SceneEvent[] {
    const found: SceneEvent[] = [];
    for (const batch of eventsOf(entry))
      for (let row = 0; row < batch.count; row++) {
        const name = batch.name(row);
        if (names.length > 0 && !names.includes(name)) continue;
        found.push({
          seq: batch.seq(row),
          name,
          person: batch.person(row),
          atMs: batch.atMs(row),
          channel: channelIds[batch.channel(row) - 1],
          sendId: batch.reference(row, 'sendId'),
          deviceId: batch.reference(row, 'deviceId'),
          campaignId: batch.reference(row, 'campaignId'),
          messageId: batch.reference(row, 'messageId'),
          meta: JSON.parse(batch.metaJson(row) ?? '{}'),
        });
      }
    return found;
  }

  /**
   * The first event that is not numbered as the one after the event before it; `undefined` when all
   * are.
   */
  firstGap(): SceneEvent | undefined {
    const events = this.events();
    const gap = events.find(({ seq }, i) => seq !== i + 1);
    if (gap === undefined && this.state.nextEvent !== events.length + 1)
      throw new Error(`memory numbers the next ${this.state.nextEvent}, after ${events.length}`);
    return gap;
  }

  /**
   * Somebody who is known to nobody yet, with a device; `become` says that they are somebody else.
   */
  async anonymous(channel: ChannelId, name: string) {
    const ask = (login: object) =>
      this.one.value(this.app, 'sdk.login', {
        login: { tokenKey: new Uint8Array(32).fill(3), ...login },
      } as never);
    const { clientToken, subscriberId } = await ask({});
    await this.one.value(this.app, 'sdk.register', {
      clientToken,
      device: { channel, endpoint: endpointOf(name, channel) },
    });
    const become = async (externalUserId: string) => {
      await ask({ clientToken, externalUserId });
      await this.run();
    };
    return { subscriberId, become };
  }

  async stats(id: string): Promise<CampaignStats> {
    const [stats] = await this.one.value(this.app, 'campaign.stats', { ids: [id] });
    return stats as CampaignStats;
  }

  /** Lets grants, calls and reports go round until nothing moves. */
  async run(): Promise<void> {
    for (let round = 0; round < 10_000; round++) {
      await this.one.settle();
      if (this.isDead) return;
      const grants = this.one.effects.filter(
        // Nobody calls webhooks here: their deliveries stay in the ledger.
        ({ port, message }) => typeof port === 'number' && !message.kind.startsWith('webhook.'),
      );
      this.one.effects.length = 0;
      for (const { port, message } of grants) this.#grant(port as number, message);
      for (let i = 0; i < 30; i++) await Promise.resolve();
      const tasks = this.#isHeld ? [] : this.#later;
      if (!this.#isHeld) this.#later = [];
      for (const task of tasks) task();
      if (grants.length + tasks.length + this.one.effects.length > 0) continue;
      // What is due at once has its turn a millisecond later, and the clock stands still: another
      // turn makes up for it.
      const { durableSeq } = this.one.store;
      await this.one.ask(this.app, 'app.read', {});
      if (this.one.store.durableSeq === durableSeq && this.one.effects.length === 0) return;
    }
    throw new Error('the campaign does not come to rest');
  }

  /** Keeps reports of dispatch back, until what is returned is called. */
  hold(): () => Promise<void> {
    this.#isHeld = true;
    return () => {
      this.#isHeld = false;
      return this.run();
    };
  }

  async advance(ms: number): Promise<void> {
    await this.one.advance(ms);
    await this.run();
  }

  /** Its store takes nothing any more. */
  get isDead(): boolean {
    return 'isDead' in this.one.store && this.one.store.isDead === true;
  }

  /**
   * Whether memory is what a start makes of the log. Nothing of it is used afterwards but the log.
   */
  isMemoryOfLog(): boolean {
    const { store, clock, partition } = this.one;
    this.one = new TestPartition({ ...this.#options, store: store.crash(), clock });
    const replayed = JSON.stringify(this.one.partition.snapshot());
    return replayed === JSON.stringify(partition.snapshot());
  }

  /**
   * Goes on from memory that was written down here; whether that is what the log makes. What
   * dispatch holds is asked first.
   */
  async moveByCheckpoint(): Promise<boolean> {
    const { store, clock, partition } = this.one;
    const memory = structuredClone(partition.snapshot());
    const rest = { ...this.#options, clock };
    const disk = store.crash();
    const byLog = new TestPartition({ ...rest, store: disk });
    this.one = new TestPartition({
      ...rest,
      store: disk,
      checkpoint: { seq: partition.seq, memory },
    });
    await this.run();
    // Copied, too: buffers of the one would look like arrays of the other.
    const replayed = structuredClone(byLog.partition.snapshot());
    return JSON.stringify(replayed) === JSON.stringify(memory);
  }

  /** Dispatch gives back what it could not start in time. */
  async handBack(): Promise<void> {
    this.one.clock.nowMs += 6_000;
    const sweeps = this.#sweeps;
    this.#sweeps = [];
    for (const sweep of sweeps) sweep();
    await this.run();
  }

  /** The process dies, with what dispatch holds, and starts again from the log, or from `store`. */
  async crash(more: TestPartitionOptions = {}): Promise<void> {
    this.#isDead = true;
    const { clock } = this.one;
    const { store = this.one.store.crash() } = more;
    const rng = seededRng(++this.#starts);
    this.one = new TestPartition({ ...this.#options, ...more, store, clock, rng });
    this.#isDead = false;
    this.#later = [];
    this.#sweeps = [];
    this.#dispatchers = this.#newDispatchers();
    await this.run();
  }

  #grant(port: number, message: Message): void {
    this.onGrant?.(port, message);
    this.#dispatchers[port]?.grant(
      0,
      structuredClone(message) as DispatchGrant | DispatchWave | PollResults,
    );
  }

  #newDispatchers(): readonly Dispatcher[] {
    this.#holds = new SharedArrayBuffer(sharedHoldsBytes);
    const { dispatchers } = this.#options.threads ?? { dispatchers: 1 };
    return Array.from({ length: dispatchers }, () => this.#newDispatcher());
  }

  #newDispatcher(): Dispatcher {
    const adapter: Adapter = {
      send: (attempt, _credentials, _mayBegin, relay) => {
        this.sent.push(attempt);
        this.sentMs.push(this.one.clock.nowMs);
        const outcome = this.answers(attempt, relay?.id);
        return outcome === undefined ? new Promise(() => undefined) : Promise.resolve(outcome);
      },
      results: async (query) => this.results?.(query) ?? notAsked,
      close: async () => undefined,
    };
    const { mailbox } = this.#options;
    const dispatcher = new Dispatcher({
      adapters: new Map(channelIds.map((channel) => [channel, adapter])),
      clock: { now: () => this.one.clock.nowMs, monotonic: () => this.one.clock.nowMs },
      defer: (task) => this.#later.push(task),
      after: (_ms, task) => this.#sweeps.push(task),
      onBug: (error) => {
        throw error;
      },
      holds: this.#holds,
      unsubscribeUrl: (app, address) => `http://engage.test/u/${app}-${address}`,
      preferencesUrl: () => 'http://engage.test/p/x',
      ...(mailbox ? { mailboxes: { of: mailbox === true ? inOthers : mailbox } } : {}),
      report: (_shard, _partition, app, report) => {
        if (this.#isDead || !this.#dispatchers.includes(dispatcher)) return;
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

const notAsked: LateResults = {
  state: 'failed',
  failure: { outcome: 'permanent', reason: 'not_supported' },
};

function subscriber(externalUserId: string, channels: readonly ChannelId[], more: object) {
  const devices = channels.map((channel, i) => ({
    channel,
    endpoint: endpointOf(externalUserId, channel, channels.indexOf(channel) === i ? '' : `-${i}`),
  }));
  return { externalUserId, tags: { first_name: externalUserId }, devices, ...more };
}

const inOthers = () => ({ group: 'others' as const });
const owners = new Map<string, string>();
const phones: ReadonlySet<ChannelId> = new Set(['sms', 'voice', 'whatsapp', 'rcs', 'kakao']);

/** The address of somebody on a channel; `more` tells several apart. */
export function endpointOf(externalUserId: string, channel: ChannelId, more = ''): string {
  const name = `${externalUserId}${more}`;
  const endpoint =
    channel === 'email'
      ? `${name}@example.com`
      : phones.has(channel)
        ? `+1415${String(1_000_000 + (hash32(name) % 8_000_000))}`
        : channel === 'zalo' || channel === 'telegram'
          ? String(hash32(name))
          : channel === 'line'
            ? `U${hash32(name).toString(16).padStart(32, '0')}`
            : `token.${name}.${channel}-0123456789`;
  owners.set(endpoint, externalUserId);
  return endpoint;
}

function ownerOf(endpoint: string): string {
  return owners.get(endpoint) ?? endpoint;
}

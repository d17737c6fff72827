// The product's actor with a dispatcher and a provider of the test's own on a virtual clock: what
// the provider is asked when, and what it answers after how long. Survives restarts.

import type { Test } from 'tap';
import type { ChannelId } from '../../../../actors/channels/channel-ids.ts';
import type { Adapter, MayBegin } from '../../../../actors/channels/port/adapter.ts';
import { AdaptersUnavailable } from '../../../../actors/channels/port/adapters-unavailable.ts';
import type { Attempt } from '../../../../actors/channels/port/attempt.ts';
import { serverRelay } from '../../../../actors/channels/port/open-relay.ts';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { Dispatcher } from '../../../../actors/sending/dispatch/dispatcher.ts';
import { resultInFull } from '../../../../actors/sending/transactional/batch-result.ts';
import type {
  BatchRecipient,
  SharedRequest,
} from '../../../../actors/sending/transactional/protocol.ts';
import { secondMs } from '../../../../engine/base/brand.ts';
import type { Clock } from '../../../../engine/time/clock.ts';
import { anApp, TestPartition } from '../../../support/partition.ts';

interface Call {
  readonly atMs: number;
  readonly channel: ChannelId;
  readonly to: string;
  readonly sendId: string;
  /** By which relay; the server's own way where there is none. */
  readonly relay: string;
  outcome?: Outcome;
}

/** In the order in which it happened. */
export type Happened =
  | { readonly kind: 'begin'; readonly atMs: number }
  | { readonly kind: 'restart'; readonly atMs: number }
  | { readonly kind: 'end'; readonly atMs: number; readonly outcome: Outcome };

interface Options {
  readonly channels: readonly ChannelId[];
  readonly answer: (attempt: Attempt, nowMs: number, relay: string) => Outcome;
  /** How long the provider takes. */
  readonly tookMs?: (attempt: Attempt, nowMs: number) => number;
  /** A real one, in place of the scene's; then the rest does not matter. */
  readonly adapter?: (clock: Clock) => Adapter;
  /** Calls that the adapter makes at once; others wait in it. */
  readonly connections?: number;
}

export class ThrottleScene {
  readonly #t: Test;
  readonly #options: Options;
  one: TestPartition;
  app = 0;
  org = 0;
  readonly calls: Call[] = [];
  readonly happened: Happened[] = [];
  answer: Options['answer'];
  /** Channels that the server itself can send by, from the next start on. */
  available: readonly ChannelId[];
  /** The adapter throws it before any call. */
  failsBy: (relay: string) => Error | undefined = () => undefined;
  /** From the next start on. */
  masterKeys: readonly Uint8Array[] = [new Uint8Array(32).fill(7)];
  #dispatcher: Dispatcher;
  #due: { readonly atMs: number; readonly run: () => void }[] = [];
  /** Waiting for a connection. */
  #line: (() => void)[] = [];
  #busy = 0;

  private constructor(t: Test, options: Options) {
    this.#t = t;
    this.#options = options;
    this.answer = options.answer;
    this.available = options.channels;
    this.one = new TestPartition({ available: options.channels });
    this.#dispatcher = this.#dispatch();
  }

  static async open(t: Test, options: Options): Promise<ThrottleScene> {
    const scene = new ThrottleScene(t, options);
    const { org, app } = await anApp(scene.one);
    scene.app = app;
    scene.org = org;
    // More than a month's email allowance waits.
    await scene.one.value(org, 'org.set_limits', { emailAllowance: null });
    return scene;
  }

  get nowMs(): number {
    return this.one.clock.nowMs;
  }

  async person(name: string, channel: ChannelId, endpoint: unknown): Promise<void> {
    await this.one.value(this.app, 'subscriber.upsert', {
      subscriber: { externalUserId: name, devices: [{ channel, endpoint }] },
    } as never);
  }

  async send(name: string, extra: object = {}): Promise<string> {
    const request = { to: { externalUserId: name }, title: 'T', body: 'x', ...extra };
    return (await this.one.value(this.app, 'transactional.accept', { request, claim: null })).id;
  }

  /** One batch, in as many turns as it takes; the ids in order. Nothing of it is granted yet. */
  async batch(request: SharedRequest, recipients: readonly BatchRecipient[]): Promise<string[]> {
    const ids: string[] = [];
    while (ids.length < recipients.length) {
      const left = recipients.slice(ids.length);
      const body = { request, recipients: left, key: null, claimed: [] };
      const { results, run } = await this.one.value(this.app, 'transactional.accept_batch', body);
      for (const result of results) ids.push(resultInFull(result, run).id ?? '');
    }
    return ids;
  }

  async statusOf(id: string): Promise<string> {
    return (await this.one.value(this.app, 'transactional.read', { id })).status;
  }

  async channel(channel: ChannelId) {
    const states = await this.one.value(this.app, 'channel.list', {});
    return states.find((one) => one.channel === channel);
  }

  /** Lets everything of this instant end. */
  async rest(): Promise<void> {
    for (let idle = 0; idle < 3; idle++) {
      await this.one.settle();
      for (const grant of this.one.takeGrants()) {
        this.#dispatcher.grant(0, grant);
        idle = 0;
      }
      const due = this.#due.filter(({ atMs }) => atMs <= this.nowMs);
      this.#due = this.#due.filter(({ atMs }) => atMs > this.nowMs);
      for (const { run } of due) run();
      if (due.length > 0) idle = 0;
      // A real conversation takes as long as it takes, at one instant of the clock.
      if (this.#options.adapter !== undefined && this.#dispatcher.figures.inFlight > 0) idle = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async pass(ms: number, stepMs = secondMs): Promise<void> {
    for (const endMs = this.nowMs + ms; this.nowMs < endMs; ) {
      this.one.clock.nowMs += Math.min(stepMs, endMs - this.nowMs);
      await this.rest();
    }
  }

  /** The process ends and starts again from its log; calls in flight get no answer. */
  async restart(): Promise<void> {
    const { store, clock } = this.one;
    this.happened.push({ kind: 'restart', atMs: this.nowMs });
    this.#due = [];
    this.#line = [];
    this.#busy = 0;
    const { available, masterKeys } = this;
    this.one = new TestPartition({ store, clock, available, masterKeys });
    this.#dispatcher = this.#dispatch();
    await this.rest();
  }

  #dispatch(): Dispatcher {
    const { one } = this;
    const real = this.#options.adapter?.(one.clock);
    if (real !== undefined) this.#t.teardown(() => real.close());
    const adapters = new Map(
      this.#options.channels.map((channel): [ChannelId, Adapter] => [
        channel,
        real ?? {
          send: (attempt, _credentials, mayBegin, relay) =>
            this.#call(one, attempt, mayBegin, relay?.id),
          close: () => Promise.resolve(),
        },
      ]),
    );
    return new Dispatcher({
      adapters,
      clock: one.clock,
      report: (_shard, _partition, to, message) => {
        if (this.one === one)
          one.partition.deliverAlways({
            to,
            lane: 'express',
            deadlineMs: Number.POSITIVE_INFINITY,
            message,
            bytes: undefined,
            answer: undefined,
          });
      },
      defer: setImmediate,
      after: () => undefined,
      onBug: (error) => {
        if (!(error instanceof AdaptersUnavailable)) this.#t.error(error);
      },
      unsubscribeUrl: () => 'http://127.0.0.1/u',
      preferencesUrl: () => 'http://engage.test/p/x',
    });
  }

  #call(
    one: TestPartition,
    attempt: Attempt,
    mayBegin?: MayBegin,
    relay: string = serverRelay,
  ): Promise<Outcome> {
    const failure = this.failsBy(relay);
    if (failure !== undefined) return Promise.reject(failure);
    return new Promise((resolve) => {
      const begin = () => {
        if (mayBegin?.() === false) {
          resolve({ outcome: 'retry', reason: 'recalled' });
          return;
        }
        this.#busy++;
        const { channel, sendId } = attempt;
        const to = String(attempt.endpoint);
        const call: Call = { atMs: this.nowMs, channel, to, sendId, relay };
        this.calls.push(call);
        this.happened.push({ kind: 'begin', atMs: this.nowMs });
        const tookMs = this.#options.tookMs?.(attempt, this.nowMs) ?? 0;
        this.#due.push({
          atMs: this.nowMs + tookMs,
          run: () => {
            if (this.one !== one) return;
            const outcome = this.answer(attempt, this.nowMs, relay);
            call.outcome = outcome;
            this.happened.push({ kind: 'end', atMs: this.nowMs, outcome });
            resolve(outcome);
            this.#busy--;
            this.#next();
          },
        });
      };
      this.#line.push(begin);
      this.#next();
    });
  }

  #next(): void {
    const { connections = Number.POSITIVE_INFINITY } = this.#options;
    // The dispatcher hears an answer before the adapter begins its next call.
    setImmediate(() => {
      while (this.#busy < connections) {
        const begin = this.#line.shift();
        if (begin === undefined) return;
        begin();
      }
    });
  }
}

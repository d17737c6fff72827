// A partition with two real dispatch threads' dispatchers that share campaigns. Nothing moves by
// itself: a test delivers grants, tasks, answers and reports one by one, in any order that threads
// may have.

import type { Adapter } from '../../../../actors/channels/port/adapter.ts';
import type { Attempt } from '../../../../actors/channels/port/attempt.ts';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { Dispatcher } from '../../../../actors/sending/dispatch/dispatcher.ts';
import type { DispatchWave } from '../../../../actors/sending/dispatch/protocol.ts';
import type { DispatchGrant } from '../../../../actors/sending/outbox/protocol.ts';
import type { Message } from '../../../../engine/actor/message.ts';
import { formatId } from '../../../../engine/base/id.ts';
import { sharedHoldsBytes } from '../../../../engine/thread/shared-holds.ts';
import { partitionWithApp, type TestPartition } from '../../../support/partition.ts';

/** A call that a provider has not answered. */
interface OpenCall {
  readonly thread: number;
  readonly attempt: Attempt;
  readonly answer: (outcome: Outcome) => void;
}

interface Thread {
  readonly dispatcher: Dispatcher;
  readonly grants: (DispatchGrant | DispatchWave)[];
  readonly tasks: (() => void)[];
  readonly reports: { readonly app: number; readonly report: Message }[];
}

export class SharedWorld {
  readonly one: TestPartition;
  readonly app: number;
  readonly threads: readonly Thread[];
  readonly open: OpenCall[] = [];
  /** All calls, in order. */
  readonly called: Attempt[] = [];
  /** Sends of campaigns as they were granted, by person. */
  readonly granted = new Map<number, string[]>();
  /** Waves that were marked as shared, and grants beside them. */
  shared = 0;
  sharedGrants = 0;
  /** The most calls that were open at once. */
  most = 0;

  private constructor(one: TestPartition, app: number, dispatchers: number) {
    this.one = one;
    this.app = app;
    const holds = new SharedArrayBuffer(sharedHoldsBytes);
    this.threads = Array.from({ length: dispatchers }, (_, thread) => this.#thread(thread, holds));
  }

  static async open(people: number, dispatchers = 2): Promise<SharedWorld> {
    const threads = { dispatchers, campaignDispatchers: dispatchers };
    const { one, app } = await partitionWithApp({ threads });
    one.effects.length = 0;
    const rows = Array.from({ length: people }, (_, i) => ({
      externalUserId: `user-${i}`,
      devices: [{ channel: 'fcm', endpoint: `token-${i}` }],
    }));
    await one.value(app, 'subscriber.import', { rows } as never);
    return new SharedWorld(one, app, dispatchers);
  }

  async campaign(): Promise<string> {
    const content = { title: 'Hi', body: 'News' };
    const { id: messageId } = await this.one.value(this.app, 'message.create', {
      message: { content },
    });
    const input = { channels: ['fcm'], messageId };
    const { id } = await this.one.value(this.app, 'campaign.create', { input } as never);
    await this.one.value(this.app, 'campaign.send', { id });
    this.#take();
    return id;
  }

  async single(person: number): Promise<void> {
    const request = { to: { externalUserId: `user-${person}` }, title: 'One', body: 'Single' };
    await this.one.ask(this.app, 'transactional.accept', { request, claim: null } as never);
    this.#take();
  }

  async erase(person: number): Promise<void> {
    await this.one.ask(this.app, 'subscriber.erase', { ref: { externalUserId: `user-${person}` } });
    this.#take();
  }

  grant(thread: number): boolean {
    const { dispatcher, grants } = this.threads[thread] as Thread;
    const next = grants.shift();
    if (next === undefined) return false;
    dispatcher.grant(0, next);
    return true;
  }

  async task(thread: number): Promise<boolean> {
    const task = this.threads[thread]?.tasks.shift();
    task?.();
    await soon();
    return task !== undefined;
  }

  async answer(which: number, outcome: Outcome): Promise<boolean> {
    const [call] = this.open.splice(which % Math.max(1, this.open.length), 1);
    call?.answer(outcome);
    await soon();
    return call !== undefined;
  }

  async report(thread: number): Promise<boolean> {
    const next = this.threads[thread]?.reports.shift();
    if (next === undefined) return false;
    this.one.partition.deliverAlways({
      to: next.app,
      lane: 'express',
      deadlineMs: Number.POSITIVE_INFINITY,
      message: next.report,
      bytes: undefined,
      answer: undefined,
    });
    await this.one.settle();
    this.#take();
    return true;
  }

  async pass(ms: number): Promise<void> {
    await this.one.advance(ms);
    this.#take();
  }

  #take(): void {
    for (const { port, message } of this.one.effects.splice(0)) {
      if (typeof port !== 'number') continue;
      const grant = structuredClone(message) as DispatchGrant | DispatchWave;
      if (grant.kind === 'dispatch.wave') this.#noteWave(grant);
      if (grant.callsMax !== undefined) {
        if (grant.kind === 'dispatch.wave') this.shared++;
        else this.sharedGrants++;
      }
      this.threads[port]?.grants.push(grant);
    }
  }

  #noteWave({ people, sendParts }: DispatchWave): void {
    for (const low32 of people) {
      const sendId = formatId('ntf', { ...sendParts, low32 });
      this.granted.set(low32, [...(this.granted.get(low32) ?? []), sendId]);
    }
  }

  #thread(thread: number, holds: SharedArrayBuffer): Thread {
    const { clock } = this.one;
    const tasks: (() => void)[] = [];
    const reports: Thread['reports'] = [];
    const adapter: Adapter = {
      send: (attempt) =>
        new Promise((answer) => {
          this.called.push(attempt);
          this.open.push({ thread, attempt, answer });
          this.most = Math.max(this.most, this.open.length);
        }),
      close: async () => undefined,
    };
    const dispatcher = new Dispatcher({
      adapters: new Map([['fcm', adapter]]),
      clock,
      defer: (task) => tasks.push(task),
      after: () => undefined, // nothing waits for so long
      onBug: (error) => {
        throw error;
      },
      unsubscribeUrl: () => '',
      preferencesUrl: () => 'http://engage.test/p/x',
      holds,
      report: (_shard, _partition, app, report) =>
        reports.push({ app, report: structuredClone(report) as unknown as Message }),
    });
    return { dispatcher, grants: [], tasks, reports };
  }
}

async function soon(): Promise<void> {
  for (let i = 0; i < 8; i++) await Promise.resolve();
}

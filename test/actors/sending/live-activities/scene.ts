// One app with Live Activities in one partition: people log in as a client does, and grants are
// answered by hand.

import type { ChannelId } from '../../../../actors/channels/channel-ids.ts';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import type { LiveActivityChange } from '../../../../actors/sending/live-activities/protocol.ts';
import type {
  AttemptReport,
  DispatchGrant,
  GrantedAttempt,
} from '../../../../actors/sending/outbox/protocol.ts';
import type { IdempotencyClaim } from '../../../../actors/sending/transactional/idempotency-claim.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import { Documents } from '../../../../storage/documents.ts';
import { type LiveActivityRow, liveActivities } from '../../../../storage/tables/live-activity.ts';
import {
  partitionWithApp,
  TestPartition,
  type TestPartitionOptions,
} from '../../../support/partition.ts';

export interface Client {
  readonly subscriberId: string;
  readonly clientToken: string;
}

/** A token that looks like ActivityKit's; a different one for each number. */
export function tokenOf(number: number): string {
  return number.toString(16).padStart(8, '0').repeat(10);
}

export class ActivityScene {
  one: TestPartition;
  readonly app: number;
  readonly org: number;
  readonly #options: TestPartitionOptions;
  #lives = 1;

  private constructor(one: TestPartition, org: number, app: number, options: TestPartitionOptions) {
    this.one = one;
    this.org = org;
    this.app = app;
    this.#options = options;
  }

  static async open(options: TestPartitionOptions = {}): Promise<ActivityScene> {
    const whole: TestPartitionOptions = { available: ['apns', 'fcm'], ...options };
    const { one, org, app } = await partitionWithApp(whole);
    await one.value(app, 'settings.patch', { patch: { identityVerification: 'open' } });
    return new ActivityScene(one, org, app, whole);
  }

  async logIn(login: { externalUserId?: string; clientToken?: string } = {}): Promise<Client> {
    return this.one.value(this.app, 'sdk.login', {
      login: { ...login, tokenKey: new Uint8Array(32).fill(9) },
    });
  }

  async register(
    { clientToken }: Client,
    pushToken: string,
    more: { readonly deviceId?: string; readonly activityType?: string } = {},
  ): Promise<string> {
    const activity = { activityType: 'Delivery', pushToken, ...more };
    return (await this.one.value(this.app, 'live_activity.register', { clientToken, activity })).id;
  }

  async rotate({ clientToken }: Client, id: string, pushToken: string) {
    return this.one.ask(this.app, 'live_activity.rotate', { id, clientToken, pushToken });
  }

  async ask(id: string, change: LiveActivityChange, claim: IdempotencyClaim | null = null) {
    return this.one.ask(this.app, 'live_activity.push', { id, change, claim });
  }

  /** Queues a push; the id of its send. */
  async push(id: string, contentState: object, more: Partial<LiveActivityChange> = {}) {
    const change = { event: 'update', contentState, ...more } as LiveActivityChange;
    return (await this.one.value(this.app, 'live_activity.push', { id, change, claim: null })).id;
  }

  /** Attempts granted since the last call. */
  grants(): (GrantedAttempt & { readonly channel: ChannelId })[] {
    return this.one
      .takeGrants()
      .filter(({ kind }) => kind === 'dispatch.grant')
      .flatMap(({ channel, attempts }: DispatchGrant) =>
        attempts.map((attempt) => ({ ...attempt, channel })),
      );
  }

  /** Answers an attempt as the dispatcher would. */
  async answer(
    { target, attempt, channel }: GrantedAttempt & { readonly channel: ChannelId },
    outcome: Outcome | undefined,
  ): Promise<void> {
    const { sendId, attempt: nth, activity } = attempt;
    const { rotations } = activity ?? {};
    const report: AttemptReport = {
      sendId,
      target,
      attempt: nth,
      outcome,
      ...(rotations === undefined ? {} : { rotations }),
    };
    await this.one.ask(this.app, 'dispatch.report', { channel, reports: [report] });
  }

  async status(id: string) {
    const { status, outcomes } = await this.one.value(this.app, 'transactional.read', { id });
    return { status, reason: outcomes.at(-1)?.reason, deviceId: outcomes.at(-1)?.deviceId };
  }

  /** The row as it is at rest. */
  row(id: string): LiveActivityRow | undefined {
    return new Documents(this.one.store).bound(this.app).get(liveActivities, [id]);
  }

  async list(more: { to?: { id: string }; state?: LiveActivityRow['state'] } = {}) {
    const page = await this.one.value(this.app, 'live_activity.list', { limit: 200, ...more });
    return page.items;
  }

  /** The process dies and starts again from what is durable. */
  async crash(): Promise<void> {
    const { clock, store } = this.one;
    // Chance of its own, or the ids of two lives in one millisecond would be the same.
    const rng = seededRng(++this.#lives);
    this.one = new TestPartition({ ...this.#options, store: store.crash(), clock, rng });
    await this.one.settle();
  }
}

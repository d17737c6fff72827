// The surroundings of live runs: conditions, the gate, and the devices of each send. Only reads;
// the entry's fold queues the sends. One instance serves one decision: caps, room and columns are
// those before it, plus what a person is sent on the same walk.

import type { Context } from '../../../engine/actor/message.ts';
import { type Millis, type PersonOrdinal, secondMs } from '../../../engine/base/brand.ts';
import { type DeviceRow, subscribers } from '../../../storage/tables/subscriber.ts';
import { type PersonTest, personTest, uncounted } from '../../audiences/segments/evaluate.ts';
import type { Filter } from '../../audiences/segments/filter.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { limits } from '../../limits.ts';
import type { SendDevice } from '../../people/audience/device-columns.ts';
import { readableRow } from '../../readable-row.ts';
import { openDevices } from '../../sending/gate/open-devices.ts';
import { OrgRoom } from '../../sending/gate/org-room.ts';
import { type CredentialRules, configuredChannels } from '../../sending/outbox/open-credentials.ts';
import { WarmUpRoom } from '../../sending/warm-up/room.ts';
import type { Held, SendAnswer, Surroundings } from './advance.ts';
import { ttlMsOfStep } from './copies.ts';
import type { JourneysMemory, JourneysView } from './memory.ts';
import type { SendOperation } from './program.ts';
import type { JourneyRecord } from './records.ts';
import { type AheadSend, SendPolicy } from './send-policy.ts';

/** How long a condition waits for columns being filled, and a send for room in the outbox. */
const columnsWaitMs: Millis = secondMs;
const outboxWaitMs: Millis = 10 * secondMs;

type OpenDevice = DeviceRow & { readonly channel: ChannelId };

export class LiveRun {
  readonly #app: JourneysView;
  readonly #record: JourneyRecord;
  readonly #context: Context;
  readonly #policy: SendPolicy;
  readonly #org: OrgRoom;
  /** Of a sender domain that is warming up, without what waits in the outbox. */
  readonly #warmUp: WarmUpRoom | undefined;
  /** How many more sends of journeys the outbox accepts. */
  #room: number;
  readonly #tests = new Map<Filter, PersonTest | Held>();

  constructor(
    state: JourneysMemory,
    app: JourneysView,
    record: JourneyRecord,
    rules: CredentialRules,
    context: Context,
  ) {
    this.#app = app;
    this.#record = record;
    this.#context = context;
    this.#room = limits.outboxJourneysMax - app.outbox.jobs.size;
    const { nowMs, wallMs } = context;
    const configured = configuredChannels(app, rules);
    this.#policy = new SendPolicy(app, configured, nowMs, nowMs - wallMs);
    this.#org = OrgRoom.of(state, app.record.org, context.nowMs);
    this.#warmUp = WarmUpRoom.of(app, context.nowMs);
    this.#warmUp?.take(app.outbox.openOn('email'));
  }

  /** `sends` collects the devices of each send of the walk. */
  around(person: PersonOrdinal, sends: SendDevice[][]): Surroundings {
    const ahead: AheadSend[] = [];
    return {
      nowMs: this.#context.nowMs,
      test: (filter) => {
        const test = this.#testOf(filter);
        return typeof test === 'function' ? test(person) : test;
      },
      send: (operation) => this.#send(person, operation, ahead, sends),
    };
  }

  /** Held while columns are incomplete: the filter would silently be false. */
  #testOf(filter: Filter): PersonTest | Held {
    const { traits } = this.#app;
    const { nowMs } = this.#context;
    let test = this.#tests.get(filter);
    if (test === undefined) {
      test =
        uncounted(filter, traits).length > 0
          ? { kind: 'held', untilMs: nowMs + columnsWaitMs, reason: 'counting' }
          : personTest(filter, traits, nowMs);
      this.#tests.set(filter, test);
    }
    return test;
  }

  #send(
    person: PersonOrdinal,
    operation: SendOperation,
    ahead: AheadSend[],
    sends: SendDevice[][],
  ): SendAnswer {
    const { nowMs } = this.#context;
    if (this.#room <= 0)
      return { kind: 'held', untilMs: nowMs + outboxWaitMs, reason: 'outbox_full' };
    const ttlMs = ttlMsOfStep(this.#record.ttlMs, operation.step);
    const answer = this.#policy.ask(person, operation, ttlMs, ahead);
    if (answer.kind !== 'sent') return answer;
    const open = this.#openDevices(person, new Set<string>(answer.channels));
    const devices = open.map(({ id, channel }): SendDevice => ({ deviceId: id, channel }));
    if (devices.length === 0) return { kind: 'suppressed', reason: 'no_device' };
    const day = this.#org.askDay(nowMs + (ttlMs ?? Number.POSITIVE_INFINITY));
    if (day.answer === 'suppress') return { kind: 'suppressed', reason: day.reason };
    if (day.answer === 'hold') return { kind: 'held', untilMs: day.untilMs, reason: day.reason };
    const cold = this.#askWarmUp(open, ttlMs);
    if (cold !== undefined) return cold;
    this.#org.takeDay();
    sends.push(devices);
    this.#room--;
    ahead.push({ atMs: nowMs, channels: answer.channels });
    return { kind: 'sent' };
  }

  /** Where email is the only channel the person waits; else the outbox holds the email alone. */
  #askWarmUp(
    open: readonly OpenDevice[],
    ttlMs = Number.POSITIVE_INFINITY,
  ): SendAnswer | undefined {
    const warmUp = this.#warmUp;
    const mails = open.filter(({ channel }) => channel === 'email');
    if (warmUp === undefined || mails.length === 0) return undefined;
    const addresses = mails.map(({ endpoint }) => (typeof endpoint === 'string' ? endpoint : ''));
    if (warmUp.fits(mails.length) && warmUp.fitsProviders(addresses)) {
      warmUp.take(mails.length, addresses);
      return undefined;
    }
    if (mails.length < open.length) return undefined;
    const { untilMs } = warmUp;
    return untilMs >= this.#context.nowMs + ttlMs
      ? { kind: 'suppressed', reason: 'expired' }
      : { kind: 'held', untilMs, reason: 'warm_up' };
  }

  /** Enabled devices without an opt-out, in the catalog's order of channels. */
  #openDevices(person: PersonOrdinal, channels: ReadonlySet<string>): OpenDevice[] {
    const row = readableRow(this.#context.documents, subscribers, [person]);
    return openDevices(row, (channel) => channels.has(channel), this.#app)
      .map((one) => ({ ...one, channel: one.channel as ChannelId }))
      .sort((a, b) => channelIds.indexOf(a.channel) - channelIds.indexOf(b.channel));
  }
}

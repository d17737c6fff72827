// The surroundings of people who really move: what is true of each at this instant, and what a send
// comes to, with the devices that it is for. Only reads; what it says was sent is queued by the
// fold of the entry. What a reader would get wrong: one of these serves one decision, as caps,
// rooms and columns are those of before it; only what one person is sent on one walk is counted on
// the way.

import type { Context } from '../../../engine/actor/message.ts';
import { type Millis, type PersonOrdinal, secondMs } from '../../../engine/base/brand.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import { type PersonTest, personTest, uncounted } from '../../audiences/segments/evaluate.ts';
import type { Filter } from '../../audiences/segments/filter.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { limits } from '../../limits.ts';
import type { SendDevice } from '../../people/audience/device-columns.ts';
import { openDevices } from '../../sending/gate/open-devices.ts';
import { OrgRoom } from '../../sending/gate/org-room.ts';
import {
  type CredentialRules,
  configuredChannels,
} from '../../sending/transactional/open-credentials.ts';
import { readableRow } from '../../sending/transactional/read-row.ts';
import type { Held, SendAnswer, Surroundings } from './advance.ts';
import { lifeOfStep } from './copies.ts';
import type { SendOperation } from './program.ts';
import type { JourneyRecord } from './records.ts';
import { type AheadSend, SendPolicy } from './send-policy.ts';
import type { JourneysMemory, JourneysView } from './view.ts';

/**
 * How long a condition waits for columns that are being filled, and a send for room in the outbox.
 */
const columnsWaitMs: Millis = secondMs;
const outboxWaitMs: Millis = 10 * secondMs;

/** What people of one journey meet in one decision. */
export class LiveRun {
  readonly #app: JourneysView;
  readonly #record: JourneyRecord;
  readonly #context: Context;
  readonly #policy: SendPolicy;
  readonly #org: OrgRoom;
  /** Sends that the outbox still takes of journeys: it empties as fast as providers answer. */
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
    this.#policy = new SendPolicy(app, configuredChannels(app, rules), context.nowMs);
    this.#org = OrgRoom.of(state, app.record.org, context.nowMs);
  }

  /** The surroundings of one walk; `sends` takes the devices of each of its sends. */
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

  /**
   * A filter whose columns are not whole would be false without a word, so whoever asks it waits.
   */
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
    const ttlMs = lifeOfStep(this.#record.ttlMs, operation.step);
    const answer = this.#policy.ask(person, operation, ttlMs, ahead);
    if (answer.kind !== 'sent') return answer;
    const devices = this.#devicesOf(person, new Set<string>(answer.channels));
    if (devices.length === 0) return { kind: 'suppressed', reason: 'no_device' };
    const day = this.#org.askDay(nowMs + (ttlMs ?? Number.POSITIVE_INFINITY));
    if (day.answer === 'suppress') return { kind: 'suppressed', reason: day.reason };
    if (day.answer === 'hold') return { kind: 'held', untilMs: day.untilMs, reason: day.reason };
    this.#org.takeDay();
    sends.push(devices);
    this.#room--;
    ahead.push({ atMs: nowMs, channels: answer.channels });
    return { kind: 'sent' };
  }

  /**
   * Their enabled devices on these channels whose address did not opt out, by the catalogue's order
   * of channels.
   */
  #devicesOf(person: PersonOrdinal, channels: ReadonlySet<string>): SendDevice[] {
    const row = readableRow(this.#context.documents, subscribers, [person]);
    return openDevices(row, (channel) => channels.has(channel), this.#app.suppressions)
      .map(({ id, channel }): SendDevice => ({ deviceId: id, channel: channel as ChannelId }))
      .sort((a, b) => channelIds.indexOf(a.channel) - channelIds.indexOf(b.channel));
  }
}

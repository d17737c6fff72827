// Finds the send that a callback is about, and its state. Marketing sends have no row: a campaign's
// send id names person and campaign (`programs/campaigns/sending.ts`), and a journey's send is
// found by the address. The provider's report proves that it accepted them.

import type { Context } from '../../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { type EndpointRow, subscribers } from '../../../storage/tables/subscriber.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { readableRow } from '../../readable-row.ts';
import { namedSend, numberInIds } from '../campaign-send-id.ts';
import { namedStep } from '../journey-send-id.ts';
import { isCalledBack } from '../outbox/device-sends.ts';
import type { Job } from '../outbox/job.ts';
import type { Origin, Receipt } from '../outbox/records.ts';
import type { SettlementBatch } from '../outbox/report.ts';
import { sendKey } from '../outbox/send-key.ts';
import { deviceWithAddress } from './known-address.ts';
import type { CallbacksView } from './memory.ts';

export interface NamedTarget {
  readonly sendId: string;
  readonly deviceId: string;
  readonly channel: ChannelId;
  /** Where it was sent, if the provider says so. */
  readonly address?: string | undefined;
  /** Set if we signed the person into what the callback echoes. */
  readonly person?: PersonOrdinal;
}

export type FoundSend = {
  readonly person: PersonOrdinal;
  /** Of a marketing send. */
  readonly origin?: Omit<Origin, 'copy'>;
} /** Its call has no answer yet. */ & (
  | { readonly at: 'provider' }
  /** It was called, seemingly without success, and waits for another try. */
  | { readonly at: 'outbox'; readonly job: Job; readonly index: number }
  | {
      readonly at: 'end';
      readonly status: Receipt['status'] | undefined;
      readonly isTest?: true;
      /** When a marketing send failed: finds its dead letter. */
      readonly failedMs?: Millis;
    }
);

/** Looks sends up for one batch of callbacks. */
export class SendFinder {
  readonly #app: CallbacksView;
  readonly #context: Context;
  readonly #batch: Pick<SettlementBatch, 'rowOf' | 'deviceSends'>;
  /** Ended by this batch, which memory does not show yet. */
  readonly #ended = new Map<string, Receipt['status']>();

  constructor(
    app: CallbacksView,
    context: Context,
    batch: Pick<SettlementBatch, 'rowOf' | 'deviceSends'>,
  ) {
    this.#app = app;
    this.#context = context;
    this.#batch = batch;
  }

  end({ sendId, deviceId }: NamedTarget, status: Receipt['status']): void {
    this.#ended.set(targetKey(sendId, deviceId), status);
  }

  /** `undefined` for an unknown send, or if its person is gone. */
  of(named: NamedTarget): FoundSend | undefined {
    const { sendId, deviceId, channel } = named;
    if (sendKey(this.#context.owner, sendId) === undefined) return undefined;
    const ended = this.#ended.get(targetKey(sendId, deviceId));
    const job = this.#app.outbox.jobs.get(sendId);
    const index = job?.targets.findIndex((one) => isOf(one, deviceId, channel)) ?? -1;
    const target = job?.targets[index];
    if (
      job !== undefined &&
      target !== undefined &&
      target.state !== 'done' &&
      ended === undefined
    ) {
      const { person } = job;
      const origin = job.origin === undefined ? {} : { origin: job.origin };
      if (target.state === 'started') return { at: 'provider', person, ...origin };
      // A provider cannot report what it never got; a redrive counts its attempts anew.
      const wasTried = target.attempts > 0 || target.deadLetter !== undefined;
      return wasTried ? { at: 'outbox', person, job, index, ...origin } : undefined;
    }
    const found =
      this.#ofRow(sendId, deviceId, channel) ??
      this.#ofCampaign(sendId, deviceId, channel) ??
      this.#ofJourney(named, job);
    if (found === undefined || this.#app.people.isGone(found.person)) return undefined;
    return found.at === 'end' && ended !== undefined ? { ...found, status: ended } : found;
  }

  /** The device that has an address now. */
  deviceAt(channel: ChannelId, address: string): EndpointRow | undefined {
    return deviceWithAddress(channel, address, this.#context);
  }

  /** Whether some call to a device has no answer yet. */
  isCalling({ person, deviceId }: EndpointRow, channel: ChannelId): boolean {
    const { outbox, sending } = this.#app;
    for (const { targets } of outbox.begunOf(person))
      if (targets.some((one) => one.state === 'started' && isOf(one, deviceId, channel)))
        return true;
    const inCatalog = channelIds.indexOf(channel);
    for (const wave of sending.waves.values())
      if (wave.channel === inCatalog && wave.find(person) >= 0) return true;
    return false;
  }

  #ofRow(sendId: string, deviceId: string, channel: ChannelId): FoundSend | undefined {
    const row = this.#batch.rowOf(sendId);
    if (row === undefined || !row.targets.some((one) => isOf(one, deviceId, channel)))
      return undefined;
    const newest = row.outcomes.findLast((one) => one.deviceId === deviceId);
    const person = this.#app.people.canonical(row.person);
    const isTest = row.test === true ? { isTest: true as const } : {};
    return { at: 'end', person, status: newest?.status, ...isTest };
  }

  #ofCampaign(sendId: string, deviceId: string, channel: ChannelId): FoundSend | undefined {
    const named = namedSend(sendId);
    if (named === undefined || channelIds[named.channel] !== channel) return undefined;
    const { sending, campaigns, people } = this.#app;
    const person = people.canonical(named.person);
    for (const { campaignId, occurrence } of sending.begunAt(named.startedMs)) {
      const campaign = campaigns.get(campaignId);
      if (campaign === undefined || numberInIds(campaign.number) !== named.number) continue;
      const { number, tally } = occurrence;
      for (const wave of sending.waves.values())
        if (
          wave.campaignId === campaignId &&
          wave.occurrence === number &&
          wave.channel === named.channel &&
          wave.find(named.person) >= 0
        )
          return { at: 'provider', person, origin: { campaignId, occurrence: number } };
      if (!tally.has(person, 'sent')) return undefined;
      const isAwaited = tally.awaits(person);
      const delivered = tally.has(person, 'delivered') ? 'delivered' : undefined;
      const status = isAwaited ? 'accepted' : delivered;
      const failed = tally.has(person, 'failed')
        ? this.#ofFailed(sendId, deviceId, channel, isAwaited)
        : {};
      const origin = { campaignId, occurrence: number };
      return { at: 'end', person, status, ...failed, origin };
    }
    // Its campaign no longer counts callbacks: only the person and device are left.
    const row = readableRow(this.#context.documents, subscribers, [person]);
    if (row?.devices.some((one) => isOf({ ...one, deviceId: one.id }, deviceId, channel)) !== true)
      return undefined;
    const failed = this.#ofFailed(sendId, deviceId, channel);
    return { at: 'end', person, status: 'delivered', ...failed };
  }

  /** A journey's send id does not name the person; the address does, if the device still has it. */
  #ofJourney(
    { sendId, deviceId, channel, address, person: signedFor }: NamedTarget,
    job: Job | undefined,
  ): FoundSend | undefined {
    const named = namedStep(sendId);
    if (named === undefined || !this.#wasNumbered(named)) return undefined;
    const owner = address === undefined ? undefined : this.deviceAt(channel, address);
    const known = owner?.deviceId === deviceId ? owner.person : (job?.person ?? signedFor);
    if (known === undefined) return undefined;
    const person = this.#app.people.canonical(known);
    const isAwaited = this.#app.journeys.awaits(sendId, person);
    const { sends } = this.#batch.deviceSends.of(deviceId);
    // Emails are not among what is kept of a device; a send's id names its journey while that is.
    const journeyId =
      job?.origin?.journeyId ??
      sends.findLast((one) => one.sendId === sendId)?.journeyId ??
      this.#app.journeys.sendNamed(sendId)?.journeyId;
    const origin = job?.origin ?? (journeyId === undefined ? undefined : { journeyId });
    const failed = this.#ofFailed(sendId, deviceId, channel, isAwaited);
    const of = origin === undefined ? {} : { origin };
    return { at: 'end', person, status: isAwaited ? 'accepted' : 'delivered', ...failed, ...of };
  }

  /** Whether a journey's send can have been numbered so. */
  #wasNumbered({ step, journey, counter }: NonNullable<ReturnType<typeof namedStep>>): boolean {
    const { nextNumber, nextSend } = this.#app.journeys;
    return step > 0 ? journey > 0 && journey < nextNumber : counter >= 1 && counter < nextSend;
  }

  /** The result of a marketing send that had failed; empty for most. */
  #ofFailed(
    sendId: string,
    deviceId: string,
    channel: ChannelId,
    isAwaited = false,
  ): { readonly status?: 'failed' | 'delivered' | 'accepted'; readonly failedMs?: Millis } {
    const kept = isCalledBack(channel)
      ? this.#batch.deviceSends.failed(sendId, deviceId)
      : undefined;
    if (kept === undefined) return {};
    const landed = isAwaited ? 'accepted' : 'delivered';
    return { status: kept.isLanded ? landed : 'failed', failedMs: kept.failedMs };
  }
}

export function targetKey(sendId: string, deviceId: string): string {
  return `${sendId} ${deviceId}`;
}

function isOf(
  one: { readonly deviceId: string; readonly channel: string },
  deviceId: string,
  channel: ChannelId,
): boolean {
  return one.deviceId === deviceId && one.channel === channel;
}

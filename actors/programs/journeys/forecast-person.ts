// Somebody in a forecast: their events come one by one, and everything else about them is read from
// their record as it is today. Policy is asked by the rules of live sends, as far as they are about
// one person and what the forecast itself sends.

import type { DocumentReader } from '../../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { type SubscriberRow, subscribers } from '../../../storage/tables/subscriber.ts';
import { suppressions } from '../../../storage/tables/suppression.ts';
import type { Filter } from '../../audiences/segments/filter.ts';
import { isOptedOut } from '../../audiences/segments/trait-changes.ts';
import { type ChannelId, channelIds } from '../../channels/catalog.ts';
import type { Verdict } from '../../sending/policy/judge.ts';
import { marketingNightUntil } from '../../sending/policy/marketing-night.ts';
import { quietUntil } from '../../sending/policy/quiet-hours.ts';
import { readableRow } from '../../sending/transactional/read-row.ts';
import type { SendAnswer } from './advance.ts';
import { lifeOfStep } from './copies.ts';
import { PersonAlone } from './person-alone.ts';
import type { SendOperation } from './program.ts';
import type { ForecastFacts } from './protocol.ts';
import { type AheadSend, countedBy, together } from './send-policy.ts';
import type { WalkedPerson } from './simulate.ts';

type Facts = Pick<ForecastFacts, 'settings' | 'timezone' | 'configured' | 'ttlMs'>;

export class ForecastPerson implements WalkedPerson {
  readonly #facts: Facts;
  readonly #configured: ReadonlySet<ChannelId>;
  readonly #row: SubscriberRow;
  readonly #reach: ReadonlySet<ChannelId>;
  readonly #alone: PersonAlone;
  readonly #sent: AheadSend[] = [];

  private constructor(
    facts: Facts,
    row: SubscriberRow,
    reach: ReadonlySet<ChannelId>,
    filters: readonly Filter[],
  ) {
    const { createdMs, tags } = row;
    this.#facts = facts;
    this.#configured = new Set(facts.configured);
    this.#row = row;
    this.#reach = reach;
    this.#alone = new PersonAlone({ createdMs, tags, reach }, filters);
  }

  /** The person as they are now; `undefined` for one whose record is gone. */
  static read(
    person: PersonOrdinal,
    facts: Facts,
    filters: readonly Filter[],
    documents: DocumentReader,
  ): ForecastPerson | undefined {
    const row = readableRow(documents, subscribers, [person]);
    if (row === undefined) return undefined;
    const hasOptedOut = (identity: string) => documents.get(suppressions, [identity]) !== undefined;
    const reaching = row.devices.filter(
      (device) => device.enabled && !isOptedOut(device, hasOptedOut),
    );
    const reach = new Set(reaching.map(({ channel }) => channel as ChannelId));
    return new ForecastPerson(facts, row, reach, filters);
  }

  test(filter: Filter, atMs: Millis): boolean {
    return this.#alone.matches(filter, atMs);
  }

  track(name: string, atMs: Millis): void {
    this.#alone.track(name, atMs);
  }

  send(operation: SendOperation, _index: number, atMs: Millis): SendAnswer {
    const { channels = channelIds, step } = operation;
    const ttlMs = lifeOfStep(this.#facts.ttlMs, step) ?? Number.POSITIVE_INFINITY;
    const answer = together(
      channels,
      this.#configured,
      (channel, isFirst) => this.#verdict(channel, isFirst, atMs, ttlMs),
      (channel, leavesMs) => !this.#isCapped(channel, false, leavesMs),
    );
    if (answer.kind !== 'sent') return answer;
    this.#sent.push({ atMs, channels: answer.channels });
    return { kind: 'sent' };
  }

  /** In the order of `sending/policy/judge.ts`. */
  #verdict(channel: ChannelId, isFirst: boolean, atMs: Millis, ttlMs: Millis): Verdict {
    const { preferredChannels } = this.#row;
    if (!this.#reach.has(channel)) return { answer: 'suppress', reason: 'no_device' };
    if (preferredChannels !== undefined && !preferredChannels.includes(channel))
      return { answer: 'suppress', reason: 'channel_preference' };
    const { quietHours } = this.#facts.settings;
    const heldUntil = (untilMs: Millis): Verdict =>
      untilMs - atMs >= ttlMs
        ? { answer: 'suppress', reason: 'expired' }
        : { answer: 'hold', reason: 'quiet_hours', untilMs };
    const morningMs = marketingNightUntil(channel, atMs);
    if (morningMs !== undefined) return heldUntil(morningMs);
    if (quietHours !== null && (quietHours.channels?.includes(channel) ?? true)) {
      const { timezone } = quietHours;
      const own = this.#row.timezone ?? this.#facts.timezone;
      const zone = timezone === 'subscriber' ? own : (timezone ?? 'UTC');
      const untilMs = quietUntil(quietHours, zone, atMs);
      if (untilMs !== undefined) return heldUntil(untilMs);
    }
    return this.#isCapped(channel, isFirst, atMs)
      ? { answer: 'suppress', reason: 'frequency_cap' }
      : { answer: 'send' };
  }

  #isCapped(channel: ChannelId, isFirst: boolean, atMs: Millis): boolean {
    return this.#facts.settings.caps.some(
      (cap) =>
        (cap.channel === undefined ? isFirst : cap.channel === channel) &&
        countedBy(cap, this.#sent, atMs) >= cap.max,
    );
  }
}

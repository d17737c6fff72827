// A person in a forecast: their events are replayed, everything else is their record today. The
// gate sees only this person and the sends of the forecast itself.

import type { DocumentReader } from '../../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { type SubscriberRow, subscribers } from '../../../storage/tables/subscriber.ts';
import { suppressions } from '../../../storage/tables/suppression.ts';
import type { Filter } from '../../audiences/segments/filter.ts';
import { isOptedOut } from '../../audiences/segments/trait-changes.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { isChoiceTag } from '../../people/topics/choice-tag.ts';
import { readableRow } from '../../readable-row.ts';
import { CapCounts } from '../../sending/gate/caps.ts';
import type { GateFacts } from '../../sending/gate/gate-facts.ts';
import type { SendAnswer } from './advance.ts';
import { ttlMsOfStep } from './copies.ts';
import { PersonAlone } from './person-alone.ts';
import type { SendOperation } from './program.ts';
import type { ForecastFacts } from './protocol.ts';
import { type AheadSend, SendPolicy } from './send-policy.ts';
import type { WalkedPerson } from './simulate.ts';

type Facts = Pick<ForecastFacts, 'settings' | 'timezone' | 'configured' | 'ttlMs' | 'topics'>;

/** Nothing was sent before the forecast. */
const caps = new CapCounts();

export class ForecastPerson implements WalkedPerson {
  readonly #facts: Facts;
  readonly #configured: ReadonlySet<ChannelId>;
  readonly #asked: GateFacts;
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
    this.#asked = gateFacts(facts, row, reach);
    this.#alone = new PersonAlone({ createdMs, tags, reach }, filters);
  }

  /** `undefined` if the record is gone. */
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
    const policy = new SendPolicy(this.#asked, this.#configured, atMs);
    const answer = policy.ask(
      0,
      operation,
      ttlMsOfStep(this.#facts.ttlMs, operation.step),
      this.#sent,
    );
    if (answer.kind !== 'sent') return answer;
    this.#sent.push({ atMs, channels: answer.channels });
    return { kind: 'sent' };
  }
}

/** One record as the gate's facts, for any ordinal asked. */
function gateFacts(
  { settings, timezone, topics }: Facts,
  row: SubscriberRow,
  reach: ReadonlySet<ChannelId>,
): GateFacts {
  let preferred = 0;
  for (const channel of row.preferredChannels ?? [])
    preferred |= 1 << channelIds.indexOf(channel as ChannelId);
  return {
    record: { timezone },
    settings,
    caps,
    resting: nobodyRests,
    traits: {
      reach: channelIds.map((channel) => ({ test: () => reach.has(channel) })),
      tags: choicesAlone(row),
    },
    topics: new Map(topics),
    contact: {
      hasOptedOut: () => false, // forecasts report no reasons
      hasSeveral: () => false,
      preferred: () => preferred,
      zoneCode: () => 0,
      zoneName: () => row.timezone,
    },
  };
}

/** A rest is over before most of what a forecast covers. */
const nobodyRests: GateFacts['resting'] = { isEmpty: true, untilOf: () => undefined };

/** The columns of one record's choices, for any ordinal asked. */
function choicesAlone({ tags }: SubscriberRow): GateFacts['traits']['tags'] {
  const choices = Object.entries(tags).filter(([tag]) => isChoiceTag(tag));
  return new Map(
    choices.map(([tag, own]) => [
      tag,
      { has: () => true, equals: (_person: PersonOrdinal, value: unknown) => value === own },
    ]),
  );
}

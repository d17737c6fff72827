// The occurrences of one app's campaigns, open or still counting opens and clicks, and the waves in
// flight. A fold. Late receipts find their occurrence by the send id, which encodes its start,
// campaign, channel and person.

import type { Rebase } from '../../../engine/actor/machine.ts';
import { dayMs, type Millis, type PersonOrdinal } from '../../../engine/base/brand.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import { namedSend, numberInIds } from '../../sending/campaign-send-id.ts';
import type { Sender } from '../../sending/mailboxes/figures.ts';
import type { Job } from '../../sending/outbox/job.ts';
import type { Origin } from '../../sending/outbox/records.ts';
import { isHeldOut, variantFor } from './bucketing.ts';
import type { Campaigns } from './campaigns.ts';
import type { HoldoutCounts } from './holdout.ts';
import { LinkTally, type LinkTallySnapshot } from './link-tally.ts';
import { Occurrence, type OccurrenceSnapshot, planOf } from './occurrence.ts';
import type { CampaignPlan, CampaignRecord } from './records.ts';
import type { TallyCounts } from './tally.ts';
import { Wave, type WaveSnapshot } from './wave.ts';

/** How long after its end opens and clicks count for an occurrence. */
export const attributedMs: Millis = 30 * dayMs;

/** What stays of an occurrence after that. */
export interface PastOccurrence extends TallyCounts {
  readonly number: number;
  readonly startedMs: Millis;
  readonly endedMs: Millis | null;
  readonly winner: string | null;
  readonly audienceCount: number;
  readonly holdout: number;
  readonly nextDay: number;
  readonly eligible: number;
  readonly fallbackSent: number;
  /** Absent of occurrences that earlier builds ended. */
  readonly fallbackSuppressedBy?: readonly (readonly [string, number])[];
  /** Absent without a holdout, and of occurrences that earlier builds began. */
  readonly groups?: HoldoutCounts;
}

export interface SendingSnapshot {
  readonly occurrences: readonly (readonly [string, readonly OccurrenceSnapshot[]])[];
  readonly past: readonly (readonly [string, readonly PastOccurrence[]])[];
  readonly waves: readonly WaveSnapshot[];
  /** By campaign; absent in checkpoints of earlier builds. */
  readonly links?: readonly (readonly [string, LinkTallySnapshot])[];
  readonly nextWave: number;
}

interface NamedSend {
  readonly campaignId: string;
  readonly messageId: string;
  readonly variant?: string;
}

interface OfCampaign {
  readonly campaignId: string;
  readonly occurrence: Occurrence;
}

const none: readonly OfCampaign[] = [];

export class Sending {
  /** By campaign, oldest first. */
  readonly #occurrences = new Map<string, Occurrence[]>();
  readonly #past = new Map<string, PastOccurrence[]>();
  readonly #links = new Map<string, LinkTally>();
  /** Derived: by start, as send ids name it. */
  readonly #begunAt = new Map<Millis, OfCampaign[]>();
  /** Derived; rebuilt when the occurrences change. */
  #goals: ReadonlyMap<string, readonly CampaignRecord[]> | undefined;
  readonly waves = new Map<number, Wave>();
  nextWave = 1;
  /** Rows of waves in flight, by catalog index of the channel. */
  readonly rowsOn: number[] = channelIds.map(() => 0);

  of(campaignId: string): readonly Occurrence[] {
    return this.#occurrences.get(campaignId) ?? [];
  }

  past(campaignId: string): readonly PastOccurrence[] {
    return this.#past.get(campaignId) ?? [];
  }

  find(campaignId: string, number: number): Occurrence | undefined {
    return this.of(campaignId).find((one) => one.number === number);
  }

  begunAt(startedMs: Millis): readonly OfCampaign[] {
    return this.#begunAt.get(startedMs) ?? none;
  }

  /** What events about a send refer to, while its occurrence counts answers. */
  sendNamed(sendId: string, campaigns: Pick<Campaigns, 'get'>): NamedSend | undefined {
    const named = namedSend(sendId);
    if (named === undefined) return undefined;
    const found = this.#named(named, campaigns);
    if (found === undefined) return undefined;
    const { campaign, occurrence } = found;
    // The ordinal that it was sent to drew the variant, whoever that is by now.
    const plan = planOf(campaign, occurrence);
    const variant = variantFor(plan, occurrence, named.person);
    const own = plan.variants?.find(({ id }) => id === variant)?.messageId;
    return {
      ...{ campaignId: campaign.id, messageId: own ?? plan.messageId },
      ...(variant === undefined ? {} : { variant }),
    };
  }

  #named(
    { startedMs, number }: NonNullable<ReturnType<typeof namedSend>>,
    campaigns: Pick<Campaigns, 'get'>,
  ): { readonly campaign: CampaignRecord; readonly occurrence: Occurrence } | undefined {
    for (const { campaignId, occurrence } of this.begunAt(startedMs)) {
      const campaign = campaigns.get(campaignId);
      if (campaign !== undefined && numberInIds(campaign.number) === number)
        return { campaign, occurrence };
    }
    return undefined;
  }

  /** Who sent an email, and by which relay, while its occurrence counts answers. */
  senderOf(sendId: string, campaigns: Pick<Campaigns, 'get'>): Sender | undefined {
    const named = namedSend(sendId);
    const found = named && this.#named(named, campaigns);
    return found?.occurrence.senders.of(named?.person ?? 0);
  }

  /** The newest occurrence begun between two instants that a person was sent on a channel. */
  newestTo(
    person: PersonOrdinal,
    channel: number,
    { sinceMs, untilMs }: Readonly<Record<'sinceMs' | 'untilMs', Millis>>,
    campaigns: Pick<Campaigns, 'get'>,
  ): { readonly startedMs: Millis; readonly number: number } | undefined {
    let newest: { readonly startedMs: Millis; readonly number: number } | undefined;
    for (const [startedMs, begun] of this.#begunAt) {
      if (startedMs <= sinceMs || startedMs > untilMs) continue;
      if (newest !== undefined && startedMs < newest.startedMs) continue;
      for (const { campaignId, occurrence } of begun) {
        const campaign = campaigns.get(campaignId);
        if (campaign === undefined) continue;
        const plan = planOf(campaign, occurrence);
        if (occurrence.wasSentOn(plan, person, channel))
          newest = { startedMs, number: campaign.number };
      }
    }
    return newest;
  }

  campaignIds(): Iterable<string> {
    return this.#occurrences.keys();
  }

  /** Campaigns by the name of the goal event of one of their occurrences. */
  goals(campaigns: Pick<Campaigns, 'get'>): ReadonlyMap<string, readonly CampaignRecord[]> {
    if (this.#goals !== undefined) return this.#goals;
    const goals = new Map<string, CampaignRecord[]>();
    for (const [id, theirs] of this.#occurrences) {
      const campaign = campaigns.get(id);
      if (campaign === undefined) continue;
      const names = theirs.flatMap((occurrence) => planOf(campaign, occurrence).goal?.event ?? []);
      for (const name of new Set(names)) {
        const pursuing = goals.get(name) ?? [];
        goals.set(name, pursuing);
        pursuing.push(campaign);
      }
    }
    this.#goals = goals;
    return goals;
  }

  get isEmpty(): boolean {
    return this.#occurrences.size === 0;
  }

  /** Nobody clicked a link: `undefined`. */
  linksOf(campaignId: string): LinkTally | undefined {
    return this.#links.get(campaignId);
  }

  click(campaignId: string, url: string, person: PersonOrdinal): void {
    let links = this.#links.get(campaignId);
    if (links === undefined) this.#links.set(campaignId, (links = new LinkTally()));
    links.click(url, person);
  }

  begin(campaignId: string, occurrence: Occurrence): void {
    this.#goals = undefined;
    const theirs = this.#occurrences.get(campaignId);
    if (theirs === undefined) this.#occurrences.set(campaignId, [occurrence]);
    else theirs.push(occurrence);
    const begun = this.#begunAt.get(occurrence.startedMs);
    if (begun === undefined) this.#begunAt.set(occurrence.startedMs, [{ campaignId, occurrence }]);
    else begun.push({ campaignId, occurrence });
  }

  /** Occurrences begun until now keep what the campaign sends, before it changes. */
  keepPlan(campaign: CampaignPlan): void {
    this.#goals = undefined;
    for (const occurrence of this.of(campaign.id)) occurrence.plan ??= onlyPlan(campaign);
  }

  launch(wave: Wave): void {
    this.waves.set(wave.id, wave);
    this.nextWave = Math.max(this.nextWave, wave.id + 1);
    this.rowsOn[wave.channel] = (this.rowsOn[wave.channel] ?? 0) + wave.open;
  }

  /** Takes a row out of flight; false if it was not in flight. */
  takeBack(wave: Wave, person: PersonOrdinal): boolean {
    if (!wave.takeBack(person)) return false;
    this.rowsOn[wave.channel] = (this.rowsOn[wave.channel] ?? 0) - 1;
    if (wave.open === 0) this.waves.delete(wave.id);
    return true;
  }

  /** Whether a row of this ordinal is with a dispatcher. */
  isInFlight(person: PersonOrdinal): boolean {
    for (const wave of this.waves.values()) if (wave.find(person) >= 0) return true;
    return false;
  }

  /** After a restore: gives up what is in flight, since it may have been sent already. */
  hold(): void {
    for (const wave of this.waves.values()) wave.isHeld = true;
  }

  rebase(to: Rebase): void {
    for (const occurrences of this.#occurrences.values())
      for (const occurrence of occurrences) occurrence.rebase(to);
  }

  /** An operator redrives a target. */
  reopen({ campaignId, occurrence }: Pick<Origin, 'campaignId' | 'occurrence'>): void {
    const one = this.find(campaignId ?? '', occurrence ?? 0);
    if (one !== undefined) one.inFlight++;
  }

  /** Removes an erased person under all their ordinals, with their open sends. */
  forget(names: readonly PersonOrdinal[], open: readonly Pick<Job, 'origin'>[]): void {
    for (const { origin } of open) {
      const occurrence = this.find(origin?.campaignId ?? '', origin?.occurrence ?? 0);
      if (occurrence !== undefined) occurrence.inFlight--;
    }
    for (const wave of [...this.waves.values()])
      for (const name of names) {
        if (!this.takeBack(wave, name)) continue;
        const occurrence = this.find(wave.campaignId, wave.occurrence);
        if (occurrence !== undefined) occurrence.inFlight--;
      }
    for (const occurrences of this.#occurrences.values())
      for (const { lanes } of occurrences)
        for (const lane of lanes) for (const name of names) lane.drop(name);
  }

  /**
   * No second turn on a channel where either was sent to, since their devices are now one person's.
   * Someone in the holdout stays there.
   */
  merge(from: PersonOrdinal, into: PersonOrdinal, campaigns: Pick<Campaigns, 'get'>): void {
    for (const links of this.#links.values()) links.merge(from, into);
    for (const [id, occurrences] of this.#occurrences) {
      const campaign = campaigns.get(id);
      if (campaign === undefined) continue;
      for (const occurrence of occurrences) {
        const { lanes, targeted } = occurrence;
        const plan = planOf(campaign, occurrence);
        const isOut = isHeldOut(plan, into);
        for (const lane of lanes) {
          if (isOut) lane.drop(from);
          else lane.merge(from, into);
        }
        if (targeted.test(from) && !isOut) targeted.set(into);
        occurrence.mergeAnswers(from, into, (person) => variantFor(plan, occurrence, person));
      }
    }
  }

  /** Reduces an occurrence to its counters. */
  settle(campaignId: string, number: number): void {
    const theirs = this.#occurrences.get(campaignId);
    const one = theirs?.find((occurrence) => occurrence.number === number);
    if (theirs === undefined || one === undefined) return;
    this.#goals = undefined;
    theirs.splice(theirs.indexOf(one), 1);
    this.#unlist(one);
    if (theirs.length === 0) {
      this.#occurrences.delete(campaignId);
      this.#links.get(campaignId)?.close();
    }
    const past = this.#past.get(campaignId) ?? [];
    this.#past.set(campaignId, past);
    past.push(pastOf(one));
  }

  delete(campaignId: string): void {
    this.#goals = undefined;
    for (const occurrence of this.of(campaignId)) this.#unlist(occurrence);
    this.#occurrences.delete(campaignId);
    this.#past.delete(campaignId);
    this.#links.delete(campaignId);
  }

  snapshot(): SendingSnapshot {
    return {
      occurrences: [...this.#occurrences].map(
        ([id, theirs]) => [id, theirs.map((one) => one.snapshot())] as const,
      ),
      past: [...this.#past],
      ...(this.#links.size === 0
        ? {}
        : { links: [...this.#links].map(([id, links]) => [id, links.snapshot()] as const) }),
      waves: [...this.waves.values()].map((wave) => wave.snapshot()),
      nextWave: this.nextWave,
    };
  }

  static restore(
    from: SendingSnapshot | undefined,
    campaigns: Pick<Campaigns, 'get'> = { get: () => undefined },
  ): Sending {
    const sending = new Sending();
    if (from === undefined) return sending; // older checkpoints have none
    for (const [id, theirs] of from.occurrences)
      for (const one of theirs) sending.begin(id, Occurrence.restore(one, campaigns.get(id)));
    for (const [id, past] of from.past) sending.#past.set(id, [...past]);
    for (const [id, links] of from.links ?? []) sending.#links.set(id, LinkTally.restore(links));
    for (const wave of from.waves) sending.launch(new Wave(wave));
    sending.nextWave = from.nextWave;
    return sending;
  }

  #unlist(one: Occurrence): void {
    const rest = this.begunAt(one.startedMs).filter(({ occurrence }) => occurrence !== one);
    if (rest.length === 0) this.#begunAt.delete(one.startedMs);
    else this.#begunAt.set(one.startedMs, rest);
  }
}

function onlyPlan({ id, number, messageId, ...rest }: CampaignPlan): CampaignPlan {
  const { channels, fallbackChannels, fallbackAfterMinutes, timezoneDelivery, optimalTime } = rest;
  const { variants, experiment, holdoutShare, goal, ttlMs, copy } = rest;
  const optional = {
    ...{ channels, fallbackChannels, fallbackAfterMinutes, timezoneDelivery, optimalTime },
    ...{ variants, experiment, holdoutShare, goal, ttlMs, copy },
  };
  const given = Object.entries(optional).filter(([, value]) => value !== undefined);
  return { id, number, messageId, ...Object.fromEntries(given) };
}

export function pastOf(one: Occurrence): PastOccurrence {
  const { number, startedMs, endedMs, winner, audienceCount, holdout, eligible, tally } = one;
  return {
    ...{ number, startedMs, endedMs, winner, audienceCount, holdout, eligible },
    nextDay: one.nextDay.count(),
    fallbackSent: one.fallbackSent.count(),
    fallbackSuppressedBy: one.fallbackReasons.counts(),
    ...(one.groups === undefined ? {} : { groups: one.groups.counts() }),
    ...tally.counts(),
  };
}

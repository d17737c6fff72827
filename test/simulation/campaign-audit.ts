// Follows campaigns through the log and holds every turn of an audience against plain rules: who
// may be sent what, on which device, when, and how often. It never asks the product's own memory;
// people's records are those of the documents of each turn.

import { channelIds } from '../../actors/channels/channel-ids.ts';
import type { EventBatch } from '../../actors/events/log/event-batch.ts';
import { readDeviceId } from '../../actors/people/audience/device-ids.ts';
import { isHeldOut } from '../../actors/programs/campaigns/bucketing.ts';
import type { CampaignsEntry } from '../../actors/programs/campaigns/entries.ts';
import { campaignSendParts } from '../../actors/sending/campaign-send-id.ts';
import { isDeferral } from '../../actors/sending/dispatch/entries.ts';
import type { AccountsEntry } from '../../actors/tenants/accounts/protocol.ts';
import { Bitset } from '../../engine/base/bitset.ts';
import { hourMs, type Millis, secondMs } from '../../engine/base/brand.ts';
import { formatId } from '../../engine/base/id.ts';
import { unpackOrdinals } from '../../engine/base/ordinal-list.ts';
import type { SubscriberRow } from '../../storage/tables/subscriber.ts';
import {
  AppCampaigns,
  type CampaignFact,
  type OccurrenceFact,
  standingOf,
} from './campaign-facts.ts';
import { identityOf } from './identity-of.ts';
import type { Findings } from './invariants.ts';
import type { AppFact, SendFact, TargetFact } from './log-facts.ts';
import { isQuiet } from './naive-policy.ts';

type Of<K extends CampaignsEntry['kind']> = Extract<CampaignsEntry, { kind: K }>;

/** What the audit of the whole log does for this part of it. */
export interface AuditedLog {
  readonly findings: Findings;
  readonly sends: Map<string, SendFact>;
  /** Numbers events. */
  number(app: AppFact, first: number, count: number, kind: string): void;
  /** Counts a send of the day. */
  count(app: AppFact, atMs: Millis): void;
  settled(target: TargetFact): void;
  /** What the wall clock showed at this turn's instant; quiet hours go by it. */
  wallAt(atMs: Millis): Millis;
}

/** The campaigns of one world. */
export class CampaignAudit {
  readonly apps = new Map<number, AppCampaigns>();
  readonly #log: AuditedLog;

  constructor(log: AuditedLog) {
    this.#log = log;
  }

  get figures(): { readonly occurrences: number; readonly campaignSends: number } {
    let occurrences = 0;
    let campaignSends = 0;
    for (const { campaigns, sends } of this.apps.values()) {
      campaignSends += sends.size;
      for (const campaign of campaigns.values()) occurrences += campaign.occurrences.size;
    }
    return { occurrences, campaignSends };
  }

  of(owner: number): AppCampaigns {
    let app = this.apps.get(owner);
    if (app === undefined) this.apps.set(owner, (app = new AppCampaigns()));
    return app;
  }

  /** `before`: people's records as they were before this turn. */
  take(entry: CampaignsEntry, app: AppFact, before: ReadonlyMap<number, SubscriberRow>): void {
    const mine = this.of(entry.owner);
    switch (entry.kind) {
      case 'campaign.saved': {
        const known = mine.campaigns.get(entry.campaign.id);
        if (known === undefined)
          mine.campaigns.set(entry.campaign.id, { record: entry.campaign, occurrences: new Map() });
        else known.record = entry.campaign;
        break;
      }
      case 'campaign.deleted':
        mine.campaigns.delete(entry.id);
        break;
      case 'campaign.started':
        this.#started(entry, app, mine, before);
        break;
      case 'campaign.decided':
        this.#decided(entry, app, mine);
        break;
      case 'wave.settled':
        this.#settled(entry, app, mine);
        break;
      case 'campaign.fallback_began':
        this.#fallback(entry, mine);
        break;
      case 'campaign.occurrence_ended': {
        const occurrence = mine.find(entry.campaignId, entry.occurrence);
        if (occurrence === undefined) break;
        occurrence.endedMs = entry.atMs;
        occurrence.isStopped = mine.campaigns.get(entry.campaignId)?.record.state === 'canceled';
        break;
      }
      case 'campaign.fallback_awaited':
      case 'campaign.released':
      case 'campaign.won':
      case 'campaign.answered_for_good':
        break;
    }
  }

  /** An attempt of the outbox starts; of a campaign's, its state and policy have to let it. */
  attempted(sendId: string, target: TargetFact, app: AppFact, atMs: Millis): void {
    const mine = this.of(app.ordinal);
    const one = mine.sends.get(sendId);
    if (one === undefined) return;
    const state = mine.campaigns.get(one.occurrence.campaignId)?.record.state;
    this.#log.findings.expect(
      state !== 'paused',
      'pause_holds',
      () => `${sendId} is tried again while ${one.occurrence.campaignId} is paused`,
    );
    const { topic } = mine.campaigns.get(one.occurrence.campaignId)?.record ?? {};
    this.checkHour(app, one.send.person, target.channel, atMs, topic);
  }

  /** Nobody is called about a topic that they are out of. */
  #checkTopic(app: AppFact, person: number, topic: string | undefined): void {
    if (topic === undefined) return;
    const row = app.rows.get(this.of(app.ordinal).whole(person));
    const choice = row?.tags[`topic.${topic}`] ?? app.topics.get(topic);
    this.#log.findings.expect(
      choice === 'in',
      'policy_holds',
      () => `${person} of app ${app.ordinal} is called about ${topic} and is ${String(choice)}`,
    );
  }

  created({ owner, app, settings }: Extract<AccountsEntry, { kind: 'app.created' }>): void {
    const mine = this.of(owner);
    mine.timezone = app.timezone;
    mine.settings = settings;
  }

  /** Events that people tracked: some answer a campaign. */
  tracked(app: AppFact, batch: EventBatch, isKeyless = false): void {
    const mine = this.apps.get(app.ordinal);
    if (mine === undefined || mine.campaigns.size === 0) return;
    if (isKeyless && !mine.countsKeyless) return;
    for (let row = 0; row < batch.count; row++) {
      const name = batch.name(row);
      const person = mine.whole(batch.person(row));
      if (name === 'opened' || name === 'clicked') {
        const occurrence = answered(mine, person, batch, row);
        if (occurrence !== undefined) say(mine, occurrence, person, occurrence[name]);
      }
      for (const { record, occurrences } of mine.campaigns.values()) {
        if (record.goal?.event !== name) continue;
        for (const occurrence of occurrences.values()) {
          const sinceMs = batch.atMs(row) - sentMs(mine, occurrence, person);
          if (sinceMs >= 0 && sinceMs <= record.goal.withinHours * hourMs)
            say(mine, occurrence, person, occurrence.converted);
          const untilMs = occurrence.lastSentMs + record.goal.withinHours * hourMs;
          if (batch.atMs(row) >= occurrence.startedMs && batch.atMs(row) <= untilMs)
            for (const one of mine.same(person))
              if (occurrence.audience.has(one)) occurrence.reachedGoal.add(one);
        }
      }
    }
  }

  #started(
    entry: Of<'campaign.started'>,
    app: AppFact,
    mine: AppCampaigns,
    before: ReadonlyMap<number, SubscriberRow>,
  ): void {
    const campaign = mine.campaigns.get(entry.campaignId);
    this.#log.findings.expect(
      campaign?.record.state === 'sending' && !campaign.occurrences.has(entry.occurrence),
      'pause_holds',
      () => `${entry.campaignId} is ${campaign?.record.state} and begins #${entry.occurrence}`,
    );
    if (campaign === undefined) return;
    const audience = new Set<number>();
    Bitset.restore(entry.audience).forEach((person) => {
      audience.add(person);
    });
    const { record } = campaign;
    const targeted = new Set([...audience].filter((person) => !isHeldOut(record, person)));
    const reachedOn = new Map<number, readonly string[]>();
    for (const person of targeted) {
      // What changed in the same turn may have changed before or after.
      const now = reachOf(app, app.rows.get(person));
      const was = reachOf(app, before.get(person));
      const named: readonly string[] = record.channels ?? channelIds;
      reachedOn.set(
        person,
        named.filter((channel) => now.has(channel) && was.has(channel)),
      );
    }
    campaign.occurrences.set(entry.occurrence, {
      campaignId: entry.campaignId,
      number: entry.occurrence,
      startedMs: entry.atMs,
      audience,
      targeted,
      reachedOn,
      turns: new Map(),
      devices: new Set(),
      sends: [],
      suppressed: new Set(),
      sentMs: new Map(),
      opened: new Set(),
      clicked: new Set(),
      converted: new Set(),
      reachedGoal: new Set(),
      lastSentMs: entry.atMs,
      eligible: undefined,
      endedMs: undefined,
      isStopped: false,
    });
  }

  #decided(entry: Of<'campaign.decided'>, app: AppFact, mine: AppCampaigns): void {
    const { findings } = this.#log;
    const campaign = mine.campaigns.get(entry.campaignId);
    const occurrence = campaign?.occurrences.get(entry.occurrence);
    if (campaign === undefined || occurrence === undefined) {
      findings.add('pause_holds', `${entry.campaignId} goes on and is not there`);
      return;
    }
    findings.expect(
      campaign.record.state === 'sending' && occurrence.endedMs === undefined,
      'pause_holds',
      () => `${entry.campaignId} is ${campaign.record.state} and goes on with #${entry.occurrence}`,
    );
    const { phase, channel: index, turns, codes, atMs } = entry;
    const channel = channelIds[index] ?? 'none';
    let queued = 0;
    let events = 0;
    unpackOrdinals(entry.people).forEach((person, i) => {
      const turn = turns[codes === undefined ? 0 : (codes[i] as number)];
      if (turn === undefined) return;
      const place = `${phase}|${channel}|${person}`;
      const who = `${person} of ${entry.campaignId} #${entry.occurrence}, ${phase}, ${channel}`;
      const before = [...mine.same(person)].map((one) =>
        occurrence.turns.get(`${phase}|${channel}|${one}`),
      );
      findings.expect(
        !before.includes('wave') && !before.includes('send'),
        'campaign_once',
        () => `${who} was sent it, and has a turn again`,
      );
      occurrence.turns.set(place, turn.turn);
      switch (turn.turn) {
        case 'wave': {
          const devices = enabledOn(app.rows.get(person), channel);
          findings.expect(
            devices.length === 1,
            'campaign_once',
            () => `${who} is in a wave with ${devices.length} devices`,
          );
          this.#handOut(
            entry,
            campaign,
            occurrence,
            app,
            mine,
            person,
            devices.slice(0, 1),
            'started',
          );
          break;
        }
        case 'send':
          this.#handOut(
            entry,
            campaign,
            occurrence,
            app,
            mine,
            person,
            entry.sends[queued++]?.deviceIds ?? [],
            'due',
          );
          break;
        case 'hold':
          if (isDeferral(turn.reason)) events++;
          findings.expect(
            turn.untilMs > atMs,
            'campaign_ends',
            () =>
              `${who} is held for ${turn.reason} until ${turn.untilMs}, which was before ${atMs}`,
          );
          break;
        case 'suppress':
          events++;
          occurrence.suppressed.add(person);
          break;
        case 'gone':
          findings.expect(
            mine.gone.has(person) ||
              (phase === 'fallback' && isEngaged(mine, occurrence, person)) ||
              enabledOn(app.rows.get(person), channel).length === 0,
            'nobody_skipped',
            () => `${who} is called gone and is there`,
          );
          break;
      }
    });
    this.#log.number(app, entry.firstEvent, events, entry.kind);
  }

  /** Somebody's turn leads to a send: everything that has to hold then. */
  #handOut(
    entry: Of<'campaign.decided'>,
    { record }: CampaignFact,
    occurrence: OccurrenceFact,
    app: AppFact,
    mine: AppCampaigns,
    person: number,
    deviceIds: readonly string[],
    state: 'started' | 'due',
  ): void {
    const { findings, sends } = this.#log;
    const { phase, atMs, owner } = entry;
    const channel = channelIds[entry.channel] ?? 'none';
    const who = `${person} of ${entry.campaignId} #${entry.occurrence}, ${phase}, ${channel}`;
    findings.expect(
      !app.deleted && !mine.gone.has(person),
      'erased_is_left_alone',
      () => `${who} is gone and is sent it`,
    );
    const isTargeted = [...mine.same(person)].some((one) => occurrence.targeted.has(one));
    findings.expect(
      isTargeted && !(occurrence.audience.has(person) && isHeldOut(record, person)),
      'audience_holds',
      () => `${who} is held out, or nobody of its audience, and is sent it`,
    );
    if (phase === 'fallback')
      findings.expect(
        [...mine.same(person)].some((one) => occurrence.eligible?.has(one)) &&
          !isEngaged(mine, occurrence, person),
        'fallback_set',
        () => `${who} answered, or was not targeted, and gets the fallback`,
      );
    this.checkHour(app, person, channel, atMs, record.topic);
    const { isOpen, isHeard } = standingOf(mine, occurrence, person);
    const isFirst =
      phase === 'primary'
        ? !isOpen && !isHeard
        : !occurrence.sends.some(
            (one) => one.phase === phase && mine.whole(one.send.person) === mine.whole(person),
          );
    const reached = mine.caps.reached(
      { channel, isFirst, atMs },
      (one) => mine.whole(one) === mine.whole(person),
    );
    findings.expect(reached === undefined, 'policy_holds', () => `${who} has had ${reached}`);
    mine.caps.add({ person, channel, isFirst, atMs });
    if (isFirst) this.#log.count(app, atMs);
    if (isFirst) noteFirstSend(occurrence, person, atMs);
    const sendId = formatId(
      'ntf',
      campaignSendParts(owner, occurrence.startedMs, record.number, entry.channel)(person),
    );
    findings.expect(!sends.has(sendId), 'campaign_once', () => `${who} has ${sendId} twice`);
    const targets = deviceIds.map((deviceId): TargetFact => {
      findings.expect(
        !occurrence.devices.has(deviceId),
        'campaign_once',
        () => `${who} has ${deviceId}, which was sent it before`,
      );
      occurrence.devices.add(deviceId);
      const tries = state === 'started' ? 1 : 0;
      return {
        ...{ sendId, deviceId, channel, state, attempts: tries, starts: tries, dueMs: 0 },
        ...{ status: undefined, redriven: false },
      };
    });
    const send: SendFact = {
      id: sendId,
      app: owner,
      person,
      atMs,
      claim: undefined,
      targets,
      job: targets,
      isCampaign: true,
    };
    sends.set(sendId, send);
    const one = { send, occurrence, phase };
    occurrence.sends.push(one);
    mine.sends.set(sendId, one);
  }

  /** Somebody is reached now: they want to be on this channel, and it is not quiet. */
  checkHour(
    app: AppFact,
    person: number,
    channel: string,
    atMs: Millis,
    topic: string | undefined,
  ): void {
    const { findings } = this.#log;
    this.#checkTopic(app, person, topic);
    const mine = this.of(app.ordinal);
    const { preferredChannels = [] } = app.rows.get(mine.whole(person)) ?? {};
    findings.expect(
      preferredChannels.length === 0 || preferredChannels.includes(channel),
      'policy_holds',
      () =>
        `${person} of app ${app.ordinal} is reached on ${channel} and prefers ${preferredChannels}`,
    );
    findings.expect(
      !this.isHeldAt(app, person, channel, atMs),
      'policy_holds',
      () => `${person} of app ${app.ordinal} is reached at ${atMs}, in quiet hours`,
    );
  }

  /** Whether it is quiet for somebody on a channel. */
  isHeldAt(app: AppFact, person: number, channel: string, atMs: Millis): boolean {
    const mine = this.of(app.ordinal);
    const row = app.rows.get(mine.whole(person));
    const hours = mine.settings?.quietHours ?? null;
    if (row === undefined || hours === null) return false;
    if (!(hours.channels ?? [channel]).some((one) => one === channel)) return false;
    const zone = hours.timezone === 'subscriber' ? (row.timezone ?? mine.timezone) : hours.timezone;
    return isQuiet(hours, zone, this.#log.wallAt(atMs));
  }

  #settled(entry: Of<'wave.settled'>, app: AppFact, mine: AppCampaigns): void {
    const { sends, findings } = this.#log;
    const people = unpackOrdinals(entry.people);
    this.#log.number(app, entry.firstEvent, people.length, entry.kind);
    const targetOf = (person: number, deviceId: string): TargetFact | undefined => {
      const sendId = formatId('ntf', { ...entry.sendParts, low32: person });
      const send = sends.get(sendId);
      let target = send?.targets.at(-1);
      if (target?.state === 'forgotten') return undefined;
      findings.expect(
        target?.state === 'started',
        'target_order',
        () => `${sendId} of ${person} comes back and is ${target?.state}`,
      );
      if (send === undefined || target === undefined) return undefined;
      this.#log.settled(target);
      if (deviceId !== '' && deviceId !== target.deviceId) {
        // It was not known which device it was for: another one has its place by now.
        target.state = 'forgotten';
        target = { ...target, deviceId };
        (send.targets as TargetFact[]).push(target);
        send.job = [target];
        mine.find(entry.campaignId, entry.occurrence)?.devices.add(deviceId);
      }
      return target;
    };
    people.forEach((person, i) => {
      const kind = entry.kinds[entry.codes === undefined ? 0 : (entry.codes[i] as number)];
      const target = targetOf(person, readDeviceId(entry.owner, entry.devices, i));
      if (target === undefined) return;
      target.state = 'done';
      target.status = kind?.status;
      target.answered = target.status;
      target.hasFailed = kind?.status === 'failed';
    });
    for (const row of entry.spilled) {
      const target = targetOf(row.person, row.deviceId);
      if (target === undefined) continue;
      target.state = row.dueMs === 0 ? 'due' : 'waiting';
      target.dueMs = row.dueMs;
      target.mayBeTaken = row.ambiguous;
      target.attempts = row.attempts;
      // Nothing of a campaign that was deleted goes on.
      if (!mine.campaigns.has(entry.campaignId)) target.state = 'forgotten';
    }
  }

  #fallback(entry: Of<'campaign.fallback_began'>, mine: AppCampaigns): void {
    const campaign = mine.campaigns.get(entry.campaignId);
    const occurrence = campaign?.occurrences.get(entry.occurrence);
    if (campaign === undefined || occurrence === undefined) return;
    this.#log.findings.expect(
      campaign.record.state === 'sending' && campaign.record.fallbackChannels !== undefined,
      'pause_holds',
      () => `${entry.campaignId} is ${campaign.record.state} and begins a fallback`,
    );
    const eligible = new Set<number>();
    for (const one of occurrence.targeted) {
      const person = mine.whole(one);
      // Who was merged into somebody who is held out is held out from then on.
      const isOut = mine.gone.has(person) || isHeldOut(campaign.record, person);
      if (!isOut && !isEngaged(mine, occurrence, person)) eligible.add(person);
    }
    occurrence.eligible = eligible;
  }
}

function isEngaged(
  mine: AppCampaigns,
  { opened, clicked }: OccurrenceFact,
  person: number,
): boolean {
  return [...mine.same(person)].some((one) => opened.has(one) || clicked.has(one));
}

function noteFirstSend(occurrence: OccurrenceFact, person: number, atMs: Millis): void {
  occurrence.lastSentMs = Math.max(occurrence.lastSentMs, atMs);
  occurrence.sentMs.set(person, Math.floor(atMs / secondMs) * secondMs);
}

/** When anybody who is this person by now was sent it, the earliest of them. */
function sentMs(mine: AppCampaigns, occurrence: OccurrenceFact, person: number): Millis {
  const times = [...mine.same(person)].flatMap((one) => occurrence.sentMs.get(one) ?? []);
  return times.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...times);
}

/**
 * The occurrence that an open or a click answers: its send's, or the newest of its campaign that
 * the person was sent.
 */
function answered(
  mine: AppCampaigns,
  person: number,
  batch: EventBatch,
  row: number,
): OccurrenceFact | undefined {
  const named = mine.sends.get(batch.reference(row, 'sendId') ?? '')?.occurrence;
  if (named !== undefined && mine.campaigns.has(named.campaignId)) return named;
  const campaign = mine.campaigns.get(batch.reference(row, 'campaignId') ?? '');
  return [...(campaign?.occurrences.values() ?? [])].findLast((occurrence) => {
    const { isOpen, isHeard } = standingOf(mine, occurrence, person);
    return isOpen || isHeard;
  });
}

/** Counts for somebody who was sent it. */
function say(
  mine: AppCampaigns,
  occurrence: OccurrenceFact,
  person: number,
  mark: Set<number>,
): void {
  const { isOpen, isHeard } = standingOf(mine, occurrence, person);
  if (isOpen || isHeard) mark.add(person);
}

function enabledOn(row: SubscriberRow | undefined, channel: string): string[] {
  return (row?.devices ?? [])
    .filter((device) => device.enabled && device.channel === channel)
    .map(({ id }) => id);
}

/** The channels on which an address of somebody's is enabled and has not opted out. */
function reachOf(
  { suppressed, noMarketing }: AppFact,
  row: SubscriberRow | undefined,
): Set<string> {
  const reach = new Set<string>();
  for (const { channel, endpoint, enabled } of row?.devices ?? []) {
    const identity = identityOf(channel, endpoint);
    if (!enabled) continue;
    const isOut = (which: Set<string>) => identity !== undefined && which.has(identity);
    if (!isOut(suppressed) && !isOut(noMarketing)) reach.add(channel);
  }
  return reach;
}

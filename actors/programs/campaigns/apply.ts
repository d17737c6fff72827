// Folds campaigns, and what they send, into memory.

import type { Applies } from '../../../engine/actor/protocol.ts';
import { Bitset } from '../../../engine/base/bitset.ts';
import { type Millis, type PersonOrdinal, secondMs } from '../../../engine/base/brand.ts';
import { formatId } from '../../../engine/base/id.ts';
import { unpackOrdinals } from '../../../engine/base/ordinal-list.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import { serverRelay } from '../../channels/port/open-relay.ts';
import { campaignSendParts } from '../../sending/campaign-send-id.ts';
import type {
  SliceDecided,
  SpilledRow,
  Turn,
  WaveSettled,
} from '../../sending/dispatch/entries.ts';
import { freshTarget, withTry } from '../../sending/outbox/job.ts';
import { countSend } from '../../sending/outbox/reads.ts';
import type { Origin } from '../../sending/outbox/records.ts';
import { countRelayCall } from '../../sending/outbox/relay-days.ts';
import { warmingNow } from '../../sending/warm-up/reads.ts';
import { foldReceipt } from './attribution.ts';
import { variantFor } from './bucketing.ts';
import { variantCopyKey } from './copies.ts';
import type { CampaignsEntry } from './entries.ts';
import { guardSays } from './guarding.ts';
import { noChannel } from './lane.ts';
import type { CampaignsMemory, CampaignsView } from './memory.ts';
import { Occurrence, planOf } from './occurrence.ts';
import type { CampaignPlan } from './records.ts';
import { Wave } from './wave.ts';

export const campaignsApplies: Applies<CampaignsEntry, CampaignsMemory> = {
  'campaign.saved': (state, { owner, campaign, replacesPlan }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    const before = replacesPlan ? app.campaigns.get(campaign.id) : undefined;
    if (before !== undefined) app.sending.keepPlan(before);
    const wasPaused = app.campaigns.isPaused(campaign.id);
    app.campaigns.save(campaign);
    const isPaused = app.campaigns.isPaused(campaign.id);
    if (isPaused && !wasPaused) {
      app.outbox.pause(campaign.id);
      const warming = guardSays(campaign) && warmingNow(app);
      if (warming !== undefined) app.warmUps.repeat(warming.domain, campaign.updatedMs);
    }
    if (wasPaused && !isPaused) {
      app.outbox.resume(campaign.id);
      for (const { guard } of app.sending.of(campaign.id)) guard.reset();
    }
    state.ready.add(owner);
  },

  'campaign.deleted': (state, { owner, id }) => {
    const app = state.apps.get(owner);
    app?.campaigns.delete(id);
    app?.sending.delete(id);
  },

  // Dry runs live only in their tables.
  'dry_run.written': () => {},
  'dry_run.swept': () => {},

  'campaign.started': (state, { owner, campaignId, occurrence: number, atMs, ...entry }) => {
    const app = state.apps.get(owner);
    const campaign = app?.campaigns.get(campaignId);
    if (app === undefined || campaign === undefined) return;
    const people = Bitset.restore(entry.audience);
    const occurrence = Occurrence.begin(campaign, number, atMs, people, app.traits);
    occurrence.appHour = entry.appHour ?? null;
    app.sending.begin(campaignId, occurrence);
    state.ready.add(owner);
  },

  'campaign.decided': (state, entry) => {
    const app = state.apps.get(entry.owner);
    const campaign = app?.campaigns.get(entry.campaignId);
    const occurrence = app?.sending.find(entry.campaignId, entry.occurrence);
    if (app === undefined || campaign === undefined || occurrence === undefined) return;
    occurrence.servedMs = entry.atMs;
    if (entry.warmed !== undefined) app.warmUps.count(entry.warmed, entry.atMs, campaign.id);
    foldTurns(state, app, planOf(campaign, occurrence), occurrence, entry);
    state.ready.add(entry.owner);
  },

  'wave.settled': (state, entry) => {
    const app = state.apps.get(entry.owner);
    if (app === undefined) return;
    foldWave(app, entry);
    state.ready.add(entry.owner);
  },

  'campaign.released': (state, { owner, campaignId, occurrence, atMs }) => {
    const lanes = state.apps.get(owner)?.sending.find(campaignId, occurrence)?.lanes;
    for (const lane of lanes ?? []) lane.release(atMs);
    state.ready.add(owner);
  },

  'campaign.won': (state, { owner, campaignId, occurrence: number, variant }) => {
    const app = state.apps.get(owner);
    const campaign = app?.campaigns.get(campaignId);
    const occurrence = app?.sending.find(campaignId, number);
    if (app === undefined || campaign === undefined || occurrence === undefined) return;
    occurrence.winner = variant;
    const plan = planOf(campaign, occurrence);
    occurrence.groups?.choose(plan, variant);
    // Outside the sample only merged people were sent something, under their former variant.
    for (const person of mergedPeople(app)) {
      const before = variantFor(plan, { winner: null }, person);
      occurrence.tally.regroup(person, before, variantFor(plan, occurrence, person));
    }
  },

  'campaign.fallback_awaited': (state, { owner, campaignId, occurrence: number, untilMs }) => {
    const occurrence = state.apps.get(owner)?.sending.find(campaignId, number);
    if (occurrence === undefined) return;
    occurrence.stage = 'waiting';
    occurrence.fallbackMs = untilMs;
  },

  'campaign.fallback_began': (state, { owner, campaignId, occurrence: number }) => {
    const app = state.apps.get(owner);
    const campaign = app?.campaigns.get(campaignId);
    const occurrence = app?.sending.find(campaignId, number);
    if (app === undefined || campaign === undefined || occurrence === undefined) return;
    occurrence.openFallback(planOf(campaign, occurrence), app.traits);
    state.ready.add(owner);
  },

  'campaign.occurrence_ended': (state, { owner, campaignId, occurrence: number, atMs }) => {
    state.apps.get(owner)?.sending.find(campaignId, number)?.end(atMs);
  },

  'campaign.answered_for_good': (state, { owner, campaignId, occurrence }) => {
    state.apps.get(owner)?.sending.settle(campaignId, occurrence);
  },
};

/** The people that others were merged into, each once. */
function mergedPeople({ people }: CampaignsView): ReadonlySet<PersonOrdinal> {
  const pairs = people.merged();
  return new Set(pairs.filter((_, index) => index % 2 === 1));
}

function foldTurns(
  state: CampaignsMemory,
  app: CampaignsView,
  campaign: CampaignPlan,
  occurrence: Occurrence,
  entry: SliceDecided,
): void {
  const { phase, channel, atMs, turns, codes, owner } = entry;
  const lane = occurrence.lane(phase, channel);
  if (lane === undefined) return;
  const people = unpackOrdinals(entry.people);
  const { tally } = occurrence;
  const devices = channel === noChannel ? undefined : tally.channels[channel];
  const launched: PersonOrdinal[] = [];
  const handOut = handingOut(state, app, campaign, occurrence, entry);
  let queued = 0;
  for (let i = 0; i < people.length; i++) {
    const person = people[i] as PersonOrdinal;
    const turn = turns[codes === undefined ? 0 : (codes[i] as number)] as Turn;
    switch (turn.turn) {
      case 'wave':
        lane.send(person);
        handOut(person);
        if (devices !== undefined) devices.sent++;
        launched.push(person);
        break;
      case 'send': {
        lane.send(person);
        handOut(person);
        const { deviceIds } = entry.sends[queued++] as SliceDecided['sends'][number];
        if (devices !== undefined) devices.sent += deviceIds.length;
        const channelId = channelIds[channel] as (typeof channelIds)[number];
        const targets = deviceIds.map((deviceId) => freshTarget({ deviceId, channel: channelId }));
        const send = sendOf(campaign, occurrence, person, channel, owner, atMs);
        app.outbox.add({ ...send, targets, open: targets.length });
        break;
      }
      case 'hold':
        lane.park(person, turn.untilMs, turn.reason);
        tally.defer(person, turn.reason);
        if (turn.isNextDay) occurrence.nextDay.set(person);
        break;
      case 'suppress':
        lane.take(person);
        if (devices !== undefined) devices.suppressed++;
        tally.suppress(person, turn.reason, variantFor(campaign, occurrence, person));
        if (phase === 'fallback') occurrence.leaveOut(person, turn.reason);
        break;
      case 'gone':
        lane.take(person);
        break;
    }
  }
  probeRelay(app, entry);
  if (launched.length > 0)
    app.sending.launch(
      new Wave({
        id: entry.wave,
        campaignId: campaign.id,
        occurrence: occurrence.number,
        phase,
        channel,
        atMs,
        sendParts: campaignSendParts(owner, occurrence.startedMs, campaign.number, channel)(0),
        people: Uint32Array.from(launched),
        relay: entry.relay,
        probes: entry.probes,
      }),
    );
}

/** Others wait for what a wave of one person finds out about its relay. */
function probeRelay(app: CampaignsView, { relay, probes, channel, atMs }: SliceDecided): void {
  if (relay === undefined || probes !== true) return;
  app.outbox.probe(channelIds[channel] as (typeof channelIds)[number], relay, atMs);
}

/** Returns the function that counts a person handed to dispatch. */
function handingOut(
  state: CampaignsMemory,
  app: CampaignsView,
  campaign: CampaignPlan,
  occurrence: Occurrence,
  { phase, channel, atMs }: SliceDecided,
): (person: PersonOrdinal) => void {
  const { tally, fallbackSent, fallbackReasons, sentTimes, lateSends, groups, rate } = occurrence;
  const isLate = phase === 'primary' && occurrence.stage === 'waiting';
  const channelId = channelIds[channel];
  const { caps } = app.settings;
  const { next } = app.traits;
  const cap = channelId === undefined ? undefined : app.caps.counter(caps, channelId, next);
  return (person) => {
    const isFirst = phase === 'primary' ? !tally.has(person, 'sent') : !fallbackSent.test(person);
    if (phase === 'fallback') {
      fallbackSent.set(person);
      fallbackReasons.sent(person);
    }
    cap?.(person, isFirst, atMs);
    if (isLate) lateSends.note(person, Math.ceil(atMs / secondMs) * secondMs);
    if (isFirst) {
      countSend(state, app.record.org, atMs);
      tally.mark(person, 'sent', variantFor(campaign, occurrence, person));
      if (campaign.goal !== undefined) sentTimes.note(person, atMs);
      if (groups !== undefined) groups.lastSentMs = Math.max(groups.lastSentMs, atMs);
    }
    occurrence.inFlight++;
    rate.count(1, atMs);
  };
}

function foldWave(app: CampaignsView, entry: WaveSettled): void {
  const { channel, standing, kinds, codes, owner } = entry;
  const channelId = channelIds[channel] as (typeof channelIds)[number];
  if (standing !== null) app.outbox.stand(channelId, standing);
  const wave = app.sending.waves.get(entry.wave);
  const people = unpackOrdinals(entry.people);
  countRelayRows(app, entry, people.length);
  if (entry.domain !== undefined) noteSenders(app, entry, people, entry.domain);
  for (let i = 0; i < people.length; i++) {
    const person = people[i] as PersonOrdinal;
    const { status, reason } = kinds[
      codes === undefined ? 0 : (codes[i] as number)
    ] as WaveSettled['kinds'][number];
    if (wave === undefined || !app.sending.takeBack(wave, person)) continue;
    foldReceipt(app, entry, channelId, {
      person,
      status,
      isRedriven: false,
      isLast: true,
      ...(reason === undefined ? {} : { reason }),
    });
  }
  const campaign = app.campaigns.get(entry.campaignId);
  const occurrence = app.sending.find(entry.campaignId, entry.occurrence);
  for (const row of entry.spilled) {
    if (wave === undefined || !app.sending.takeBack(wave, row.person)) continue;
    if (campaign === undefined || occurrence === undefined) continue;
    app.outbox.add({
      ...sendOf(planOf(campaign, occurrence), occurrence, row.person, channel, owner, wave.atMs),
      person: app.people.canonical(row.person), // may have been merged since
      targets: [spilledTarget(row, channelId, entry)],
      open: 1,
      ...(app.campaigns.isPaused(campaign.id) ? { paused: true } : {}),
    });
  }
}

/** Keeps who sent each person's mail, so that a bounce or complaint days later counts there. */
function noteSenders(
  app: CampaignsView,
  { campaignId, occurrence, relay = serverRelay }: WaveSettled,
  people: Iterable<PersonOrdinal>,
  domain: string,
): void {
  app.sending.find(campaignId, occurrence)?.senders.note(people, { domain, relay });
}

/** Mails that the wave's relay took. */
function countRelayRows(
  app: CampaignsView,
  { relay, kinds, codes, atMs }: WaveSettled,
  rows: number,
): void {
  if (relay === undefined) return;
  for (const [code, { status }] of kinds.entries()) {
    const count = codes === undefined ? rows : codes.filter((one) => one === code).length;
    if (count > 0) countRelayCall(app, { relay, status }, atMs, count);
  }
}

function spilledTarget(
  row: SpilledRow,
  channel: (typeof channelIds)[number],
  { atMs, relayName }: WaveSettled,
) {
  const { deviceId, attempts, dueMs, ambiguous, refusal, relay } = row;
  const refused = refusal === undefined ? {} : { refusal };
  const tried = { counted: attempts > 0, ambiguous, ...refused };
  return {
    ...freshTarget({ deviceId, channel }),
    state: dueMs === 0 ? ('due' as const) : ('waiting' as const),
    attempts,
    dueMs,
    ambiguous: ambiguous ? 1 : 0,
    ...(relay === undefined ? {} : { relay, onlyBy: relay }),
    ...(relay === undefined && ambiguous ? { onlyBy: serverRelay } : {}),
    ...(refusal === undefined ? {} : { lastRefusal: refusal }),
    ...(dueMs === 0 ? {} : { tries: withTry({ attempts: 1 }, tried, atMs, relayName) }),
  };
}

/** A send for the outbox, without its targets. */
function sendOf(
  campaign: CampaignPlan,
  occurrence: Occurrence,
  person: PersonOrdinal,
  channel: number,
  owner: number,
  acceptedMs: Millis,
) {
  const variant = variantFor(campaign, occurrence, person);
  const ttlMs = campaign.ttlMs ?? null;
  return {
    sendId: formatId(
      'ntf',
      campaignSendParts(owner, occurrence.startedMs, campaign.number, channel)(person),
    ),
    person,
    acceptedMs,
    expiresMs: ttlMs === null ? null : acceptedMs + ttlMs,
    origin: originOf(campaign, occurrence, variant),
  };
}

/** The origin that receipts of a campaign's sends name. */
export function originOf(
  campaign: CampaignPlan,
  { number: occurrence }: Pick<Occurrence, 'number'>,
  variant: string | undefined,
): Origin {
  const { id: campaignId, messageId, variants, topic } = campaign;
  const own = variants?.find(({ id }) => id === variant)?.messageId;
  return {
    copy: variantCopyKey(campaign, variant),
    messageId: own ?? messageId,
    campaignId,
    occurrence,
    ...(topic === undefined ? {} : { topic }),
  };
}

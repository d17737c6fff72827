// How far a campaign is, how fast it goes, when it ends, and why it does not move. Counted in
// turns: one per person and channel.

import { type Millis, secondMs } from '../../../engine/base/brand.ts';
import { type ChannelId, channelIds, channelLabels } from '../../channels/channel-ids.ts';
import { limits } from '../../limits.ts';
import { isUnreached } from '../../sending/outbox/circuit.ts';
import { isSlowed } from '../../sending/outbox/slowdown.ts';
import { canBegin } from './begin.ts';
import { guardSays } from './guarding.ts';
import { type CampaignLane, noChannel } from './lane.ts';
import type { Occurrence } from './occurrence.ts';
import { throttledUntilMs } from './pace.ts';
import type { Progress, Waiting } from './protocol.ts';
import type { StatsReads } from './reads.ts';
import type { CampaignRecord } from './records.ts';
import { warmUpEndMs, warmUpWait } from './warming.ts';

/** `null` for a draft and for a finished campaign. */
export function progressOf(
  app: StatsReads,
  campaign: CampaignRecord,
  nowMs: Millis,
): Progress | null {
  const { state } = campaign;
  if (state !== 'scheduled' && state !== 'sending' && state !== 'paused') return null;
  const open = app.sending.of(campaign.id).filter(({ endedMs }) => endedMs === null);
  let total = 0;
  let left = 0;
  let inFlight = 0;
  let ratePerSecond = 0;
  for (const occurrence of open) {
    total += occurrence.unitsTotal;
    left += occurrence.unitsLeft;
    inFlight += occurrence.inFlight;
    ratePerSecond += occurrence.rate.perSecond(nowMs, occurrence.startedMs);
  }
  const waitingFor = waitingOf(app, campaign, open, ratePerSecond, nowMs);
  return {
    done: total - left - inFlight,
    total,
    ratePerSecond: Math.round(ratePerSecond * 10) / 10,
    expectedEndMs: expectedEnd(
      campaign,
      open,
      left,
      ratePerSecond,
      endsAfterMs(waitingFor, nowMs),
      warmUpEndMs(app, open, nowMs),
    ),
    waitingFor,
  };
}

/** Nothing ends before a provider may be called again. */
function endsAfterMs(waiting: Waiting | null, nowMs: Millis): Millis {
  const untilMs = waiting?.reason === 'provider_pause' ? (waiting.untilMs ?? nowMs) : nowMs;
  return Math.max(nowMs, untilMs);
}

function expectedEnd(
  campaign: CampaignRecord,
  open: readonly Occurrence[],
  left: number,
  ratePerSecond: number,
  nowMs: Millis,
  warmUpMs: Millis | undefined,
): Millis | null {
  if (campaign.state !== 'sending' || open.length === 0) return null;
  let lastMs = Math.max(nowMs, warmUpMs ?? 0);
  for (const { lanes, stage, fallbackMs } of open) {
    if (stage === 'waiting') lastMs = Math.max(lastMs, fallbackMs ?? 0);
    for (const lane of lanes)
      for (const { untilMs } of lane.parked()) lastMs = Math.max(lastMs, untilMs);
  }
  const waiting = open.reduce(
    (sum, { lanes }) => sum + lanes.reduce((more, lane) => more + lane.left, 0),
    0,
  );
  // The last day of a warm-up is far off; how long the emails of that day take is not.
  if (warmUpMs !== undefined) return lastMs;
  const perSecond =
    campaign.throttle === undefined ? ratePerSecond : campaign.throttle.perMinute / 60;
  if (left > 0 && perSecond === 0) return waiting === 0 ? lastMs : null;
  return Math.max(lastMs, nowMs + Math.ceil((waiting / Math.max(perSecond, 0.001)) * secondMs));
}

/** Why nothing moves; `null` while something does. */
function waitingOf(
  app: StatsReads,
  campaign: CampaignRecord,
  open: readonly Occurrence[],
  ratePerSecond: number,
  nowMs: Millis,
): Waiting | null {
  const { state, nextMs } = campaign;
  if (state === 'paused') return paused(campaign);
  if (open.length === 0) {
    if (nextMs === undefined) return null;
    if (nextMs <= nowMs && !canBegin(app, campaign))
      return {
        reason: 'counting',
        text: 'its filter counts past events, which are still being read; it starts automatically',
      };
    return { reason: 'scheduled', text: 'it starts at its scheduled time', untilMs: nextMs };
  }
  for (const occurrence of open) {
    const due = occurrence.lanes.filter(({ left }) => left > 0);
    if (due.length === 0) continue;
    const warming = warmUpWait(app, occurrence, nowMs);
    if (warming !== undefined) return warming;
    const untilMs = throttledUntilMs(campaign, open, nowMs);
    if (untilMs !== undefined) {
      const text = `its throttle allows ${campaign.throttle?.perMinute} people per minute`;
      return { reason: 'throttled', text, untilMs };
    }
    const stuck = due.map(({ channel }) => blockedOn(app, channel, nowMs));
    if (stuck.some((one) => one === null))
      return ratePerSecond > 0 ? null : unanswered(app, occurrence, due);
    return stuck[0] ?? null;
  }
  const held = heldOf(open);
  if (held !== null) return held;
  const inFlight = open.reduce((sum, one) => sum + one.inFlight, 0);
  const slowed = inFlight > 0 ? slowedDown(app, open, nowMs) : undefined;
  if (slowed !== undefined) return { ...slowed, people: inFlight };
  if (inFlight > 0)
    return {
      reason: 'answers',
      text: 'every send was handed over; some are still waiting for a provider response or a retry',
      people: inFlight,
    };
  const waiting = open.find(({ stage }) => stage === 'waiting');
  if (waiting?.fallbackMs == null) return null;
  return {
    reason: 'fallback',
    text: 'the fallback wait; after it, everyone who has not opened or clicked gets the message on the fallback channels',
    untilMs: waiting.fallbackMs,
  };
}

/** A standstill without a block: calls in flight fill dispatch. `null` if there are none. */
function unanswered(
  { sending, outbox }: StatsReads,
  { inFlight }: Occurrence,
  due: readonly CampaignLane[],
): Waiting | null {
  const reason = 'answers';
  if (inFlight > 0) {
    const text =
      'sends already handed over are waiting for a provider response or a retry; more follow as they finish';
    return { reason, text, people: inFlight };
  }
  const isFull = due.every(({ channel }) => {
    const queue = outbox.channels.get(channelIds[channel] as ChannelId);
    return (sending.rowsOn[channel] ?? 0) + (queue?.inFlight ?? 0) > 0;
  });
  if (!isFull) return null;
  return {
    reason,
    text: 'other sends of the app are waiting for provider responses; this campaign follows as they finish',
  };
}

const pausedWords: Readonly<Record<string, string>> = {
  late: 'its scheduled time was missed by more than two hours; resume it to send now, or cancel it',
  restored: 'it was in progress when a backup was restored; resume it to continue',
};

function paused(campaign: CampaignRecord): Waiting {
  const { stateReason } = campaign;
  const known = stateReason === undefined ? undefined : pausedWords[stateReason];
  const text = guardSays(campaign)?.text ?? known;
  return { reason: 'paused', text: text ?? 'it was paused; resume it to continue' };
}

/** Why a channel accepts nobody; `null` if it does. */
function blockedOn({ outbox }: StatsReads, channel: number, nowMs: Millis): Waiting | null {
  const id: ChannelId | undefined = channel === noChannel ? undefined : channelIds[channel];
  const queue = id === undefined ? undefined : outbox.channels.get(id);
  if (id === undefined || queue === undefined) return null;
  const label = channelLabels[id];
  if (queue.configFailures > 0)
    return {
      reason: 'provider_refuses',
      text: `${label}: the provider rejects the app's credential; Engage retries from time to time`,
      untilMs: queue.pausedUntilMs,
    };
  if (isUnreached(queue))
    return {
      reason: 'provider_unreachable',
      text: `${label}: the provider cannot be reached; Engage tries one message from time to time`,
      untilMs: queue.pausedUntilMs,
    };
  if (isSlowed(queue) || queue.pausedUntilMs > nowMs) {
    const { pausedUntilMs: untilMs, slowedMs: sinceMs } = queue;
    return {
      reason: 'provider_pause',
      text: `${label}: slowed down by the ${id === 'email' ? 'relay' : 'provider'}`,
      ...(untilMs > nowMs ? { untilMs } : {}),
      ...(sinceMs === undefined ? {} : { sinceMs }),
    };
  }
  const people = outbox.openOn(id);
  if (people >= limits.outboxCampaignsMax)
    return {
      reason: 'retries',
      text: `${label}: too many sends are waiting to be retried; no more are sent until some finish`,
      people,
    };
  return null;
}

/** What sends wait for that were all handed over: a channel's pause, or that of a part of it. */
function slowedDown(
  app: StatsReads,
  open: readonly Occurrence[],
  nowMs: Millis,
): Waiting | undefined {
  const channels = new Set(open.flatMap(({ lanes }) => lanes.map(({ channel }) => channel)));
  for (const channel of channels) {
    const blocked = blockedOn(app, channel, nowMs);
    if (blocked !== null && blocked.reason !== 'retries') return blocked;
  }
  for (const channel of channels) {
    const id: ChannelId | undefined = channel === noChannel ? undefined : channelIds[channel];
    const { accounts = {} } = (id && app.outbox.channels.get(id)) ?? {};
    for (const [part, { pausedUntilMs: untilMs, slowedMs }] of Object.entries(accounts))
      if (id !== undefined && untilMs > nowMs)
        return {
          reason: 'provider_pause',
          text: `${channelLabels[id]}: slowed down by ${part}`,
          untilMs,
          ...(slowedMs === undefined ? {} : { sinceMs: slowedMs }),
        };
  }
  return undefined;
}

const heldWords: Readonly<Record<string, string>> = {
  quiet_hours: 'quiet hours of the remaining people',
  warm_up: 'the numbers of mailbox providers in the warm-up of the sender domain',
  daily_cap: "the org's daily cap of sends; it resets at 00:00 UTC",
  local_time: 'the local delivery time of the remaining people',
  optimal_time: 'the hours at which the remaining people usually open messages',
  fallback: 'the fallback wait of people whose message was held; it counts from their own send',
  experiment: 'the end of the experiment; then the rest get the best variant',
};

/** The most common reason for which people are held. */
function heldOf(open: readonly Occurrence[]): Waiting | null {
  const groups = new Map<string, { people: number; untilMs: Millis }>();
  for (const { lanes } of open)
    for (const lane of lanes)
      for (const { reason, untilMs, count } of lane.parked()) {
        const group = groups.get(reason) ?? { people: 0, untilMs };
        groups.set(reason, group);
        group.people += count;
        group.untilMs = Math.min(group.untilMs, untilMs);
      }
  const [most] = [...groups].sort(([, one], [, other]) => other.people - one.people);
  if (most === undefined) return null;
  const [reason, { people, untilMs }] = most;
  return { reason, text: heldWords[reason] ?? reason, untilMs, people };
}

// What currently keeps messages from a person: devices, opt-outs, preferences, providers, caps,
// quiet hours, and waits in campaigns and journeys. From memory, per request. About now only; why
// an earlier send failed is in its own story.

import type { Context } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { utcMonthOf, utcMonthStart } from '../../../engine/time/utc-month.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import { suppressions } from '../../../storage/tables/suppression.ts';
import { channelsOf } from '../../channels/catalog.ts';
import { type ChannelId, channelIds, type IdentityClass } from '../../channels/channel-ids.ts';
import { storedIdentity, takesMarketing } from '../../people/audience/identity.ts';
import type { CampaignLane } from '../../programs/campaigns/lane.ts';
import { throttledUntilMs } from '../../programs/campaigns/pace.ts';
import { stepOf } from '../../programs/journeys/program.ts';
import { readableRow } from '../../readable-row.ts';
import { Gate } from '../../sending/gate/gate.ts';
import { OrgRoom } from '../../sending/gate/org-room.ts';
import { isUnreached } from '../../sending/outbox/circuit.ts';
import { type CredentialRules, isConfigured } from '../../sending/outbox/open-credentials.ts';
import { isSlowed } from '../../sending/outbox/slowdown.ts';
import type { TimelineMemory, TimelineView } from './memory.ts';
import type { StoryEntry } from './protocol.ts';

type NowLine = Omit<StoryEntry, 'kind' | 'atMs'> & { readonly atMs?: Millis };

/** Bounds the list for a person in very many journeys and campaigns. */
const entriesMax = 200;

export function statusOfPerson(
  state: TimelineMemory,
  app: TimelineView,
  row: SubscriberRow,
  rules: CredentialRules,
  context: Context,
): readonly StoryEntry[] {
  const { nowMs, wallMs } = context;
  const all: NowLine[] = [
    ...ofDevices(app, row, context),
    ...ofChannels(state, app, row, rules, { nowMs, wallMs }),
    ...ofJourneys(app, row, nowMs),
    ...ofCampaigns(app, row, nowMs),
  ];
  return all.slice(0, entriesMax).map((one) => ({ kind: 'state', atMs: nowMs, ...one }));
}

function* ofDevices(app: TimelineView, row: SubscriberRow, context: Context): Generator<NowLine> {
  if (row.devices.length === 0) yield { code: 'no_device', atMs: row.updatedMs };
  for (const { id: deviceId, channel, enabled, disabledReason, updatedMs: atMs } of row.devices) {
    if (enabled) continue;
    const reason = disabledReason === undefined ? {} : { reason: disabledReason };
    yield { code: 'device_disabled', atMs, deviceId, channel, ...reason };
  }
  for (const { id: deviceId, channel, enabled } of row.devices) {
    const untilMs = enabled ? app.resting.untilOfDevice(deviceId, context.nowMs) : undefined;
    if (untilMs === undefined) continue;
    const next = { code: 'recheck', atMs: untilMs } as const;
    yield { code: 'address_rests', deviceId, channel, next };
  }
  const seen = new Set<string>();
  for (const { channel, endpoint } of row.devices) {
    const identity =
      typeof endpoint === 'string' ? storedIdentity(channel as ChannelId, endpoint) : undefined;
    if (identity === undefined || seen.has(identity) || takesMarketing(app, identity)) continue;
    seen.add(identity);
    const of = readableRow(context.documents, suppressions, [identity]);
    const channels = channelsOf((identity.split(':')[0] ?? '') as IdentityClass);
    yield {
      code: app.suppressions.has(identity) ? 'opted_out' : 'opted_out_of_marketing',
      channels,
      ...(of === undefined ? {} : { atMs: of.createdMs, source: of.source }),
      ...(of?.reason === undefined ? {} : { reason: of.reason }),
    };
  }
  const { preferredChannels } = row;
  if (preferredChannels !== undefined)
    yield { code: 'prefers_channels', channels: preferredChannels, atMs: row.updatedMs };
}

function* ofChannels(
  state: TimelineMemory,
  app: TimelineView,
  { person, devices }: SubscriberRow,
  rules: CredentialRules,
  { nowMs, wallMs }: Pick<Context, 'nowMs' | 'wallMs'>,
): Generator<NowLine> {
  const own = new Set(devices.filter(({ enabled }) => enabled).map(({ channel }) => channel));
  for (const channel of channelIds) {
    if (!own.has(channel)) continue;
    if (!isConfigured(app, rules, channel)) {
      yield { code: 'channel_not_configured', channel };
      continue;
    }
    const health = app.outbox.health(channel);
    const { pausedUntilMs, configFailures } = health;
    const at = pausedUntilMs > nowMs ? { atMs: pausedUntilMs } : {};
    if (configFailures > 0)
      yield { code: 'channel_refused', channel, next: { code: 'probe', ...at } };
    else if (isUnreached(health))
      yield { code: 'channel_unreached', channel, next: { code: 'probe', ...at } };
    else if (pausedUntilMs > nowMs || isSlowed(health))
      yield { code: 'channel_paused', channel, next: { code: 'resume', ...at } };
    const gate = new Gate(app, channel, nowMs, { isConfigured: true, behindMs: nowMs - wallMs });
    const held = gate.askAgain(person);
    if (held.answer === 'hold')
      yield { code: 'quiet_hours_now', channel, next: { code: 'recheck', atMs: held.untilMs } };
    if (gate.isCapped(person, true)) yield { code: 'frequency_cap_reached', channel };
  }
  const room = OrgRoom.of(state, app.record.org, nowMs);
  if (own.has('email') && room.askEmail().answer !== 'send') {
    const atMs = utcMonthStart(utcMonthOf(nowMs) + 1);
    yield { code: 'email_allowance_used', channel: 'email', next: { code: 'renew', atMs } };
  }
  const day = room.askDay(Number.POSITIVE_INFINITY);
  if (day.answer === 'hold')
    yield { code: 'daily_cap_used', next: { code: 'renew', atMs: day.untilMs } };
}

function* ofJourneys(
  app: TimelineView,
  { person }: SubscriberRow,
  nowMs: Millis,
): Generator<NowLine> {
  for (const { record, flow, awaited } of app.journeys.all()) {
    const { id: journeyId, program } = record;
    if (awaited.test(person)) yield { code: 'journey_awaited', journeyId, next: { code: 'start' } };
    const run = flow.runs.find(person);
    if (run === undefined) continue;
    const step = stepOf(program, run.operation);
    const atMs = run.enrolledMs;
    const base = { journeyId, atMs, ...(step === undefined ? {} : { step }) };
    const wakes = run.wakeMs > nowMs ? { atMs: run.wakeMs } : {};
    if (flow.isLeaving(run)) {
      yield { ...base, code: 'journey_leaves', next: { code: 'exit', ...wakes } };
      continue;
    }
    const operation = program.operations[run.operation];
    const next = { code: 'wake', ...wakes } as const;
    if (operation?.kind === 'goal')
      yield { ...base, code: 'journey_waits_for_goal', name: operation.event, next };
    else yield { ...base, code: 'journey_waits', next };
  }
}

function* ofCampaigns(
  app: TimelineView,
  { person }: SubscriberRow,
  nowMs: Millis,
): Generator<NowLine> {
  for (const campaignId of app.sending.campaignIds()) {
    const campaign = app.campaigns.get(campaignId);
    if (campaign === undefined) continue;
    const occurrences = app.sending.of(campaignId);
    for (const { lanes, startedMs } of occurrences)
      for (const lane of lanes) {
        const status = lane.statusOf(person);
        if (status === undefined) continue;
        const base = { campaignId, atMs: startedMs, ...channelOf(lane) };
        if (campaign.state === 'paused')
          yield { ...base, code: 'campaign_paused', next: { code: 'by_author' } };
        else if (status === 'waiting') {
          const atMs = throttledUntilMs(campaign, occurrences, nowMs);
          const next = { code: 'start' as const, ...(atMs === undefined ? {} : { atMs }) };
          yield { ...base, code: 'campaign_in_line', next };
        } else {
          const { reason, untilMs } = status;
          const next = { code: 'recheck', atMs: untilMs } as const;
          yield { ...base, code: 'campaign_held', reason, next };
        }
      }
  }
}

function channelOf({ channel }: CampaignLane): { readonly channel?: ChannelId } {
  const id = channelIds[channel];
  return id === undefined ? {} : { channel: id };
}

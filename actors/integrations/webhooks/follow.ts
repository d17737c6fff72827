// Selects the events that some destination subscribes to. Folded from the entries themselves:
// whatever was committed is known here, after a crash as well.

import { channelIds } from '../../channels/channel-ids.ts';
import type { EntryFacts } from '../../events/log/entry-facts.ts';
import {
  CampaignEndedFacts,
  CampaignGuardedFacts,
  DecidedFacts,
  OccurrenceEndedFacts,
  WaveFacts,
} from '../../programs/campaigns/facts.ts';
import { guardSays } from '../../programs/campaigns/guarding.ts';
import type { CampaignsReads } from '../../programs/campaigns/reads.ts';
import type { CampaignRecord } from '../../programs/campaigns/records.ts';
import { SettledFacts } from '../../sending/outbox/facts.ts';
import type { EndedAttempts } from './degraded.ts';
import { type DestinationHealth, type DestinationRecord, kindBit } from './destination.ts';
import type { WebhookEvent } from './event.ts';
import { nobody } from './happened.ts';
import type { WebhooksApp } from './memory.ts';

type DisabledMeta = Extract<WebhookEvent, { readonly kind: 'integration.disabled' }>['meta'];

interface NumberedApp extends WebhooksApp {
  readonly nextEvent: number;
}

type FollowingApp = NumberedApp & CampaignsReads;

const degradedBit = kindBit('delivery.degraded');
const progressBit = kindBit('campaign.chunk_processed');

/** Runs after history has counted the entry's events. */
export function foldHappened(app: FollowingApp, facts: EntryFacts): void {
  const { webhooks } = app;
  if (webhooks.wanted === 0) return;
  const { count, names } = facts.rows();
  if (count > 0 && names.some(webhooks.wantsRow))
    for (const draft of facts.drafts(webhooks.wantsRow)) webhooks.unwritten.push(draft);
  if (facts instanceof CampaignEndedFacts) foldEndOfCampaign(app, facts);
  else if (facts instanceof OccurrenceEndedFacts) foldEndOfOccurrence(app, facts);
  else if (facts instanceof CampaignGuardedFacts) foldGuarded(app, facts);
  else if ((webhooks.wanted & progressBit) !== 0) foldProgress(app, facts);
  if ((webhooks.wanted & degradedBit) !== 0) foldEnded(app, facts);
}

/** A recurring campaign ends with whichever occurrence ends last, and that one has said it. */
function foldEndOfCampaign(app: FollowingApp, { campaign }: CampaignEndedFacts): void {
  const { id, state, schedule, endedMs, updatedMs } = campaign;
  app.webhooks.progress.ended(id);
  if (state === 'failed') {
    happened(app, 'campaign.failed', { campaignId: id }, updatedMs);
    return;
  }
  const occurrences = app.sending.of(id);
  const isRecurring = schedule.type === 'recurring';
  if (isRecurring && occurrences.some((one) => one.endedMs === endedMs)) return;
  const occurrence = isRecurring ? undefined : occurrences.at(-1)?.number;
  happened(app, 'campaign.completed', { campaignId: id, occurrence }, updatedMs);
}

/** Whatever stops it cancels or fails the campaign first. */
function foldEndOfOccurrence(app: FollowingApp, { entry }: OccurrenceEndedFacts): void {
  const { campaignId, occurrence, atMs } = entry;
  const campaign = app.campaigns.get(campaignId);
  const ended = app.sending.of(campaignId).find(({ number }) => number === occurrence);
  if (campaign === undefined || ended === undefined || isStopped(campaign)) return;
  const { unitsTotal: total, audienceCount } = ended;
  const last = { processed: total, total, last: true, occurrence };
  if (total > 0) happened(app, 'campaign.chunk_processed', { campaignId, last }, atMs);
  if (campaign.schedule.type !== 'recurring') return;
  const isLast = campaign.nextMs === undefined;
  if (audienceCount > 0 || isLast)
    happened(app, 'campaign.completed', { campaignId, occurrence }, atMs);
}

/** Nothing else of the specification's list says that sending got worse. */
function foldGuarded(app: FollowingApp, { campaign }: CampaignGuardedFacts): void {
  const says = guardSays(campaign);
  const name = 'delivery.degraded';
  if (says === undefined || !app.webhooks.wants(name)) return;
  const { reason, count: failed, of: attempts, text } = says;
  const { id: campaignId, updatedMs: atMs, startedMs: sinceMs = atMs } = campaign;
  const figures = { channel: 'email', attempts, failed, sinceMs, reasons: { [reason]: failed } };
  const metaJson = JSON.stringify({ ...figures, paused: { name: campaign.name, reason, text } });
  const channel = channelIds.indexOf('email') + 1;
  const seq = app.nextEvent - 1;
  app.webhooks.unwritten.push({ name, person: nobody, atMs, seq, channel, campaignId, metaJson });
}

function isStopped({ state }: Pick<CampaignRecord, 'state'>): boolean {
  return state === 'canceled' || state === 'failed';
}

function foldEnded(app: FollowingApp, facts: EntryFacts): void {
  const isEnd = facts instanceof SettledFacts || facts instanceof WaveFacts;
  const ended = isEnd ? endedAttempts(facts) : undefined;
  const degraded = ended && app.webhooks.degraded.ended(ended);
  if (ended === undefined || degraded === undefined) return;
  const metaJson = JSON.stringify({ channel: channelIds[ended.channel], ...degraded });
  const seq = app.nextEvent - 1;
  const { atMs, channel } = ended;
  const name = 'delivery.degraded';
  app.webhooks.unwritten.push({ name, person: nobody, atMs, seq, channel: channel + 1, metaJson });
}

/** Attempts that ended, and those that the channel's credential kept from ending. */
function endedAttempts(facts: SettledFacts | WaveFacts): EndedAttempts {
  const failed = new Map<string, number>();
  let attempts = 0;
  const count = (status: string, reason = status, times = 1) => {
    if (status === 'suppressed') return;
    attempts += times;
    if (status !== 'delivered' && status !== 'accepted')
      failed.set(reason, (failed.get(reason) ?? 0) + times);
  };
  const { atMs, standing } = facts.entry;
  const isConfig = (standing?.configFailures ?? 0) > 0;
  if (facts instanceof SettledFacts) {
    for (const { settlement, wasAccepted } of facts.ended) {
      const { status, reason } = settlement.receipt;
      // The attempt of a delivery that its relay reports has been counted.
      if (wasAccepted !== true || status !== 'delivered') count(status, reason);
    }
    const open = facts.entry.items.length - facts.ended.length;
    if (isConfig && open > 0) count('failed', 'config', open);
    return { channel: channelIds.indexOf(facts.entry.channel), atMs, attempts, failed };
  }
  const { kinds, codes, spilled, channel } = facts.entry;
  const rows = facts.rows().count;
  for (let row = 0; row < rows; row++) {
    const kind = kinds[codes?.[row] ?? 0];
    if (kind !== undefined) count(kind.status, kind.reason);
  }
  if (isConfig && spilled.length > 0) count('failed', 'config', spilled.length);
  return { channel, atMs, attempts, failed };
}

function foldProgress(app: FollowingApp, facts: EntryFacts): void {
  if (!(facts instanceof WaveFacts || facts instanceof DecidedFacts)) return;
  const { campaignId, atMs } = facts.entry;
  if (app.webhooks.progress.moved(campaignId, atMs))
    happened(app, 'campaign.chunk_processed', { campaignId }, atMs);
}

/** Tells the other destinations that Engage has switched this one off, with its health before. */
export function foldSwitchedOff(
  app: NumberedApp,
  { number, type, switchedOffMs: atMs }: DestinationRecord,
  { lost = 0, failingMs }: DestinationHealth,
): void {
  if (atMs === undefined) return;
  const failingSince = new Date(failingMs ?? atMs).toISOString();
  const meta: DisabledMeta = { integration: type, reason: 'no_success', lost, failingSince };
  const seq = app.nextEvent - 1;
  const name = 'integration.disabled';
  const draft = { name, person: nobody, atMs, seq, metaJson: JSON.stringify(meta) };
  app.webhooks.tellOthers(number, draft);
}

interface Notice {
  readonly campaignId: string;
  readonly occurrence?: number | undefined;
  /** Of a progress that is known already. */
  readonly last?: object;
}

/** Its number is that of the newest event in the stream. */
function happened(
  app: FollowingApp,
  name: string,
  { campaignId, occurrence, last }: Notice,
  atMs: number,
): void {
  if (!app.webhooks.wants(name)) return;
  const seq = app.nextEvent - 1;
  const known = last ?? (occurrence === undefined ? undefined : { occurrence });
  const meta = known === undefined ? {} : { metaJson: JSON.stringify(known) };
  app.webhooks.unwritten.push({ name, person: nobody, atMs, seq, campaignId, ...meta });
}

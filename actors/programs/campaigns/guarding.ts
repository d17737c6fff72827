// When a campaign's guard stops it, and what it says then.

import type { Millis } from '../../../engine/base/brand.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import { guardOf } from '../../tenants/accounts/campaign-guard.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import { type GuardReason, type GuardStop, guardReasons } from './guard.ts';
import type { CampaignsApp } from './memory.ts';
import { type Occurrence, planOf } from './occurrence.ts';
import type { CampaignRecord } from './records.ts';

const email = channelIds.indexOf('email');

/** Why an active campaign must pause now; `undefined` if it may go on. */
export function guardStop(
  { settings, sending }: Pick<AccountsReads, 'settings'> & Pick<CampaignsApp, 'sending'>,
  campaign: CampaignRecord,
): GuardStop | undefined {
  if (campaign.state !== 'scheduled' && campaign.state !== 'sending') return undefined;
  const bounds = guardOf(settings.campaignGuard, campaign.guard);
  if (bounds === null) return undefined;
  for (const occurrence of sending.of(campaign.id)) {
    const stop = occurrence.guard.against(bounds);
    if (stop !== undefined && mayMail(campaign, occurrence)) return stop;
  }
  return undefined;
}

/** Whether emails may follow: a fallback on other channels must not wait for a bad list. */
function mayMail(campaign: CampaignRecord, occurrence: Occurrence): boolean {
  const { stage, lanes } = occurrence;
  if (campaign.nextMs !== undefined || stage === 'primary') return true;
  if (stage === 'ended') return false;
  if (planOf(campaign, occurrence).fallbackChannels?.includes('email')) return true;
  return lanes.some((lane) => lane.channel === email && lane.left + lane.parkedCount > 0);
}

/** The campaign that its guard stops at this instant. */
export function guardedCampaign(
  campaign: CampaignRecord,
  { reason, count, of }: GuardStop,
  nowMs: Millis,
): CampaignRecord {
  return {
    ...campaign,
    state: 'paused',
    pausedFrom: campaign.state === 'scheduled' ? 'scheduled' : 'sending',
    stateReason: reason,
    guarded: { count, of, atMs: nowMs },
    updatedMs: nowMs,
  };
}

/** What its guard says of a campaign that it has stopped; `undefined` for any other. */
export function guardSays({
  state,
  stateReason,
  guarded,
}: CampaignRecord): (GuardStop & { readonly text: string }) | undefined {
  const reason = guardReasons.find((one) => one === stateReason);
  if (state !== 'paused' || reason === undefined || guarded === undefined) return undefined;
  const { count, of } = guarded;
  return { reason, count, of, text: words[reason](grouped(count), grouped(of)) };
}

const words: Readonly<Record<GuardReason, (count: string, of: string) => string>> = {
  guard_bounces: (count, of) =>
    `${count} of the latest ${of} emails bounced; remove addresses that do not exist from the audience, then resume it`,
  guard_complaints: (count, of) =>
    `${count} of the latest ${of} emails were reported as spam; send only to people who asked for it, then resume it`,
  guard_sender_refused: (count, of) =>
    count === of
      ? `the latest ${count} emails were refused because of their sender; fix SPF, DKIM and DMARC of its domain, or its listing on a blocklist, then resume it`
      : `${count} of the latest ${of} emails were refused, most because of their sender; fix SPF, DKIM and DMARC of its domain, or its listing on a blocklist, then resume it`,
};

/** `12,345`, without the machine's locale. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

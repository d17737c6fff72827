// What happened, as far as destinations want it. Folded from the entries themselves: whatever was
// committed is known here, after a crash as well.

import { channelIds } from '../../channels/channel-ids.ts';
import type { EntryFacts } from '../../events/facts.ts';
import { CampaignEndedFacts, DecidedFacts, WaveFacts } from '../../programs/campaigns/facts.ts';
import { SettledFacts } from '../../sending/transactional/facts.ts';
import type { EndedAttempts } from './degraded.ts';
import { kindBit } from './destination.ts';
import { nobody } from './happened.ts';
import type { WebhooksApp } from './state.ts';

interface FollowingApp extends WebhooksApp {
  readonly nextEvent: number;
}

const degradedBit = kindBit('delivery.degraded');
const progressBit = kindBit('campaign.chunk_processed');

/** Runs after history has counted the entry's events. */
export function foldHappened(app: FollowingApp, facts: EntryFacts): void {
  const { webhooks } = app;
  if (webhooks.wanted === 0) return;
  const { count, names } = facts.rows();
  if (count > 0 && names.some(webhooks.wantsRow))
    for (const draft of facts.drafts(webhooks.wantsRow)) webhooks.unwritten.push(draft);
  if (facts instanceof CampaignEndedFacts) {
    const { id, state } = facts.campaign;
    webhooks.progress.ended(id);
    happened(app, `campaign.${state}`, id, facts.acceptedMs());
  } else if ((webhooks.wanted & progressBit) !== 0) foldProgress(app, facts);
  if ((webhooks.wanted & degradedBit) !== 0) foldEnded(app, facts);
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
    if (status !== 'delivered') failed.set(reason, (failed.get(reason) ?? 0) + times);
  };
  const { atMs, standing } = facts.entry;
  const isConfig = (standing?.configFailures ?? 0) > 0;
  if (facts instanceof SettledFacts) {
    for (const { settlement } of facts.ended)
      count(settlement.receipt.status, settlement.receipt.reason);
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
    happened(app, 'campaign.chunk_processed', campaignId, atMs);
}

/** Its number is that of the newest event in the stream. */
function happened(app: FollowingApp, name: string, campaignId: string, atMs: number): void {
  if (!app.webhooks.wants(name)) return;
  const seq = app.nextEvent - 1;
  app.webhooks.unwritten.push({ name, person: nobody, atMs, seq, campaignId });
}

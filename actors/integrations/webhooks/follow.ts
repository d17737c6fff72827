// What happened, as far as destinations want it. Folded from the entries themselves: whatever was
// committed is known here, after a crash as well.

import type { EntryFacts } from '../../events/facts.ts';
import { CampaignEndedFacts, DecidedFacts, WaveFacts } from '../../programs/campaigns/facts.ts';
import { kindBit } from './destination.ts';
import { nobody } from './happened.ts';
import type { WebhooksApp } from './state.ts';

interface FollowingApp extends WebhooksApp {
  readonly nextEvent: number;
}

const progressBit = kindBit('campaign.chunk_processed');

/** Runs after history has counted the entry's events. */
export function foldHappened(app: FollowingApp, facts: EntryFacts): void {
  const { webhooks } = app;
  if (webhooks.wanted === 0) return;
  const { count, names } = facts.rows();
  if (count > 0 && names.some(webhooks.wants))
    for (const draft of facts.drafts(webhooks.wants)) webhooks.unwritten.push(draft);
  if (facts instanceof CampaignEndedFacts) {
    const { id, state } = facts.campaign;
    webhooks.progress.ended(id);
    happened(app, `campaign.${state}`, id, facts.acceptedMs());
  } else if ((webhooks.wanted & progressBit) !== 0) foldProgress(app, facts);
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

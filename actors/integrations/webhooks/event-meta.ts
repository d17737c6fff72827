// What an event says beside its ids, as JSON: of a receipt, what the stream has; of a campaign, its
// statistics at the end of the turn in which it happened.

import type { Millis } from '../../../engine/base/brand.ts';
import { catalog } from '../../channels/catalog.ts';
import type { NumberedDraft } from '../../events/log/entry-facts.ts';
import type { StatsReads } from '../../programs/campaigns/reads.ts';
import { statsOf } from '../../programs/campaigns/stats.ts';
import type { WebhookKind } from './event.ts';
import { channelOf, kindOf } from './happened.ts';
import type { WebhooksView } from './memory.ts';
import type { EventMeta } from './write.ts';

export const eventMeta: EventMeta = { metaOf };

function metaOf(
  app: StatsReads & WebhooksView,
  draft: NumberedDraft,
  nowMs: Millis,
): string | undefined {
  const { name, metaJson = '{}', propsJson, campaignId = '' } = draft;
  const kind = kindOf(name);
  switch (kind) {
    case 'campaign.completed':
    case 'campaign.failed':
    case 'campaign.chunk_processed':
      return campaignMeta(app, kind, campaignId, metaJson, nowMs);
    case 'subscriber.unsubscribed':
      return JSON.stringify({ ...JSON.parse(metaJson), identityClass: classOf(draft) });
    default:
      return mergedJson(propsJson, draft.metaJson);
  }
}

/**
 * What the event says of itself, such as a link, and what the service knows of it, which wins. Only
 * the service says that something is of a test.
 */
function mergedJson(propsJson: string | undefined, metaJson: string | undefined): string {
  if (propsJson === undefined) return metaJson ?? '{}';
  // An escape may spell the name, too.
  if (metaJson === undefined && !/test|\\/.test(propsJson)) return propsJson;
  const { test: _test, ...props } = JSON.parse(propsJson) as Readonly<Record<string, unknown>>;
  return JSON.stringify({ ...props, ...JSON.parse(metaJson ?? '{}') });
}

function campaignMeta(
  app: StatsReads,
  kind: WebhookKind,
  campaignId: string,
  knownJson: string,
  nowMs: Millis,
): string | undefined {
  const campaign = app.campaigns.get(campaignId);
  if (campaign === undefined) return undefined;
  const known = JSON.parse(knownJson) as Partial<{ occurrence: number; total: number }>;
  if (kind === 'campaign.chunk_processed' && known.total !== undefined) return knownJson;
  const stats = statsOf(app, campaign, nowMs, known.occurrence);
  if (kind === 'campaign.completed')
    return JSON.stringify({ ...stats, occurrence: known.occurrence ?? null });
  if (kind === 'campaign.failed')
    return JSON.stringify({ name: campaign.name, reason: campaign.stateReason ?? 'failed' });
  const { progress } = stats;
  return progress === null
    ? undefined
    : JSON.stringify({ processed: progress.done, total: progress.total });
}

function classOf(draft: NumberedDraft): string | null {
  const channel = channelOf(draft);
  return channel === null ? null : (catalog[channel].identity ?? null);
}

// One insight in the pool: the query with its facts, over history and the log, or over documents.
// It may run again from the start when a checkpoint has removed files in the meantime, so a try
// must not leave anything behind.

import { StopFlag } from '../../../engine/thread/shared-word.ts';
import type { DocumentStore } from '../../../storage/documents.ts';
import type { EventHistory } from '../../events/history/event-history.ts';
import type { BlockSource } from '../../events/read/read.ts';
import { StoredWalk, WalkStopped } from '../../events/read/stored-walk.ts';
import { campaignSeries } from './campaign-series.ts';
import { channelHealth } from './channel-health.ts';
import { deliveryFailures, storedLetters } from './delivery-failures.ts';
import { engagementHeatmap } from './engagement-heatmap.ts';
import { funnel } from './funnel.ts';
import { growth } from './growth.ts';
import type { InsightRead } from './pool-read.ts';
import type { Facts, Insight, Question } from './protocol.ts';
import { retention } from './retention.ts';
import { rfm } from './rfm.ts';
import { trends } from './trends.ts';

/**
 * The answer; `null` when stopped. Throws `LogGone` and the errors of opening a file: try again.
 */
export function readInsight(
  { app, question, facts, stop }: InsightRead,
  store: BlockSource & DocumentStore,
  history: EventHistory,
): Insight | null {
  const flag = new StopFlag(stop);
  const walk = new StoredWalk(app, store, history, flag, facts.goneBeforeMs);
  try {
    // The only one that does not read events.
    if (question.kind === 'insight.failures')
      return deliveryFailures(question, facts, storedLetters(app, store, flag));
    return answerOf(question, facts, walk);
  } catch (error) {
    if (error instanceof WalkStopped) return null;
    throw error;
  }
}

function answerOf(
  question: Exclude<Question, { kind: 'insight.failures' }>,
  facts: Facts,
  walk: StoredWalk,
): Insight {
  switch (question.kind) {
    case 'insight.trends':
      return trends(question, facts, walk);
    case 'insight.growth':
      return growth(question, facts);
    case 'insight.funnel':
      return funnel(question, facts, walk);
    case 'insight.retention':
      return retention(question, facts, walk);
    case 'insight.rfm':
      return rfm(question, facts, walk);
    case 'insight.channel_health':
      return channelHealth(facts, walk);
    case 'insight.campaign_series':
      return campaignSeries(question, facts, walk);
    case 'insight.heatmap':
      return engagementHeatmap(facts, walk);
  }
}

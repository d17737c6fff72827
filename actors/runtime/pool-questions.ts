// The questions that a shard answers with its pool, by message kind.

import type { Message } from '../../engine/actor/message.ts';
import { exportPage } from '../audiences/export/export.ts';
import { answerSearch } from '../audiences/segments/answer-search.ts';
import { answerFilter, answerKept, answerOptional } from '../audiences/segments/counted.ts';
import { answerPreview } from '../content/messages/answer-preview.ts';
import { listEvents } from '../events/answer-list.ts';
import { answerInsight } from '../insight/insights/answer.ts';
import { answerPreviewSend } from '../insight/timeline/answer-preview-send.ts';
import { answerTimeline } from '../insight/timeline/answer-timeline.ts';
import { tryImport } from '../people/audience/try-import.ts';
import type { PoolQuestion } from '../pool-question.ts';
import { answerDryRun } from '../programs/campaigns/dry-run.ts';
import { answerCampaignPreview } from '../programs/campaigns/preview.ts';
import { answerForecast } from '../programs/journeys/forecasting.ts';

const questions: ReadonlyMap<string, PoolQuestion<never>> = new Map<string, PoolQuestion<never>>([
  ['campaign.dry_run', answerDryRun],
  ['campaign.preview', answerCampaignPreview],
  ['events.list', listEvents],
  ['insight.trends', answerInsight],
  ['insight.growth', answerInsight],
  ['insight.funnel', answerInsight],
  ['insight.retention', answerInsight],
  ['insight.rfm', answerInsight],
  ['insight.channel_health', answerInsight],
  ['insight.failures', answerInsight],
  ['insight.heatmap', answerInsight],
  ['insight.campaign_series', answerInsight],
  ['segment.preview', answerFilter],
  ['segment.explain', answerFilter],
  ['segment.members', answerFilter],
  ['segments.of_person', answerKept('segments.uncounted_of')],
  ['people.search', answerSearch],
  ['bulk.start', answerOptional],
  ['segment.watch', answerFilter],
  ['flag.explain', answerKept('flags.uncounted')],
  ['flags.evaluate', answerKept('flags.uncounted')],
  ['inapp.feed', answerKept('inapp.uncounted')],
  ['journey.update', answerKept('journey.uncounted')],
  ['journey.simulate', answerKept('journey.uncounted_of')],
  ['journey.simulate_unsaved', answerKept('journey.uncounted_of')],
  ['journey.forecast', answerForecast],
  ['message.preview', answerPreview],
  ['subscriber.try_import', tryImport],
  ['subscribers.export', exportPage],
  ['timeline.read', answerTimeline],
  ['send.preview', answerPreviewSend],
]);

/** `undefined` for messages that their actor answers alone. */
export function poolQuestion(kind: string): PoolQuestion<Message> | undefined {
  return questions.get(kind) as PoolQuestion<Message> | undefined;
}

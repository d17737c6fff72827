// The questions that a shard answers with its pool, by the kind of their message. A new one is a line here.

import type { Message } from '../engine/actor/message.ts';
import { answerDryRun } from './campaigns/dry-run.ts';
import { listEvents } from './events/answer-list.ts';
import { exportPage } from './export/export.ts';
import { answerInsight } from './insights/answer.ts';
import { answerForecast } from './journeys/forecasting.ts';
import { answerPreview } from './messages/answer-preview.ts';
import type { PoolQuestion } from './pool-question.ts';
import { answerFilter, answerKept } from './segments/counted.ts';
import { answerTimeline } from './timeline/answer-timeline.ts';

const questions: ReadonlyMap<string, PoolQuestion<never>> = new Map<string, PoolQuestion<never>>([
  ['campaign.dry_run', answerDryRun],
  ['events.list', listEvents],
  ['insight.trends', answerInsight],
  ['insight.growth', answerInsight],
  ['insight.funnel', answerInsight],
  ['insight.retention', answerInsight],
  ['insight.rfm', answerInsight],
  ['insight.channel_health', answerInsight],
  ['insight.failures', answerInsight],
  ['insight.heatmap', answerInsight],
  ['segment.preview', answerFilter],
  ['segment.explain', answerFilter],
  ['segment.members', answerFilter],
  ['segment.watch', answerFilter],
  ['flag.explain', answerKept('flags.uncounted')],
  ['flags.evaluate', answerKept('flags.uncounted')],
  ['inapp.feed', answerKept('inapp.uncounted')],
  ['journey.update', answerKept('journey.uncounted')],
  ['journey.simulate', answerKept('journey.uncounted_of')],
  ['journey.forecast', answerForecast],
  ['message.preview', answerPreview],
  ['subscribers.export', exportPage],
  ['timeline.read', answerTimeline],
]);

/** How a message of this kind is answered with the pool; `undefined` for what its actor answers alone. */
export function poolQuestion(kind: string): PoolQuestion<Message> | undefined {
  return questions.get(kind) as PoolQuestion<Message> | undefined;
}

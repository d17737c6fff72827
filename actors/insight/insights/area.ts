// Trends, growth, funnels, cohorts, quintiles, and the results of sends.

import type { Area } from '../../area.ts';
import { answerInsight } from './answer.ts';

import { insightsDecisions } from './decide.ts';
import type { InsightsMemory, InsightsView } from './memory.ts';

export const insightsArea = {
  name: 'insights',
  decide: () => insightsDecisions,
  asks: {
    'insight.trends': answerInsight,
    'insight.growth': answerInsight,
    'insight.funnel': answerInsight,
    'insight.retention': answerInsight,
    'insight.rfm': answerInsight,
    'insight.channel_health': answerInsight,
    'insight.failures': answerInsight,
    'insight.heatmap': answerInsight,
    'insight.campaign_series': answerInsight,
  },
  whenDiskIsFull: ['insight.facts'],
} as const satisfies Area<never, InsightsMemory, InsightsView, object>;

// Trends, growth, funnels, cohorts, quintiles, and the results of sends.

import type { Area } from '../../area.ts';

import { insightsDecisions } from './decide.ts';
import type { InsightsMemory, InsightsView } from './view.ts';

export const insightsArea = {
  name: 'insights',
  decide: () => insightsDecisions,
  whenDiskIsFull: ['insight.facts'],
} as const satisfies Area<never, InsightsMemory, InsightsView, object>;

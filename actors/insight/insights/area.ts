// Trends, growth, funnels, cohorts, quintiles, and the results of sends.

import type { Area } from '../../area.ts';
import type { AppState, OrgState, PartitionState } from '../../state.ts';

import { insightsDecisions } from './decide.ts';

export const insightsArea = {
  name: 'insights',
  decide: () => insightsDecisions,
  whenDiskIsFull: ['insight.facts'],
} as const satisfies Area<never, PartitionState, AppState, OrgState>;

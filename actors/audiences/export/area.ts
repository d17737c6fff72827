// Everybody of an app, or of a segment, as one streamed file.

import type { Area } from '../../area.ts';
import type { AppState, OrgState, PartitionState } from '../../state.ts';

import { exportDecisions } from './export.ts';

export const exportArea = {
  name: 'export',
  decide: () => exportDecisions,
  whenDiskIsFull: ['subscribers.window'],
} as const satisfies Area<never, PartitionState, AppState, OrgState>;

// Saved copy under handles.

import { templates } from '../../../storage/tables/template.ts';
import type { Area } from '../../area.ts';
import type { AppState, OrgState, PartitionState } from '../../state.ts';

import { templatesApplies } from './apply.ts';
import { templatesDecisions } from './decide.ts';
import { templatesOfApp } from './state.ts';

export const templatesArea = {
  name: 'templates',
  app: templatesOfApp,
  decide: () => templatesDecisions,
  apply: templatesApplies,
  whenDiskIsFull: ['template.read', 'template.list'],
  tables: [templates],
} as const satisfies Area<never, PartitionState, AppState, OrgState>;

// In-app messages, their feed, and who did what with each.

import type { Area } from '../../area.ts';
import type { AppState, OrgState, PartitionState } from '../../state.ts';

import { inAppApplies } from './apply.ts';
import { inAppDecisions } from './decide.ts';
import { inAppOfApp } from './state.ts';

export const inAppArea = {
  name: 'inapp',
  app: inAppOfApp,
  decide: () => inAppDecisions,
  apply: inAppApplies,
  whenDiskIsFull: ['inapp.read', 'inapp.list', 'inapp.uncounted', 'inapp.feed', 'inapp.delete'],
  on: {
    personErased: ({ inApp }, { person }) => inApp.forget(person),
    personMerged: ({ inApp }, { person, into }) => inApp.merge(person, into),
  },
} as const satisfies Area<never, PartitionState, AppState, OrgState>;

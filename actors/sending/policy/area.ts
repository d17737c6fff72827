// What policy remembers: the newest marketing sends, for frequency caps.

import type { Area } from '../../area.ts';
import type { AppState, OrgState, PartitionState } from '../../state.ts';

import { policyOfApp } from './state.ts';

export const policyArea = {
  name: 'policy',
  app: policyOfApp,
  on: {
    personErased: ({ caps }, { person }) => caps.forget(person),
    personMerged: ({ caps, traits }, { person, into }) => caps.merge(person, into, traits.next),
    settingsChanged: ({ caps, traits }, settings) => caps.keepFor(settings.caps, traits.next),
  },
} as const satisfies Area<never, PartitionState, AppState, OrgState>;

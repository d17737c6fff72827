// The gate's memory: the newest marketing sends, for frequency caps. And what its limits stand at.

import type { Area } from '../../area.ts';

import { gateDecisions } from './decide.ts';
import { type GateMemory, type GateView, gateOfApp } from './memory.ts';
import type { GateOrgView } from './reads.ts';

export const gateArea = {
  name: 'gate',
  app: gateOfApp,
  decide: () => gateDecisions,
  whenDiskIsFull: ['org.emails'],
  on: {
    personErased: ({ caps }, { person }) => caps.forget(person),
    peopleExpired: ({ caps }, people) => {
      for (const person of people) caps.forget(person);
    },
    personMerged: ({ caps, traits }, { person, into }) => caps.merge(person, into, traits.next),
    clockRebased: ({ apps }, to) => {
      for (const { caps, traits } of apps.values()) caps.rebase(to, traits.next);
    },
    settingsChanged: ({ caps, traits }, settings) => caps.keepFor(settings.caps, traits.next),
  },
} as const satisfies Area<never, GateMemory, GateView, GateOrgView>;

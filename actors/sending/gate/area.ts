// The gate's memory: the newest marketing sends, for frequency caps. And what its limits stand at.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Area } from '../../area.ts';
import { softBouncesOf } from '../../tenants/accounts/soft-bounces.ts';
import { gateApplies } from './apply.ts';
import { gateDecisions } from './decide.ts';
import { type GateMemory, type GateView, gateOfApp } from './memory.ts';
import type { GateOrgView } from './reads.ts';

export const gateArea = {
  name: 'gate',
  app: gateOfApp,
  decide: () => gateDecisions,
  apply: gateApplies,
  silent: ['device.rested'],
  whenDiskIsFull: ['org.emails'],
  on: {
    personErased: forget,
    peopleExpired: (app, people) => {
      for (const person of people) forget(app, { person });
    },
    personMerged: ({ caps, resting, traits }, { person, into }) => {
      caps.merge(person, into, traits.next);
      resting.merge(person, into);
    },
    clockRebased: ({ apps }, to) => {
      for (const { caps, resting, traits } of apps.values()) {
        caps.rebase(to, traits.next);
        resting.rebase((atMs) => to.stamp(atMs));
      }
    },
    settingsChanged: ({ caps, resting, traits }, settings) => {
      caps.keepFor(settings.caps, traits.next);
      if (softBouncesOf(settings) === null) resting.clear();
    },
  },
} as const satisfies Area<never, GateMemory, GateView, GateOrgView>;

function forget(
  { caps, resting }: Pick<GateView, 'caps' | 'resting'>,
  { person }: { readonly person: PersonOrdinal },
): void {
  caps.forget(person);
  resting.forget(person);
}

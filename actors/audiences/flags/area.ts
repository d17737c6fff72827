// Feature flags.

import type { Area } from '../../area.ts';

import { flagsApplies } from './apply.ts';
import { flagsDecisions } from './decide.ts';
import { flagsOfApp } from './state.ts';
import type { FlagsMemory, FlagsView } from './view.ts';

export const flagsArea = {
  name: 'flags',
  app: flagsOfApp,
  decide: () => flagsDecisions,
  apply: flagsApplies,
  whenDiskIsFull: [
    'flag.read',
    'flag.list',
    'flag.explain',
    'flag.delete',
    'flags.uncounted',
    'flags.evaluate',
  ],
} as const satisfies Area<never, FlagsMemory, FlagsView, object>;

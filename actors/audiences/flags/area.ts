// Feature flags.

import type { Area } from '../../area.ts';
import { answerKept } from '../segments/counted.ts';

import { flagsApplies } from './apply.ts';
import { flagsDecisions } from './decide.ts';
import { flagEdits, flagEnds } from './edits.ts';
import { type FlagsMemory, type FlagsView, flagsOfApp } from './memory.ts';
import type { FlagsEntry } from './protocol.ts';

export const flagsArea = {
  name: 'flags',
  app: flagsOfApp,
  decide: () => flagsDecisions,
  apply: flagsApplies,
  silent: ['flag.saved', 'flag.deleted'],
  edits: flagEdits,
  ends: flagEnds,
  stored: {
    sums: [['content', ({ flags }) => flags.bytes]],
    growth: {
      'flag.saved': ({ flags }, { flag }: Extract<FlagsEntry, { kind: 'flag.saved' }>) =>
        flags.growth(flag.key, flag),
    },
  },
  asks: {
    'flag.explain': answerKept('flags.uncounted'),
    'flags.evaluate': answerKept('flags.uncounted'),
  },
  whenDiskIsFull: [
    'flag.read',
    'flag.list',
    'flag.explain',
    'flag.delete',
    'flags.uncounted',
    'flags.evaluate',
  ],
} as const satisfies Area<never, FlagsMemory, FlagsView, object>;

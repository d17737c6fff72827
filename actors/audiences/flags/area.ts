// Feature flags.

import type { Area, Editable } from '../../area.ts';
import { answerKept } from '../segments/counted.ts';
import { flagsApplies } from './apply.ts';
import { findFlag, flagsDecisions } from './decide.ts';
import { flagEtag } from './flag.ts';
import { type FlagsMemory, type FlagsView, flagsOfApp } from './memory.ts';
import type { FlagsEntry } from './protocol.ts';

export const flagsArea = {
  name: 'flags',
  app: flagsOfApp,
  decide: () => flagsDecisions,
  apply: flagsApplies,
  silent: ['flag.saved', 'flag.deleted'],
  edits: {
    'flag.update': flagOf,
  },
  ends: {
    'flag.delete': flagOf,
  },
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

/** What counts as a change of a feature flag for those who edit it: all that they set. */
function flagOf(
  { apps }: FlagsMemory,
  { flag }: { readonly flag: string },
  { owner }: { readonly owner: number },
): Editable | undefined {
  const app = apps.get(owner);
  const record = app && findFlag(app, flag)?.record;
  return record && { key: record.id, etag: flagEtag(record), changedMs: record.updatedMs };
}

// What changes of columns mean to others: these people may be in other segments now.

import { ChangedFacts } from '../../events/facts.ts';
import type { SegmentsEntry } from './protocol.ts';

type TraitsChanged = Extract<SegmentsEntry, { kind: 'traits.changed' }>;

export const segmentsFacts = {
  'traits.changed': ({ people, unproven }: TraitsChanged) =>
    new ChangedFacts(
      people.map(({ person }) => person),
      unproven !== true,
    ),
};

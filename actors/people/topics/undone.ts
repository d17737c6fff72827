// Choices, which a restore must not undo: nobody who left a topic gets its messages again because
// of an older backup.

import { isDeepStrictEqual } from 'node:util';
import { type SubscriberRow, subscribers } from '../../../storage/tables/subscriber.ts';
import type { UndoneBy } from '../../undone.ts';
import { isChoiceTag } from './choice-tag.ts';
import type { TopicsMemory } from './memory.ts';
import type { TopicsEntry } from './protocol.ts';

export const topicsUndone: UndoneBy<TopicsEntry, TopicsMemory> = {
  'choices.changed': {
    rank: 16,
    about: ({ subscriberId }) => `choices ${subscriberId}`,
    isListedLater: true,
    again: (_state, { person, subscriberId, choices }, { documents }) => {
      const row = documents.get(subscribers, [person]);
      // Erased, or merged in the backup.
      if (row === undefined || row.id !== subscriberId) return undefined;
      const others = Object.entries(row.tags).filter(([tag]) => !isChoiceTag(tag));
      const tags = { ...Object.fromEntries(others), ...choices };
      if (isDeepStrictEqual(tags, row.tags)) return undefined;
      const value: SubscriberRow = { ...row, tags };
      return { documents: [{ table: subscribers, key: [person], value }] };
    },
  },
};

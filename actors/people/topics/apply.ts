// Folds topics.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { TopicsMemory } from './memory.ts';
import type { TopicsEntry } from './protocol.ts';

export const topicsApplies: Applies<TopicsEntry, TopicsMemory> = {
  'topic.saved': (state, { owner, topic }) => {
    state.apps.get(owner)?.topics.set(topic.key, topic);
  },
  'topic.deleted': (state, { owner, key }) => {
    state.apps.get(owner)?.topics.delete(key);
  },
  // An event, which its facts tell.
  'preferences.changed': () => {},
  // The columns of tags have the choices, by `traits.changed`.
  'choices.changed': () => {},
};

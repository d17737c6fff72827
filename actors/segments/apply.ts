// Folds saved filters, and what filters can see of people, into memory.

import type { Applies } from '../../engine/actor/protocol.ts';
import { type ChannelId, channelIds } from '../channels/catalog.ts';
import type { PartitionState } from '../state.ts';
import type { SegmentsEntry } from './protocol.ts';

export const segmentsApplies: Applies<SegmentsEntry, PartitionState> = {
  'traits.changed': (state, { owner, people }) => {
    const traits = state.apps.get(owner)?.traits;
    for (const { person, tags, reach } of people) {
      if (tags !== undefined) traits?.setTags(person, tags);
      if (reach !== undefined) traits?.setReach(person, channelsOf(reach));
    }
  },

  'segment.saved': (state, { owner, segment }) => {
    state.apps.get(owner)?.segments.set(segment.id, segment);
  },

  'segment.deleted': (state, { owner, id }) => {
    state.apps.get(owner)?.segments.delete(id);
  },
};

function channelsOf(reach: number): ReadonlySet<ChannelId> {
  return new Set(channelIds.filter((_channel, index) => (reach & (1 << index)) !== 0));
}

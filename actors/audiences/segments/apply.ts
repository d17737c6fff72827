// Folds segments, followed segments, and the columns that filters use.

import type { Applies } from '../../../engine/actor/protocol.ts';
import { Bitset } from '../../../engine/base/bitset.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import type { SegmentsMemory } from './memory.ts';
import type { SegmentsEntry } from './protocol.ts';

export const segmentsApplies: Applies<SegmentsEntry, SegmentsMemory> = {
  'traits.changed': (state, { owner, people, grewBytes, keyless }) => {
    const app = state.apps.get(owner);
    if (grewBytes !== undefined) app?.stored.addRecords(grewBytes);
    for (const { person, tags, reach, ...contact } of people) {
      if (tags !== undefined) {
        app?.unvouched.noteTags(tags, app.traits.tags, keyless === true);
        app?.traits.setTags(person, tags);
      }
      if (reach !== undefined) app?.traits.setReach(person, channelsOf(reach));
      app?.contact.change(person, contact);
    }
  },

  'names.changed': (state, { owner, vouched, dropped }) => {
    const app = state.apps.get(owner);
    for (const names of [vouched, dropped]) app?.unvouched.remove(names);
    app?.unvouched.trimmed();
    for (const name of dropped.events) app?.traits.events.delete(name);
    for (const name of dropped.tags) app?.traits.tags.delete(name);
  },

  'segment.saved': (state, { owner, segment }) => {
    state.apps.get(owner)?.segments.set(segment.id, segment);
  },

  'segment.deleted': (state, { owner, id }) => {
    state.apps.get(owner)?.segments.delete(id);
  },

  'segment.watched': (state, { owner, segmentId, follower, members }) => {
    const watches = state.apps.get(owner)?.watches;
    const watch = watches?.get(segmentId);
    if (watch !== undefined) watch.followers.add(follower);
    else if (members !== undefined)
      watches?.set(segmentId, {
        followers: new Set([follower]),
        members: Bitset.restore(members),
        unproven: new Bitset(0),
      });
  },

  'segment.unwatched': (state, { owner, segmentId, follower }) => {
    const watches = state.apps.get(owner)?.watches;
    const watch = watches?.get(segmentId);
    watch?.followers.delete(follower);
    if (watch?.followers.size === 0) watches?.delete(segmentId);
  },

  'segment.changed': (state, { owner, segmentId, entered, left, unproven = [], proven = [] }) => {
    const watch = state.apps.get(owner)?.watches.get(segmentId);
    if (watch === undefined) return;
    for (const person of entered) watch.members.set(person);
    for (const person of left) watch.members.clear(person);
    for (const people of [left, proven]) for (const person of people) watch.unproven.clear(person);
    for (const person of unproven) watch.unproven.set(person);
  },
};

function channelsOf(reach: number): ReadonlySet<ChannelId> {
  return new Set(channelIds.filter((_channel, index) => (reach & (1 << index)) !== 0));
}

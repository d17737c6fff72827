// Topics in memory, by key in the order of creation; and what topics see of a partition's memory.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { AppsOf, NewApp, Slice } from '../../area.ts';
import { WeighedMap } from '../../weight.ts';
import type { SendsNamed } from '../about-send.ts';
import type { TopicRecord } from './topic.ts';

export interface TopicsApp {
  readonly topics: WeighedMap<TopicRecord>;
}

/** Absent in checkpoints of earlier builds. */
type Snapshot = { readonly topics?: readonly TopicRecord[] };

export const topicsOfApp: Slice<TopicsApp, Snapshot, NewApp> = {
  make: () => ({ topics: topicsFrom([]) }),
  snapshot: ({ topics }) => ({ topics: [...topics.values()] }),
  restore: ({ topics = [] }) => ({ topics: topicsFrom(topics) }),
};

function topicsFrom(records: readonly TopicRecord[]): WeighedMap<TopicRecord> {
  const topics = new WeighedMap<TopicRecord>((record) => record);
  for (const record of records) topics.set(record.key, record);
  return topics;
}

/** Other areas' memory; they lie below. */
export type TopicsView = TopicsApp &
  SendsNamed & {
    /** The next new person's ordinal. */
    readonly people: { readonly next: PersonOrdinal };
    readonly campaigns: { usersOfTopic(key: string): readonly { readonly what: string }[] };
    readonly journeys: { userOfTopic(key: string): string | undefined };
    /** The columns of tags. */
    readonly traits: { readonly tags: ReadonlyMap<string, ChoiceCounts> };
  };

interface ChoiceCounts {
  forEachValue(visit: (value: string | number | boolean, people: number) => void): void;
}

export type TopicsMemory = AppsOf<TopicsView>;

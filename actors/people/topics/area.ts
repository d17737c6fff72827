// Topics, and people's choices of them.

import type { Area, Editable } from '../../area.ts';
import type { Notes } from '../../audit-note.ts';
import { difference } from '../../difference.ts';
import type { RecallsBy } from '../../recall.ts';
import { topicsApplies } from './apply.ts';
import { choiceChanges } from './choice-changes.ts';
import { topicsDecisions } from './decide.ts';
import { type TopicsMemory, type TopicsView, topicsOfApp } from './memory.ts';
import type { TopicsEntry } from './protocol.ts';
import { type TopicRecord, topicEtag } from './topic.ts';
import { topicsUndone } from './undone.ts';

/** What the audit log notes of topics: they decide who gets a campaign. */
const topicsNotes: Notes<TopicsEntry, TopicsMemory> = {
  'topic.saved': ({ apps }, { owner, topic }) => {
    const { key: target } = topic;
    const before = apps.get(owner)?.topics.get(target);
    if (before === undefined) return { action: 'topic.created', target, after: authored(topic) };
    const changed = difference(authored(before), authored(topic));
    return changed && { action: 'topic.changed', target, ...changed };
  },
  'topic.deleted': ({ apps }, { owner, key: target }) => {
    const before = apps.get(owner)?.topics.get(target);
    const was = before === undefined ? {} : { before: authored(before) };
    return { action: 'topic.deleted', target, ...was };
  },
};

export const topicsArea = {
  name: 'topics',
  app: topicsOfApp,
  decide: () => topicsDecisions,
  apply: topicsApplies,
  silent: ['topic.saved', 'topic.deleted', 'choices.changed'],
  derive: choiceChanges,
  notes: topicsNotes,
  undone: topicsUndone,
  recalls: {
    // Another default concerns everybody without a choice.
    'topic.saved': ({ apps }, { owner, topic }) =>
      apps.get(owner)?.topics.get(topic.key)?.default === 'in' && topic.default === 'out'
        ? {}
        : undefined,
  } satisfies RecallsBy<TopicsEntry, TopicsMemory>,
  edits: {
    'topic.update': topicOf,
  },
  ends: {
    'topic.delete': topicOf,
  },
  stored: {
    sums: [['content', ({ topics }) => topics.bytes]],
    growth: {
      'topic.saved': ({ topics }, { topic }: Extract<TopicsEntry, { kind: 'topic.saved' }>) =>
        topics.growth(topic.key, topic),
    },
  },
  whenDiskIsFull: ['topic.read', 'topic.list', 'topic.delete'],
} as const satisfies Area<never, TopicsMemory, TopicsView, object>;

function authored({ name, description, default: otherwise, doubleOptIn }: TopicRecord) {
  return { name, description, default: otherwise, doubleOptIn };
}

/** What counts as a change of a topic for those who edit it: all that they set. */
function topicOf(
  { apps }: TopicsMemory,
  { topic }: { readonly topic: string },
  { owner }: { readonly owner: number },
): Editable | undefined {
  const record = apps.get(owner)?.topics.get(topic);
  return record && { key: `topic ${topic}`, etag: topicEtag(record), changedMs: record.updatedMs };
}

// A person's choices of topics. A choice is the tag `topic.<key>` of the person's record, so
// filters, Liquid and exports see it. Whoever writes such a tag makes a choice, by these rules.

import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import type { TagValue } from '../../../storage/tables/subscriber.ts';
import { nearName } from '../../near-name.ts';
import { choiceTag, topicOfTag } from './choice-tag.ts';
import type { TopicRecord } from './topic.ts';

export const topicChoices = ['in', 'out', 'pending'] as const;
/** `pending`: wanted, but not confirmed yet; nothing is sent. */
export type TopicChoice = (typeof topicChoices)[number];

export type Topics = ReadonlyMap<string, TopicRecord>;
type Tags = Readonly<Record<string, TagValue>>;
/** `null` removes a choice: the topic's default holds. */
type ChoicePatch = Readonly<Record<string, unknown>>;

/** The first wrong choice among tags or, with `field` `topics`, among choices by topic. */
export function choicesFault(
  patch: ChoicePatch,
  topics: Topics,
  field: 'tags' | 'topics',
): Fault | undefined {
  for (const name in patch) {
    const key = field === 'topics' ? name : topicOfTag(name);
    if (key === undefined) continue;
    const problem = choiceProblem(key, patch[name], topics);
    if (problem !== undefined) return fieldFault(`${field}.${name.slice(0, 134)}`, problem);
  }
  return undefined;
}

function choiceProblem(key: string, value: unknown, topics: Topics): string | undefined {
  // A choice of a topic that was deleted can still be removed.
  if (value === null) return undefined;
  if (!topics.has(key)) {
    const meant = nearName(key, [...topics.keys()]);
    const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
    return `the app has no topic "${key.slice(0, 64)}"${hint}`;
  }
  if (value === 'in' || value === 'out') return undefined;
  const why = value === 'pending' ? '; only the person can confirm a choice' : '';
  return `expected "in", "out", or null for the default of the topic${why}`;
}

/** Choices by topic as tags. */
export function tagsOfChoices<Value>(
  choices: Readonly<Record<string, Value>>,
): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(choices).map(([key, value]) => [choiceTag(key), value] as const),
  );
}

/**
 * A client's patch of tags: what it asks for in a topic with a double opt-in waits for the
 * person's confirmation, unless the person has confirmed it already.
 */
export function asClientChooses<Patch extends Readonly<Record<string, TagValue | null>>>(
  patch: Patch,
  now: Tags,
  topics: Topics,
): Patch {
  let changed: Record<string, TagValue | null> | undefined;
  for (const tag in patch) {
    const key = topicOfTag(tag);
    if (key === undefined || patch[tag] !== 'in' || now[tag] === 'in') continue;
    if (topics.get(key)?.doubleOptIn !== true) continue;
    changed ??= { ...patch };
    changed[tag] = 'pending';
  }
  return (changed ?? patch) as Patch;
}

/**
 * What holds for a person. A value that is no choice, from before the topic existed, is taken for
 * `out`: nobody knows what it was meant to say.
 */
function choiceOf({ key, default: otherwise }: TopicRecord, tags: Tags): TopicChoice {
  const tag = choiceTag(key);
  if (!Object.hasOwn(tags, tag)) return otherwise;
  const value = tags[tag];
  return value === 'in' || value === 'pending' ? value : 'out';
}

/** Every topic of the app by key, in the order of their creation. */
export function allChoices(topics: Topics, tags: Tags): Readonly<Record<string, TopicChoice>> {
  return Object.fromEntries([...topics.values()].map((one) => [one.key, choiceOf(one, tags)]));
}

const strength: Readonly<Record<string, number>> = { pending: 1, in: 2 };

/** One person's choice out of two people's: `out` wins over `in`, and `in` over `pending`. */
export function mergedChoice(one: TagValue, other: TagValue): TagValue {
  const of = (value: TagValue) => (typeof value === 'string' ? (strength[value] ?? 3) : 3);
  return of(other) > of(one) ? other : one;
}

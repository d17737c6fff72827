// What several sign-ups for one address ask for together, and what a confirmation may still set.
// Pure.

import { createHash } from 'node:crypto';
import type { OptInRow, OptInWish } from '../../../storage/tables/opt-in.ts';
import type { TagValue } from '../../../storage/tables/subscriber.ts';
import { limits } from '../../limits.ts';
import { topicOfTag } from '../../people/topics/choice-tag.ts';
import { type Topics, tagsOfChoices } from '../../people/topics/choices.ts';
import type { TopicsReads } from '../../people/topics/reads.ts';

type Tags = Readonly<Record<string, TagValue>>;

/** A sign-up's wish; `form` and `sentence` of the form that it came by. */
export function wishOf(
  { topics, tags, language }: Pick<OptInWish, 'topics' | 'tags' | 'language'>,
  form?: { readonly key: string; readonly sentence: string },
): OptInWish {
  return {
    topics: [...new Set(topics)],
    tags,
    forms: form === undefined ? [] : [form.key],
    sentences: form === undefined ? [] : [form.sentence],
    ...(language === undefined ? {} : { language }),
  };
}

/**
 * Both: a sign-up that gets no mail of its own is confirmed with the one before. Tags for which
 * there is no room are left out, because strangers can sign an address up all day.
 */
export function bothWishes(one: OptInWish, other: OptInWish): OptInWish {
  const both = (a: readonly string[], b: readonly string[]) =>
    [...new Set([...a, ...b])].slice(-limits.optInFormsKept);
  const language = other.language ?? one.language;
  const tags = { ...one.tags, ...other.tags };
  return {
    topics: [...new Set([...one.topics, ...other.topics])],
    tags: tagBytes(tags) > limits.optInTagBytesMax ? one.tags : tags,
    forms: both(one.forms, other.forms),
    sentences: both(one.sentences, other.sentences),
    ...(language === undefined ? {} : { language }),
  };
}

export function tagBytes(tags: Tags): number {
  return Buffer.byteLength(JSON.stringify(tags));
}

/** The tag of each topic and tag that is asked for. */
export function wantedTags({ topics, tags }: OptInWish): Tags {
  return { ...tags, ...tagsOfChoices(Object.fromEntries(topics.map((key) => [key, 'in']))) };
}

/** The values that wanted tags have now, `null` for none; those that are noted already stay. */
export function noted(
  wish: OptInWish,
  now: Tags,
  before: OptInRow['before'] = {},
): OptInRow['before'] {
  const values = Object.keys(wantedTags(wish)).map((tag) => [
    tag,
    Object.hasOwn(before, tag) ? before[tag] : Object.hasOwn(now, tag) ? now[tag] : null,
  ]);
  return Object.fromEntries(values);
}

/**
 * What a confirmation sets: not what somebody with an API key has changed since it was asked for.
 * A choice that waits for this confirmation is no such change, and a topic may be gone.
 */
export function tagsToSet(
  { wish, before }: Pick<OptInRow, 'wish' | 'before'>,
  now: Tags,
  topics: Topics,
): Tags {
  const isKept = ([tag]: readonly [string, TagValue]) => {
    const topic = topicOfTag(tag);
    if (topic !== undefined && !topics.has(topic)) return false;
    const value = Object.hasOwn(now, tag) ? now[tag] : null;
    const was = Object.hasOwn(before, tag) ? before[tag] : null;
    const isWaiting = topic !== undefined && value === 'pending';
    return isWaiting || JSON.stringify(value) === JSON.stringify(was);
  };
  const tags = Object.fromEntries(Object.entries(wantedTags(wish)).filter(isKept));
  const { language } = wish;
  // Only a page's language: it is no reason to change what the person has said.
  return language === undefined || Object.hasOwn(now, 'language') ? tags : { ...tags, language };
}

/** As the mail and the page show them. */
export function topicNames(keys: readonly string[], { topics }: TopicsReads): readonly string[] {
  return keys.flatMap((key) => topics.get(key)?.name ?? []);
}

/** Names a wish: what was on the page when somebody confirmed. */
export function markOf(wish: OptInWish): string {
  const { topics, tags, sentences } = wish;
  const text = JSON.stringify([topics, Object.entries(tags).sort(), sentences]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

// The tag of a person's record that holds their choice of a topic: `topic.` and the topic's key.

const choicePrefix = 'topic.';

export function choiceTag(key: string): string {
  return choicePrefix + key;
}

export function isChoiceTag(tag: string): boolean {
  return tag.startsWith(choicePrefix);
}

/** The topic's key; `undefined` for a tag that is no choice. */
export function topicOfTag(tag: string): string | undefined {
  return isChoiceTag(tag) ? tag.slice(choicePrefix.length) : undefined;
}

// The tags of a mail within a service's limits, so that a tag never refuses a mail. Pure. Every
// service takes ASCII letters, digits, `_` and `-`; some take nothing else.

import { mailMarkName } from '../email/mail-mark.ts';
import type { RelayMail } from '../email/relay-mail.ts';

interface TagLimits {
  readonly countMax: number;
  /** Of a value, and of a name unless that has a limit of its own. */
  readonly charsMax: number;
  readonly nameCharsMax?: number;
}

type NamedTag = readonly [name: string, value: string];

/** For services that keep names and values. Repeated names, and that of our mark, are left out. */
export function namedTags(
  tags: RelayMail['tags'],
  { countMax, charsMax, nameCharsMax = charsMax }: TagLimits,
): readonly NamedTag[] {
  const kept = new Map<string, string>();
  for (const [name, value] of Object.entries(tags)) {
    const safeName = tagText(name, nameCharsMax);
    const safeValue = tagText(value, charsMax);
    if (safeName === '' || safeValue === '' || safeName === mailMarkName) continue;
    if (kept.size < countMax && !kept.has(safeName)) kept.set(safeName, safeValue);
  }
  return [...kept];
}

/** Values alone, each once whatever its case, for services that keep words. */
export function plainTags(tags: RelayMail['tags'], limits: TagLimits): readonly string[] {
  const kept = new Map<string, string>();
  for (const value of Object.values(tags)) {
    const word = tagText(value, limits.charsMax);
    if (word !== '' && !kept.has(word.toLowerCase())) kept.set(word.toLowerCase(), word);
  }
  return [...kept.values()].slice(0, limits.countMax);
}

function tagText(text: string, charsMax: number): string {
  return text.replace(/[^\w-]+/g, '-').slice(0, charsMax);
}

// The words of the pages behind an email's links, in the language of the mail, else of the browser.
// An app replaces those that it may (`wording` in its settings).

import type { OwnWording } from '../../actors/channels/port/attempt.ts';
import { ownWord, unsubscribeLabel } from '../../actors/channels/port/wording.ts';
import { languageKey } from '../../actors/channels/words/language-tag.ts';
import { forLanguage } from '../../actors/channels/words/languages.ts';
import { pageWordTable } from './page-word-table.ts';

/** In the order of the table's rows. */
const names = [
  'confirmTitle',
  'confirmText',
  'confirmMarketingText',
  'everything',
  'doneTitle',
  'doneText',
  'doneMarketingText',
  'unknownTitle',
  'unknownText',
  'unknownLinkText',
  'laterTitle',
  'laterText',
  'tryAgain',
  'onlyTopic',
  'topicText',
  'allMarketing',
  'doneTopicText',
  'preferencesLinkText',
  'formGoneTitle',
  'formGoneText',
] as const;

type PageWord = (typeof names)[number];

/** Those that an app may replace: the rest are for links that name no app, or no reachable one. */
export const pageWordNames = names.slice(0, 7);

/** The words of one page, and their language for its `lang` and direction. */
export interface PageWords {
  readonly language: string;
  say(name: PageWord | 'unsubscribe'): string;
}

/** `tags` in order of preference, raw; the first that the table has counts. */
export function pageWords(
  tags: readonly (string | undefined)[],
  wording: OwnWording | null | undefined,
): PageWords {
  const known = tags.map(languageKey).filter((key) => key !== undefined);
  const language = known.find((key) => forLanguage(pageWordTable, key) !== undefined) ?? 'en';
  // A language of the app's own may be one that the table lacks.
  const own = wording ? (known.find((key) => forLanguage(wording, key)) ?? language) : language;
  const row = forLanguage(pageWordTable, language) as readonly string[];
  return {
    language,
    say: (name) =>
      name === 'unsubscribe'
        ? unsubscribeLabel({ language: own, wording: wording ?? undefined })
        : (ownWord(wording ?? undefined, name, own) ?? (row[names.indexOf(name)] as string)),
  };
}

/** The languages of an `Accept-Language` header, the preferred first. RFC 9110, 12.5.4. */
export function acceptedLanguages(header: string | undefined): readonly string[] {
  if (header === undefined) return [];
  const parts = header.slice(0, 256).split(',', 16);
  const weighed = parts.map((part) => {
    const [tag = '', ...parameters] = part.split(';').map((one) => one.trim());
    const q = parameters.find((one) => one.startsWith('q='));
    return { tag, weight: q === undefined ? 1 : Number(q.slice(2)) };
  });
  return weighed
    .filter(({ tag, weight }) => tag !== '*' && weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}

export function isRightToLeft(language: string): boolean {
  return /^(ar|fa|he)(-|$)/.test(language);
}

// The words of sign-ups, in the mail and on the page behind its link, in the language of the
// sign-up; English where the table has none.

import { languageKey } from '../../channels/words/language-tag.ts';
import { chosenLanguage } from '../../channels/words/languages.ts';
import { optInWordTable } from './word-table.ts';

/** In the order of the table's rows. `{app}` and `{address}` are filled in. */
const names = [
  'subject',
  'text',
  'button',
  'ignore',
  'ask',
  'done',
  'doneText',
  'already',
  'over',
  'overText',
] as const;

type OptInWord = (typeof names)[number];
type OptInWords = Readonly<Record<OptInWord, string>>;

/** In the first of the languages that the table has; raw tags, the preferred first. */
export function optInWords(...languages: readonly (string | undefined)[]): OptInWords {
  return wordsIn(optInLanguage(languages));
}

/** The table's key. */
export function optInLanguage(languages: readonly (string | undefined)[]): string {
  for (const tag of languages) {
    const key = chosenLanguage(optInWordTable, languageKey(tag));
    if (key !== undefined) return key;
  }
  return 'en';
}

function wordsIn(language: string): OptInWords {
  const row = optInWordTable[language] ?? [];
  return Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])) as OptInWords;
}

// The words of the preference centre and of sign-up forms, in the language of the message or the
// browser; English where the table has none.

import { languageKey } from '../../actors/channels/words/language-tag.ts';
import { chosenLanguage } from '../../actors/channels/words/languages.ts';
import { hostedWordTable } from './hosted-word-table.ts';

/** In the order of the table's rows. `{app}` and `{address}` are filled in. */
const names = [
  'preferences',
  'channels',
  'topics',
  'language',
  'save',
  'nothing',
  'saved',
  'waits',
  'out',
  'signUp',
  'email',
  'required',
  'badEmail',
  'agree',
  'tooLong',
  'checkMail',
  'checkText',
  'emailChannel',
  'pushChannel',
  'callChannel',
] as const;

export type HostedWord = (typeof names)[number];

export interface HostedWords {
  /** The table's key. */
  readonly language: string;
  say(name: HostedWord): string;
}

/** In the first of the languages that the table has; raw tags, the preferred first. */
export function hostedWords(languages: readonly (string | undefined)[]): HostedWords {
  const keys = languages.map((tag) => chosenLanguage(hostedWordTable, languageKey(tag)));
  const language = keys.find((key) => key !== undefined) ?? 'en';
  const row = hostedWordTable[language] ?? [];
  return { language, say: (name) => row[names.indexOf(name)] ?? '' };
}

/** The languages that a person may choose, each in its own name. */
export function languageChoices(): readonly { readonly tag: string; readonly name: string }[] {
  return Object.keys(hostedWordTable).map((key) => {
    const tag = Intl.getCanonicalLocales(key)[0] ?? key;
    return { tag, name: new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag };
  });
}

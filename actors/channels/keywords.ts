// Whether a message is STOP, START or HELP: by the table of all languages, then by the app's own
// words. Pure. Only a whole message counts: "Please stop by" is no opt-out, "STOP." is.

import { type Keyword, keywordTable } from './keyword-table.ts';

export type { Keyword };

/** Longer than any keyword with the marks around it; of the app's own words too. */
export const keywordCharsMax = 40;

/** What a person wrote: a keyword, or short texts that may be words of the app's own. */
export interface Said {
  readonly keyword: Keyword | undefined;
  readonly said?: readonly string[];
}

/** The table's words with and without accents, and those that count only with them. */
const meaning = new Map<string, Keyword>();
for (const row of keywordTable) {
  for (const keyword of ['stop', 'start', 'help'] as const)
    for (const word of row[keyword] ?? []) meaning.set(withoutAccents(bare(word)), keyword);
  for (const word of row.accented ?? []) meaning.set(bare(word), 'stop');
}

/** The table's meaning of a whole message. */
export function keywordIn(text: string): Keyword | undefined {
  if (text.length > keywordCharsMax) return undefined;
  const word = bare(text);
  return meaning.get(word) ?? meaning.get(withoutAccents(word));
}

/** The first keyword among the texts of one message: its body, or a button's label and payload. */
export function saidIn(...texts: readonly string[]): Said {
  for (const text of texts) {
    const keyword = keywordIn(text);
    if (keyword !== undefined) return { keyword };
  }
  const said = texts.filter(({ length }) => length > 0 && length <= keywordCharsMax);
  return said.length === 0 ? { keyword: undefined } : { keyword: undefined, said };
}

/** The meaning that the app gave to one of the texts. */
export function ownKeyword(
  own: Readonly<Partial<Record<'stop' | 'start', readonly string[]>>> | null | undefined,
  said: readonly string[] = [],
): 'stop' | 'start' | undefined {
  if (own == null || said.length === 0) return undefined;
  const words = new Set(said.map(keywordForm));
  for (const keyword of ['stop', 'start'] as const)
    if (own[keyword]?.some((word) => words.has(keywordForm(word)))) return keyword;
  return undefined;
}

/** What an app's own words are compared by; empty for a text of marks alone. */
export function keywordForm(text: string): string {
  return withoutAccents(bare(text));
}

/** Lower case, single blanks, without invisible characters and the marks around a word. */
function bare(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Cf}+/gu, '')
    .replace(/\s+/gu, ' ')
    .replace(/^[\s"'“”‘’«»「『【（(]+|[\s\p{P}]+$/gu, '')
    .normalize('NFC');
}

/**
 * Without the accents that many phones omit: Latin, Greek, Cyrillic and Arabic. Other scripts'
 * marks are vowels, and a word without them is another word.
 */
function withoutAccents(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u064b-\u065f\u0670\u0640]+/gu, '')
    .replaceAll('đ', 'd');
}

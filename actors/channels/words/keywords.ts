// Whether a message is STOP, START or HELP: by the table of all languages, then by the app's own
// words. Pure. Only a whole message counts, without emoji, marks and courtesy: "Please stop by" is
// no opt-out, "Stop. Thank you 🙏" is. Words against promotions end marketing alone.

import { limits } from '../../limits.ts';
import { courtesy } from './courtesy.ts';
import { type Keyword, keywordTable } from './keyword-table.ts';
import { isUnspaced, marketingLabels } from './marketing-labels.ts';
import { keywordForm, plainWords, withoutAccents } from './plain-words.ts';

export type { Keyword };

/** Longer than any of the app's own words. */
export const keywordCharsMax = 40;

/** Longer than any keyword with courtesy around it. */
const politeCharsMax = 80;

/** What a person wrote: a keyword, or short texts that may be words of the app's own. */
export interface Said {
  readonly keyword: Keyword | undefined;
  /** A STOP that is about marketing alone. */
  readonly about?: 'marketing';
  readonly said?: readonly string[];
  /** What was written, where it is no keyword, up to `limits.doubtfulCharsMax`. */
  readonly text?: string;
}

/** The table's words with and without accents, and those that count only with them. */
const meaning = new Map<string, Keyword>();
for (const row of keywordTable) {
  for (const keyword of ['stop', 'start', 'help'] as const)
    for (const word of row[keyword] ?? []) meaning.set(keywordForm(word), keyword);
  for (const word of row.accented ?? []) meaning.set(plainWords(word), 'stop');
}

/** Made at the first text, since there are thousands. */
let labels: ReadonlySet<string> | undefined;

const polite = new Set(courtesy.flatMap((one) => [plainWords(one), keywordForm(one)]));
/** Of scripts without blanks, the longest first. */
const politeEnds = [...polite].filter(isUnspaced).sort((a, b) => b.length - a.length);
const politeWordsMax = Math.max(...[...polite].map((one) => one.split(' ').length));

/** The table's meaning of a whole message. */
export function keywordIn(text: string): Keyword | undefined {
  return meaningOf(text)?.keyword;
}

/** The first keyword among the texts of one message: its body, or a button's label and payload. */
export function saidIn(...texts: readonly string[]): Said {
  for (const text of texts) {
    const found = meaningOf(text);
    if (found !== undefined) return found;
  }
  const said = texts.filter(({ length }) => length > 0 && length <= keywordCharsMax);
  const short = said.length === 0 ? {} : { said };
  const text = texts.find(({ length }) => length > 0)?.slice(0, limits.doubtfulCharsMax);
  return { keyword: undefined, ...short, ...(text === undefined ? {} : { text }) };
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

function meaningOf(text: string): Said | undefined {
  if (text.length > politeCharsMax) return undefined;
  const whole = plainWords(text);
  const keyword = lookUp(whole);
  if (keyword !== undefined) return { keyword };
  // Only a STOP: "yes please" answers a question, and must lift no opt-out.
  for (const core of cores(whole)) {
    if (lookUp(core) === 'stop') return { keyword: 'stop' };
    if (isAgainstMarketing(core)) return { keyword: 'stop', about: 'marketing' };
  }
  return undefined;
}

function isAgainstMarketing(words: string): boolean {
  labels ??= new Set([...marketingLabels()].map(keywordForm));
  return labels.has(withoutAccents(words));
}

function lookUp(word: string): Keyword | undefined {
  return meaning.get(word) ?? meaning.get(withoutAccents(word));
}

/** What is left as courtesy goes, piece by piece, and words that are only repeated. */
function* cores(text: string): Generator<string> {
  let rest = text;
  for (let next: string | undefined = rest; next !== undefined; next = withoutPiece(rest)) {
    rest = next;
    yield rest;
    const words = new Set(rest.split(' '));
    if (words.size === 1) yield [...words].join('');
  }
}

function withoutPiece(text: string): string | undefined {
  const words = text.split(' ');
  for (let n = Math.min(politeWordsMax, words.length - 1); n > 0; n--) {
    if (isPolite(words.slice(0, n).join(' '))) return words.slice(n).join(' ');
    if (isPolite(words.slice(-n).join(' '))) return words.slice(0, -n).join(' ');
  }
  if (!isUnspaced(text)) return undefined;
  for (const piece of politeEnds) {
    if (text.startsWith(piece)) return text.slice(piece.length).trim() || undefined;
    if (text.endsWith(piece)) return text.slice(0, -piece.length).trim() || undefined;
  }
  return undefined;
}

function isPolite(words: string): boolean {
  return polite.has(words) || polite.has(withoutAccents(words));
}

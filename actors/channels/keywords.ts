// The words for opt-out, opt-in and help, in the languages that carriers honour. Pure. Only a whole
// message counts: "Please stop by" is no opt-out, "STOP." is. Sources: the keyword lists of large
// carriers' platforms and of Google's business messages.

export type Keyword = 'stop' | 'start' | 'help';

/** By language; without accents, which many phones omit. */
const words: Readonly<Record<Keyword, Readonly<Record<string, readonly string[]>>>> = {
  stop: {
    en: [
      'stop',
      'stopall',
      'stop all',
      'unsubscribe',
      'end',
      'quit',
      'cancel',
      'revoke',
      'optout',
      'opt-out',
      'opt out',
      'remove',
    ],
    es: ['baja'],
    fr: ['arret', 'td'],
    pt: ['parar'],
  },
  start: {
    en: ['start', 'unstop', 'yes'],
    es: ['alta'],
    fr: ['demarrer'],
    pt: ['comecar'],
  },
  help: {
    en: ['help', 'info'],
  },
};

/** Longer than any keyword with the marks around it. */
const charsMax = 40;

const meaning = new Map<string, Keyword>(
  (['stop', 'start', 'help'] as const).flatMap((keyword) =>
    Object.values(words[keyword])
      .flat()
      .map((word) => [word, keyword] as const),
  ),
);

export function keywordIn(text: string): Keyword | undefined {
  if (text.length > charsMax) return undefined;
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .replace(/^[\s"'“”‘’«»]+|[\s\p{P}]+$/gu, '');
  return meaning.get(plain);
}

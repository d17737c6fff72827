import fc from 'fast-check';
import t from 'tap';
import { keywordIn } from '../../../actors/channels/keywords.ts';

const words = {
  stop: [
    ...['stop', 'stopall', 'stop all', 'unsubscribe', 'end', 'quit', 'cancel', 'revoke', 'optout'],
    ...['opt-out', 'opt out', 'remove', 'baja', 'arret', 'td', 'parar'],
  ],
  start: ['start', 'unstop', 'yes', 'alta', 'demarrer', 'comecar'],
  help: ['help', 'info'],
};
const keywords = Object.entries(words).flatMap(([keyword, list]) =>
  list.map((word) => [keyword, word] as const),
);

t.test(
  'a word of the lists counts in any case, with spaces around it and marks behind it',
  async (t) => {
    const around = fc.constantFrom('', ' ', '  ', '\n', '\t');
    const behind = fc.constantFrom('', '.', '!', '!!', '…', ' .', '?', '。');
    const cased = (word: string) =>
      fc.constantFrom(word, word.toUpperCase(), (word[0] ?? '').toUpperCase() + word.slice(1));
    for (const [keyword, word] of keywords)
      fc.assert(
        fc.property(cased(word), around, behind, around, (text, before, mark, after) => {
          t.equal(keywordIn(before + text + mark + after), keyword, word);
        }),
        { numRuns: 40 },
      );
  },
);

t.test('accents may be written or left out', async (t) => {
  const cases = [
    ['ARRÊT', 'stop'],
    ['arret', 'stop'],
    ['COMEÇAR', 'start'],
    ['comec\u0327ar', 'start'],
    ['Démarrer!', 'start'],
    ['ＳＴＯＰ', 'stop'],
    ['“Stop”', 'stop'],
    ['stop  all', 'stop'],
    ['opt-out', 'stop'],
  ] as const;
  for (const [text, keyword] of cases) t.equal(keywordIn(text), keyword, text);
});

t.test('a message that only holds a keyword is none', async (t) => {
  const texts = [
    'stop please',
    'please stop',
    'do not stop',
    'stopped',
    'yes please',
    'the end',
    'endless',
    '',
    '.',
    `stop${' '.repeat(100)}`,
    'S T O P',
  ];
  for (const text of texts) t.equal(keywordIn(text), undefined, text);
});

t.test('any text at all is judged', async (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      t.ok([undefined, 'stop', 'start', 'help'].includes(keywordIn(text)));
    }),
  );
});

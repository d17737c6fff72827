// A name as its search compares it: words in lower case without accents, apart by single blanks, so
// that "nguyen" finds "Nguyễn" and "soren" finds "Søren".

import { keywordForm } from '../../channels/words/plain-words.ts';

const plainAscii = /^[\x20-\x7e]*$/;
const notWord = /[^a-z0-9]+/g;

/**
 * Letters that no normal form takes apart, and those that people type for each other: the two
 * sigmas of Greek (a word in capitals that is not typed to its end gets the final one), and in
 * Arabic yeh, heh and kaf with what stands for them in other countries and at the end of words.
 */
const letters: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ð: 'd',
  ħ: 'h',
  '\u03c2': '\u03c3',
  '\u0649': '\u064a',
  '\u06cc': '\u064a',
  '\u0629': '\u0647',
  '\u06c1': '\u0647',
  '\u06a9': '\u0643',
};
/** Also Hebrew's points, and the apostrophes that are letters, as in Hawai\u02bbi. */
const anyLetter = new RegExp(
  `[${Object.keys(letters).join('')}\\u0591-\\u05c7\\u02b9-\\u02bf]`,
  'g',
);

/** What is typed, and each part of what is stored. */
export function foldedName(text: string): string {
  if (plainAscii.test(text)) return text.toLowerCase().replace(notWord, ' ').trim();
  return keywordForm(text).replace(anyLetter, (letter) => letters[letter] ?? '');
}

/** A stored name as a search looks through it: "O'Brien" also as one word. */
export function searchedName(text: string): string {
  const folded = foldedName(text);
  if (!innerMark.test(text)) return folded;
  const joined = foldedName(text.replace(innerMarks, '').replace(innerBlanks, ''));
  return joined === folded ? folded : `${folded} ${joined}`;
}

/** Scripts that write names without blanks: there a word may begin anywhere. */
const scripts = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const unspacedLetter = `[${scripts.map((script) => `\\p{sc=${script}}`).join('')}]`;
const unspaced = new RegExp(unspacedLetter, 'u');

const marks = "['’‘`\u00b4.\u2010\u2011-]";
const innerMark = new RegExp(`${marks}|${unspacedLetter}\\s`, 'u');
const innerMarks = new RegExp(`(?<=[\\p{L}\\p{M}])${marks}(?=\\p{L})`, 'gu');
const innerBlanks = new RegExp(`(?<=${unspacedLetter}\\p{M}*)\\s+(?=${unspacedLetter})`, 'gu');

/** What a stored name contains if one of its words begins so, as `FoldedNames` writes names. */
export function neededFor(word: string): string {
  return unspaced.test(word) ? word : ` ${word}`;
}

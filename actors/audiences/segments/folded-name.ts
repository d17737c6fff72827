// A name as its search compares it: words in lower case without accents, apart by single blanks, so
// that "nguyen" finds "Nguyễn" and "soren" finds "Søren".

import { keywordForm } from '../../channels/plain-words.ts';

const plainAscii = /^[\x20-\x7e]*$/;
const notWord = /[^a-z0-9]+/g;

/** Letters that no normal form takes apart. */
const letters: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ð: 'd',
  ħ: 'h',
};
const anyLetter = new RegExp(`[${Object.keys(letters).join('')}]`, 'g');

export function foldedName(text: string): string {
  if (plainAscii.test(text)) return text.toLowerCase().replace(notWord, ' ').trim();
  return keywordForm(text).replace(anyLetter, (letter) => letters[letter] ?? letter);
}

/** Scripts that write words without blanks: there a word may begin anywhere. */
const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** What a stored name contains if one of its words begins so, as `FoldedNames` writes names. */
export function neededFor(word: string): string {
  return unspaced.test(word) ? word : ` ${word}`;
}

// A text as words to compare: lower case, single blanks, no emoji, marks and invisible characters.

/** Empty for marks alone; emoji alone stay, since an app may have one as its word. */
export function plainWords(text: string): string {
  const lower = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Cf}|\p{VS}|\u20e3/gu, '');
  const words = lower.replace(/[\s\p{P}\p{S}]+/gu, ' ').trim();
  return (words || lower.replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, '')).normalize('NFC');
}

/**
 * Without the accents that many phones omit: Latin, Greek, Cyrillic and Arabic. Other scripts'
 * marks are vowels, and a word without them is another word.
 */
export function withoutAccents(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u064b-\u065f\u0670\u0640]+/gu, '')
    .replaceAll('đ', 'd')
    .replaceAll('ı', 'i');
}

/** What words are compared by. */
export function keywordForm(text: string): string {
  return withoutAccents(plainWords(text));
}

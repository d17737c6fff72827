// The words by which the reference's search finds an operation: every word of its description once,
// so that they add little to the page. The script matches parts of words, in any order.

import type { Html } from './html.ts';

/** Lower-case distinct words of texts and of HTML, with single blanks between them. */
export function searchWords(text: string, html: Html): string {
  const shown = html.replace(/<\/?(?:code|b|i|wbr)\b[^>]*>/g, '').replace(/<[^>]*>|&#\d+;/g, ' ');
  const words = `${text} ${shown}`.toLowerCase().match(/[^\s,;()"'“”]+/g) ?? [];
  return [...new Set(words.map((word) => word.replace(/[.:]+$/, '')))].join(' ').trim();
}

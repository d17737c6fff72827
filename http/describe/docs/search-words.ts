// The words by which the reference's search finds an operation: each once, to add little to the
// page. The script matches parts of words, in any order.

import type { Html } from './html.ts';

/** Distinct lower-case words of texts and HTML, separated by single blanks. */
export function searchWords(text: string, html: Html): string {
  const shown = html.replace(/<\/?(?:code|b|i|wbr)\b[^>]*>/g, '').replace(/<[^>]*>|&#\d+;/g, ' ');
  const words = `${text} ${shown}`.toLowerCase().match(/[^\s,;()"'“”]+/g) ?? [];
  return [...new Set(words.map((word) => word.replace(/[.:]+$/, '')))].join(' ').trim();
}

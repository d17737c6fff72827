// Detects HTML, and converts text to HTML: email needs HTML, all other channels text
// (`channels/html-text.ts`).

import { escapeHtml } from './plain-filters.ts';

/** Whether a source has a tag, a comment or a doctype. "a < b" and "I <3 you" are text. */
export function isHtml(source: string): boolean {
  return /<(?:\/?[a-z][a-z0-9-]*(?:[\s/][^<>]*)?>|!--|!doctype\b)/i.test(source);
}

/** Escapes text and keeps its line breaks. */
export function textToHtml(text: string): string {
  return escapeHtml(text).replace(/\r\n|\r|\n/g, '<br>\n');
}

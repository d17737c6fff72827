// Whether a source is HTML, and text as HTML. A body is written once and goes to every channel:
// email wants HTML, all others want text (`channels/html-text.ts`).

import { escapeHtml } from './plain-filters.ts';

/**
 * Whether a source is HTML: it holds a tag, a comment or a doctype. "a < b" and "I <3 you" are
 * text.
 */
export function isHtml(source: string): boolean {
  return /<(?:\/?[a-z][a-z0-9-]*(?:[\s/][^<>]*)?>|!--|!doctype\b)/i.test(source);
}

/** Text as HTML: escaped, with its line breaks. */
export function textToHtml(text: string): string {
  return escapeHtml(text).replace(/\r\n|\r|\n/g, '<br>\n');
}

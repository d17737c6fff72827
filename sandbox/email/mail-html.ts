// A mail's HTML as a mail program treats it: the text beside the subject in its list, and the
// colors that it is made for.

import { decodeHTMLStrict } from 'entities/decode';
import { textOf } from '../json.ts';

const previewCharactersMax = 110;

/** The first words of the body, hidden ones too: a preheader is hidden text. */
export function preheaderOf(html: string): string | undefined {
  const text = html
    .replace(/<!--[\s\S]*?-->|<(head|style|script|title)\b[\s\S]*?<\/\1\s*>/gi, ' ')
    .replace(/<[^>]*>/g, ' ');
  const words = decodeHTMLStrict(text)
    // Padding that senders put behind a preheader: joiners, soft hyphens, figure spaces.
    .replace(/\u00ad|\u034f|[\u2007\u200b-\u200f\u2060\ufeff]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (words.length <= previewCharactersMax) return textOf(words);
  const cut = words.slice(0, previewCharactersMax);
  return `${cut.slice(0, cut.lastIndexOf(' ') + 1 || cut.length).trim()}…`;
}

const knowsDark =
  /color-scheme\s*:[^;"'}]*dark|color-scheme["']?\s+content\s*=\s*["']?[^"'>]*dark/i;

/** Whether the mail may follow a dark reader: it says so, or it sets no color at all. */
export function colorsOf(html: string): 'light' | 'light dark' {
  if (knowsDark.test(html)) return 'light dark';
  return /bgcolor|\bcolor\s*[=:]|background/i.test(html) ? 'light' : 'light dark';
}

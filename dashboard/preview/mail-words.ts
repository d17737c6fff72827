// What a mail program reads of a mail's HTML beside drawing it: the words of its list, and whether
// the mail follows a dark screen. Pure.

import { unescaped } from './entities.ts';

const wordsMax = 110;

/** What a list of mails shows behind the subject: the first words, hidden ones too. */
export function firstWords(html: string): string | undefined {
  const words = unescaped(
    html
      .replace(/<!--[\s\S]*?-->|<(head|style|script|title)\b[\s\S]*?<\/\1\s*>/gi, ' ')
      .replace(/<[^>]*>/g, ' '),
  )
    // Padding that senders put behind a preheader: joiners, soft hyphens, figure spaces.
    .replace(/\u00ad|\u034f|[\u2007\u200b-\u200f\u2060\ufeff]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (words === '') return undefined;
  if (words.length <= wordsMax) return words;
  const cut = words.slice(0, wordsMax);
  return `${cut.slice(0, cut.lastIndexOf(' ') + 1 || cut.length).trim()}…`;
}

const knowsDark =
  /color-scheme\s*:[^;"'}]*dark|color-scheme["']?\s+content\s*=\s*["']?[^"'>]*dark/i;

/** `light dark` for a mail that says so, or that sets no color at all. */
export function mailColors(html: string): 'light' | 'light dark' {
  if (knowsDark.test(html)) return 'light dark';
  return /bgcolor|\bcolor\s*[=:]|background/i.test(html) ? 'light' : 'light dark';
}

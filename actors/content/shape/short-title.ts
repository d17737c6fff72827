// What a list shows of a message: its title, else the first words of its text.

import type { RenderedContent } from '../../channels/port/attempt.ts';

const charactersMax = 80;
/** Of the text that is looked at: a mail may have a quarter of a million characters. */
const readMax = 4 * charactersMax;

/** On one line; `undefined` for content without words of ours, such as a provider's template. */
export function shortTitle({
  title,
  body,
  liveActivity,
}: Pick<RenderedContent, 'title' | 'body' | 'liveActivity'>): string | undefined {
  const told = title ?? liveActivity?.alert?.title;
  if (told !== undefined) return told;
  const start = body.slice(0, readMax).replace(/[\ud800-\udbff]$/, '');
  const letters = [...start.replace(/\s+/g, ' ').trim()];
  if (letters.length === 0) return undefined;
  const isWhole = body.length <= readMax && letters.length <= charactersMax;
  return isWhole ? letters.join('') : cutAtWord(letters.slice(0, charactersMax - 1).join(''));
}

function cutAtWord(start: string): string {
  const end = start.lastIndexOf(' ');
  return `${end > charactersMax / 2 ? start.slice(0, end) : start}…`;
}

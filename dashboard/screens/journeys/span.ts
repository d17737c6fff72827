// A length of time from a start, short: "+1 d 2 h".

import { words } from './words.ts';

const parts = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const;

/** The two largest parts; the start itself has a word. */
export function laterText(ms: number): string {
  let left = Math.round(ms / 60_000) * 60_000;
  if (!(left > 0)) return words.try.start;
  const shown: string[] = [];
  for (const [unit, unitMs] of parts) {
    const n = Math.floor(left / unitMs);
    left -= n * unitMs;
    if (n > 0) shown.push(`${n} ${unit}`);
  }
  return words.try.later(shown.slice(0, 2).join(' '));
}

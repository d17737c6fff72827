// The name of a duplicate.

import { limits } from './limits.ts';

/** Cut where it would be too long. */
export function copiedName(name: string): string {
  let text = '';
  for (const character of `Copy of ${name}`) {
    if (text.length + character.length > limits.nameCharsMax) break;
    text += character;
  }
  return text;
}

/** A text of any length and lines as part of a name; empty without one. */
export function asOneLine(text: string | undefined): string {
  return (text ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

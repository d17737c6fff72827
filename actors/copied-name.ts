// The name of a duplicate.

import { limits } from './limits.ts';

/** Cut where it would be too long; an unnamed thing is called by its id. */
export function copiedName(name: string): string {
  let text = '';
  for (const character of `Copy of ${name}`) {
    if (text.length + character.length > limits.nameCharsMax) break;
    text += character;
  }
  return text;
}

// Why a message was not sent, in words. A reason without words of its own is shown by its code.

import { words } from './words.ts';

const known: Readonly<Record<string, string>> = words.reasons;

export function reasonText(code: string): string {
  return known[code] ?? code.replaceAll('_', ' ');
}

// A reason as a heading: its sentence, or a provider's code as words.

import { reasonText } from '../../words/send-reasons.ts';

export function reasonSentence(code: string): string {
  const text = reasonText(code);
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

// The sentences of all reasons, as TypeScript source: those that the server's stories tell.

import { reasonSentences } from '../../actors/insight/timeline/reason-sentences.ts';

export function reasonTable(): string {
  const bySentence = new Map<string, string[]>();
  for (const [reason, sentence] of reasonSentences) {
    const [channel, ownReason] = reason.split(':');
    // A channel has an entry of its own only where it means something else.
    if (ownReason !== undefined && reasonSentences.get(ownReason) === sentence) continue;
    const reasons = bySentence.get(sentence) ?? [];
    bySentence.set(sentence, reasons);
    reasons.push(ownReason === undefined ? (channel ?? '') : reason);
  }
  const rows = [...bySentence].map(
    ([sentence, reasons]) =>
      `  [${JSON.stringify(sentence)}, ${JSON.stringify(reasons.join(' '))}],`,
  );
  return [
    '// Made by `npm run generate` from the sentences of stories. Do not edit.',
    '',
    '/** Each sentence with its reasons, or `channel:reason` where a channel means something else. */',
    'export const reasonRows: readonly (readonly [sentence: string, reasons: string])[] = [',
    ...rows,
    '];',
    '',
  ].join('\n');
}

// Finds the dead letter of a failure by its instant: a letter's id begins with the instant of the
// receipt, so sends need no pointer to letters.

import type { DocumentReader } from '../../../engine/actor/message.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { formatId } from '../../../engine/base/id.ts';
import { type DeadLetterRow, deadLetters } from '../../../storage/tables/send.ts';

/** Letters of one instant that a look-up reads; of a bigger burst some are not found. */
const lettersMax = 4_096;

export function letterAt(
  documents: Pick<DocumentReader, 'range'>,
  owner: Ordinal,
  sendId: string,
  { deviceId, atMs }: { readonly deviceId: string; readonly atMs: Millis },
): DeadLetterRow | undefined {
  const from = (ms: Millis) => [formatId('dl', { ordinal: owner, atMs: ms, high16: 0, low32: 0 })];
  const range = {
    from: from(atMs),
    to: from(atMs + 1),
    limit: lettersMax,
    damaged: () => {}, // perhaps another send's
  };
  const rows = documents.range(deadLetters, range);
  return rows.find(({ value }) => value.sendId === sendId && value.deviceId === deviceId)?.value;
}

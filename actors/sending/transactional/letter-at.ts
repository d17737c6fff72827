// Finds the dead letter of a failure by what its send's row knows: an id begins with the instant it
// was made, which is that of the receipt. So nothing points from sends to letters.

import type { DocumentReader } from '../../../engine/actor/message.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { formatId } from '../../../engine/base/id.ts';
import { type DeadLetterRow, deadLetters } from '../../../storage/tables/send.ts';

/** Letters of one instant that a look-up passes; of a greater burst some are not found. */
const lettersMax = 4_096;

/** The letter of a send to a device that failed at this instant. */
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
    damaged: () => {}, // another's, perhaps; it is found where letters are listed
  };
  const rows = documents.range(deadLetters, range);
  return rows.find(({ value }) => value.sendId === sendId && value.deviceId === deviceId)?.value;
}

// The full result of a recipient: an answer names a queued send by its place in the run.

import type { Words4 } from '../../../engine/base/words.ts';
import { idInRun } from '../outbox/send-chunk.ts';
import { partsOfRef } from '../outbox/send-key.ts';
import type { RecipientResult } from './protocol.ts';

export function resultInFull(result: RecipientResult | number, run: Words4): RecipientResult {
  if (typeof result !== 'number') return result;
  return { outcome: 'queued', id: idInRun(partsOfRef(run), result) };
}

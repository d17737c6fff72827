// The full result of a recipient: an answer names a queued send by its place in the run.

import type { Words4 } from '../../../engine/base/words.ts';
import type { RecipientResult } from './protocol.ts';
import { idInRun } from './send-chunk.ts';
import { partsOfRef } from './send-key.ts';

export function resultInFull(result: RecipientResult | number, run: Words4): RecipientResult {
  if (typeof result !== 'number') return result;
  return { outcome: 'queued', id: idInRun(partsOfRef(run), result) };
}

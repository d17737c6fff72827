// Reads the record of a send that may be damaged or of a newer release.

import type { DocumentReader } from '../../../engine/actor/message.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { DamagedRecord, orDamaged } from '../../../storage/codec.ts';
import type { SendRow } from '../../../storage/tables/send.ts';
import { sendRow } from './send-chunk.ts';

/** Treats a damaged record as absent. */
export function readableSend(
  documents: DocumentReader,
  owner: Ordinal,
  id: string,
): SendRow | undefined {
  const row = orDamaged(() => sendRow(documents, owner, id));
  return row instanceof DamagedRecord ? undefined : row;
}

// Notes that a send was accepted with files, so that retention keeps them as long as it.

import type { Context, Decision } from '../../../engine/actor/message.ts';
import { refused } from '../../../engine/actor/message.ts';
import type { MailParts } from '../../channels/port/attempt.ts';
import { hasFile, usedFile } from '../../content/files/keep.ts';
import { fault } from '../../faults.ts';

/** The decision with the files of the mail as used now, or a refusal if one is gone. */
export function withFiles<Reply>(
  decision: Decision<Reply>,
  mail: MailParts | undefined,
  context: Context,
): Decision<Reply> {
  const hashes = new Set((mail?.attachments ?? []).map(({ hash }) => hash));
  if (decision.outcome === 'refused' || hashes.size === 0) return decision;
  if (decision.entries === undefined) return decision; // nobody was queued
  // Kept right before; only a restore in between loses one.
  for (const hash of hashes)
    if (!hasFile(hash, context))
      return refused(fault('not_started', 'the files are not stored any more; send it again'));
  const used = [...hashes].flatMap((hash) => usedFile(hash, context));
  return { ...decision, documents: [...(decision.documents ?? []), ...used] };
}

// Ends a person's open sends at erasure.

import type { Context, DocumentWrite } from '../../../engine/actor/message.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { parseId } from '../../../engine/base/id.ts';
import { type SendOutcomeRow, sends } from '../../../storage/tables/send.ts';
import { sendChunks } from '../../../storage/tables/send-chunk.ts';
import { readableRow } from '../../readable-row.ts';
import { erasedSend } from './erased.ts';
import { readableSend } from './readable-send.ts';
import type { SendsView } from './reads.ts';
import { chunkKeyOf, withoutContentOf } from './send-chunk.ts';
import { sendKey } from './send-key.ts';

/** The sends' rows: `suppressed` with `erased`, and without content. */
export function endedSends(
  app: SendsView,
  person: PersonOrdinal,
  { owner, nowMs, documents }: Context,
): DocumentWrite[] {
  const writes: DocumentWrite[] = [];
  for (const job of app.outbox.of(person)) {
    const key = sendKey(owner, job.sendId) ?? [];
    const row = readableSend(documents, owner, job.sendId);
    if (row === undefined) continue; // swept by retention, or damaged
    const ended = job.targets
      .filter(({ state }) => state !== 'done')
      .map(
        ({ deviceId, channel, attempts }): SendOutcomeRow => ({
          deviceId,
          channel,
          status: 'suppressed',
          reason: 'erased',
          atMs: nowMs,
          attempts,
        }),
      );
    const value = erasedSend({ ...row, outcomes: [...row.outcomes, ...ended] });
    writes.push({ table: sends, key, value });
  }
  return [...writes, ...chunksWithout(app, person, { owner, documents })];
}

/** The chunks of a person's open sends, without their content. */
function chunksWithout(
  app: SendsView,
  person: PersonOrdinal,
  { owner, documents }: Pick<Context, 'owner' | 'documents'>,
): DocumentWrite[] {
  const keys = new Map<string, readonly [Uint8Array]>();
  for (const { sendId } of app.outbox.of(person)) {
    const parts = parseId('ntf', sendId);
    if (parts?.ordinal !== owner) continue;
    const key = chunkKeyOf(parts);
    keys.set(Buffer.from(key[0]).toString('latin1'), key);
  }
  return [...keys.values()].flatMap((key) => {
    const chunk = readableRow(documents, sendChunks, key);
    const isTheirs = (one: PersonOrdinal) => app.people.canonical(one) === person;
    const value = chunk === undefined ? undefined : withoutContentOf(chunk, isTheirs);
    return value === undefined ? [] : [{ table: sendChunks, key, value }];
  });
}

// Reads a transactional send for its caller.

import { accepted, type Context, type Decision } from '../../../engine/actor/message.ts';
import type { AppsOf } from '../../area.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import { isErased, shownOfErased } from '../outbox/erased.ts';
import { sendRow } from '../outbox/send-chunk.ts';
import type { SendView } from './protocol.ts';
import { statusOfSend } from './status.ts';

export function readSend(
  state: AppsOf<Pick<AudienceReads, 'people'>>,
  { id }: { readonly id: string },
  context: Context,
): Decision<SendView> {
  // An id that this app never queued, another tenant's included, reads as pending (specification).
  const unknown: SendView = {
    id,
    status: 'pending',
    outcomes: [],
    failures: { open: 0, recovered: 0 },
  };
  const app = state.apps.get(context.owner);
  const row = app === undefined ? undefined : sendRow(context.documents, context.owner, id);
  if (row === undefined) return accepted(unknown);
  const isHidden = app !== undefined && isErased(app.people, row.person);
  return accepted({
    id,
    status: statusOfSend(row.outcomes),
    outcomes: isHidden ? shownOfErased(row.outcomes) : row.outcomes,
    failures: { open: row.deadLettersOpen, recovered: row.deadLettersRecovered },
    ...(row.test === true ? { test: true } : {}),
  });
}

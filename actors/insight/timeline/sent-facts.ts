// What composing a send again needs of memory and records: what it said, the app's settings, and
// the devices of its person.

import { accepted, type Context, type Decision } from '../../../engine/actor/message.ts';
import { parseId } from '../../../engine/base/id.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import { previewFacts } from '../../content/messages/preview-facts.ts';
import { readableRow } from '../../readable-row.ts';
import { namedSend } from '../../sending/campaign-send-id.ts';
import { readableSend } from '../../sending/outbox/readable-send.ts';
import type { TimelineView } from './memory.ts';
import type { SendReceipt, SentFacts } from './protocol.ts';
import { contentOfSend } from './sent-content.ts';

export function sentFacts(
  app: TimelineView,
  id: string,
  receipts: readonly SendReceipt[] | undefined,
  context: Context,
): Decision<SentFacts | 'unfound'> {
  const content = contentOfSend(app, id, context, receipts);
  if (content === 'unfound') return accepted(content);
  const send = readableSend(context.documents, context.owner, id);
  const of = { isMarketing: send === undefined, isTest: send?.test === true };
  if (content.items.length === 0) return accepted({ ...content, ...of });
  const named =
    send?.person ??
    app.outbox.jobs.get(id)?.person ??
    parseId('sub', receipts?.[0]?.subscriberId ?? '')?.low32 ??
    namedSend(id)?.person;
  const person = named === undefined ? undefined : app.people.canonical(named);
  const row =
    person === undefined ? undefined : readableRow(context.documents, subscribers, [person]);
  const asked = previewFacts(app, {}, row === undefined ? {} : { to: { id: row.id } }, context);
  if (asked.outcome === 'refused') return asked;
  return accepted({ ...content, ...of, facts: asked.reply });
}

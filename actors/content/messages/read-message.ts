// Reads a saved message.

import type { Context } from '../../../engine/actor/message.ts';
import { parseId } from '../../../engine/base/id.ts';
import { type MessageRow, messages } from '../../../storage/tables/message.ts';
import type { MessageView } from './protocol.ts';

/** A message of this app; `undefined` for any other id. */
export function readMessage(
  id: string,
  { documents }: Pick<Context, 'documents'>,
): MessageView | undefined {
  const row = parseId('msg', id) === undefined ? undefined : documents.get(messages, [id]);
  return row && viewOf(row);
}

/** The one place that types a record's content: only messages/decide.ts fills the table. */
function viewOf(row: MessageRow): MessageView {
  return row as MessageView;
}

// Reads a saved message.

import type { Context } from '../../../engine/actor/message.ts';
import { parseId } from '../../../engine/base/id.ts';
import { messages } from '../../../storage/tables/message.ts';
import type { MessageView } from './protocol.ts';

/** A message of this app; `undefined` for any other id. */
export function readMessage(
  id: string,
  { documents }: Pick<Context, 'documents'>,
): MessageView | undefined {
  if (parseId('msg', id) === undefined) return undefined;
  // The one place that types a record's content: only decide.ts fills the table.
  return documents.get(messages, [id]) as MessageView | undefined;
}

// What counts as a change of a message for those who edit it: all that they wrote.

import type { Context } from '../../../engine/actor/message.ts';
import type { Editable, EditableOf } from '../../area.ts';
import { contentEtag } from '../saved/content-etag.ts';
import { readMessage } from './read-message.ts';

const messageOf = (
  _state: unknown,
  { id }: { readonly id: string },
  context: Context,
): Editable | undefined => {
  const row = readMessage(id, context);
  return row && { key: id, etag: contentEtag(row), changedMs: row.updatedMs };
};

export const messageEdits = {
  'message.update': messageOf,
} satisfies Record<string, EditableOf<unknown>>;

export const messageEnds = {
  'message.delete': messageOf,
} satisfies Record<string, EditableOf<unknown>>;

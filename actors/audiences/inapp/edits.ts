// Which messages change or delete an in-app message.

import type { Editable, EditableOf } from '../../area.ts';
import { inAppEtag } from './in-app-etag.ts';
import type { InAppMessagesMemory } from './memory.ts';

const inAppOf = (
  { apps }: InAppMessagesMemory,
  { id }: { readonly id: string },
  { owner }: { readonly owner: number },
): Editable | undefined => {
  const record = apps.get(owner)?.inApp.get(id);
  return record && { key: id, etag: inAppEtag(record), changedMs: record.updatedMs };
};

export const inAppEdits = {
  'inapp.update': inAppOf,
} satisfies Record<string, EditableOf<InAppMessagesMemory>>;

export const inAppEnds = {
  'inapp.delete': inAppOf,
} satisfies Record<string, EditableOf<InAppMessagesMemory>>;

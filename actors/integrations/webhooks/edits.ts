// What counts as a change of a destination for those who edit it: all that they set, its sealed
// address and secret included, and not how its deliveries go.

import type { Editable, EditableOf } from '../../area.ts';
import { destinationEtag } from './destination.ts';
import type { WebhooksMemory } from './memory.ts';

const destinationOf = (
  { apps }: WebhooksMemory,
  { type }: { readonly type: string },
  { owner }: { readonly owner: number },
): Editable | undefined => {
  const app = apps.get(owner);
  if (app === undefined) return undefined;
  const record = app.webhooks.byType(type)?.record;
  const key = `integration ${type}`;
  return record === undefined
    ? { key }
    : { key, etag: destinationEtag(record), changedMs: record.updatedMs };
};

export const destinationEdits = {
  'destination.put': destinationOf,
  'destination.rotate': destinationOf,
} satisfies Record<string, EditableOf<WebhooksMemory>>;

export const destinationEnds = {
  'destination.remove': destinationOf,
} satisfies Record<string, EditableOf<WebhooksMemory>>;

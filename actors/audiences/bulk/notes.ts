// What the audit log notes of changes of many people.

import type { Notes } from '../../audit-note.ts';
import type { BulkEntry } from './protocol.ts';

export const bulkNotes: Notes<BulkEntry, unknown> = {
  'bulk.started': (_state, { change: { id, action, isDry, matched } }) => {
    if (isDry) return undefined;
    const { tags, suppress, delete: isErasure } = action;
    const names = tags && Object.keys(tags);
    const after = { matched, tags: names, suppress: suppress?.channels, delete: isErasure };
    return { action: 'subscribers.bulk_changed', target: id, after };
  },
};

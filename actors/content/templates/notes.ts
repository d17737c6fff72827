// What the audit log notes of templates.

import type { Notes } from '../../audit-note.ts';
import type { TemplatesEntry } from './protocol.ts';

export const templatesNotes: Notes<TemplatesEntry, unknown> = {
  'template.changed': (_state, { id, name, nameBefore }) =>
    nameBefore === undefined
      ? undefined
      : {
          action: 'template.renamed',
          target: id,
          before: { name: nameBefore },
          after: { name },
        },
  'template.deleted': (_state, { id, name }) => ({
    action: 'template.deleted',
    target: id,
    before: { name },
  }),
};

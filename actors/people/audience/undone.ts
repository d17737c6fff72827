// Opt-outs and their ends, which a restore must not undo.

import { isDeepStrictEqual } from 'node:util';
import { suppressions } from '../../../storage/tables/suppression.ts';
import type { UndoneBy } from '../../undone.ts';
import { takesMarketing } from './identity.ts';
import type { AudienceMemory } from './memory.ts';
import type { AudienceEntry } from './protocol.ts';

export const audienceUndone: UndoneBy<AudienceEntry, AudienceMemory> = {
  'suppression.added': {
    rank: 14,
    about: ({ identityKey }) => `opt-out ${identityKey}`,
    isListedLater: true,
    // An older entry does not have what its record needs.
    listed: ({ unsubscribed: _, ...added }) => (added.row === undefined ? undefined : added),
    again: ({ apps }, { owner, identityKey, row }, { documents }) => {
      const app = apps.get(owner);
      if (app === undefined) return undefined;
      const key = [identityKey];
      // Whether the backup has another opt-out of the address, or none.
      const isNews =
        takesMarketing(app, identityKey) ||
        !isDeepStrictEqual(documents.get(suppressions, key), row);
      return isNews ? { documents: [{ table: suppressions, key, value: row }] } : undefined;
    },
  },
  'suppression.removed': {
    rank: 15,
    about: ({ identityKey }) => `opt-out ${identityKey}`,
    isListedLater: true,
    again: ({ apps }, { owner, identityKey }) => {
      const app = apps.get(owner);
      if (app === undefined || takesMarketing(app, identityKey)) return undefined;
      return { documents: [{ table: suppressions, key: [identityKey], value: undefined }] };
    },
  },
};

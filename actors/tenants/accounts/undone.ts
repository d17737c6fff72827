// Deleted keys, replaced credentials and hidden events, which a restore must not undo.

import type { UndoneBy } from '../../undone.ts';
import { directoryChanged } from './decide.ts';
import type { AccountsMemory } from './memory.ts';
import type { AccountsEntry } from './protocol.ts';

export const accountsUndone: UndoneBy<AccountsEntry, AccountsMemory> = {
  'key.deleted': {
    rank: 0,
    about: ({ keyId }) => `key ${keyId}`,
    again: ({ keys }, { keyId }) =>
      keys.has(keyId) ? { effects: [directoryChanged([keyId])] } : undefined,
  },
  'credential.stored': { rank: 10, about: ({ credential }) => `credential ${credential.channel}` },
  'credential.deleted': { rank: 11, about: ({ channel }) => `credential ${channel}` },
  'credential.rotated': { rank: 12, about: ({ channel }) => `credential ${channel}`, isPart: true },
  'events.gone': {
    rank: 13,
    about: () => 'gone events',
    again: ({ apps }, { owner, beforeMs }) => {
      const app = apps.get(owner);
      return app !== undefined && beforeMs > (app.settings.goneBeforeMs ?? 0) ? {} : undefined;
    },
  },
};

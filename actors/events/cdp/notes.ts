// What the audit log notes of the customer-data platform's keys.

import type { Notes } from '../../audit-note.ts';
import type { CdpEntry } from './protocol.ts';

export const cdpNotes: Notes<CdpEntry, unknown> = {
  'cdp.key_changed': (_state, { keys }, _context, message) =>
    message.kind === 'cdp.configure'
      ? {
          action: 'integration.saved',
          target: 'cdp',
          after: { devicesFromTraits: keys.devicesFromTraits ?? true },
        }
      : { action: 'write_key.created', target: 'cdp' },
  'cdp.removed': () => ({ action: 'integration.removed', target: 'cdp' }),
};

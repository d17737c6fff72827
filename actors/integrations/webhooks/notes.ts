// What the audit log notes of webhook destinations, without addresses and secrets.

import type { Notes } from '../../audit-note.ts';
import type { WebhooksEntry } from './protocol.ts';

export const webhooksNotes: Notes<WebhooksEntry, unknown> = {
  'webhook.saved': (_state, { destination }, _context, message) => {
    const { type: target, enabled, disabledReason, events, concurrency } = destination;
    const after = { enabled, disabledReason, events, concurrency };
    switch (message.kind) {
      case 'destination.put':
        return { action: 'integration.saved', target, after };
      case 'destination.rotate':
        return { action: 'integration.secret_replaced', target };
      case 'webhook.report':
        return { action: 'integration.disabled', target, after: { enabled, disabledReason } };
      default:
        return undefined; // sealed anew
    }
  },
  'webhook.removed': (_state, { type }) => ({ action: 'integration.removed', target: type }),
};

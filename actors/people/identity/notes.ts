// What the audit log notes of identity secrets and of sessions that were ended for someone.

import type { Notes } from '../../audit-note.ts';
import type { IdentityMemory } from './memory.ts';
import type { IdentityEntry } from './protocol.ts';

export const identityNotes: Notes<IdentityEntry, IdentityMemory> = {
  'identity.secret_changed': (state, { owner }, _context, message) =>
    message.kind === 'identity.put_secret'
      ? { action: 'identity_secret.created', target: state.apps.get(owner)?.record.id ?? '' }
      : undefined,
  'sessions.ended': (_state, { subscriberId }, _context, message) =>
    message.kind === 'subscriber.end_sessions' // else their own logout or login
      ? { action: 'sessions.ended', target: subscriberId }
      : undefined,
};

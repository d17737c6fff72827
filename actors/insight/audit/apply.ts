// Notes are only in their table; memory counts them to bound the log.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { AuditMemory } from './memory.ts';
import type { AuditEntry } from './protocol.ts';

export const auditApplies: Applies<AuditEntry, AuditMemory> = {
  'audit.noted': (state, { owner, removed = 0 }) => {
    const org = state.orgs.get(owner);
    if (org === undefined) return;
    org.auditNotes = Math.max(0, org.auditNotes + 1 - removed);
  },
};

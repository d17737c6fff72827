// The audit log is in its table alone: memory only counts it, so that it has a bound.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { AuditEntry } from './protocol.ts';
import type { AuditMemory } from './view.ts';

export const auditApplies: Applies<AuditEntry, AuditMemory> = {
  'audit.noted': (state, { owner, removed = 0 }) => {
    const org = state.orgs.get(owner);
    if (org === undefined) return;
    org.auditNotes = Math.max(0, org.auditNotes + 1 - removed);
  },
};

// What memory holds of an org's audit log: the number of its notes.

import type { OrgBorn, Slice } from '../../area.ts';

export interface AuditOrg {
  auditNotes: number;
}

export const auditOfOrg: Slice<AuditOrg, AuditOrg, OrgBorn> = {
  make: () => ({ auditNotes: 0 }),
  snapshot: ({ auditNotes }) => ({ auditNotes }),
  restore: ({ auditNotes }) => ({ auditNotes }),
};

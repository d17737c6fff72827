// What memory holds of an org's audit log: how many notes it has. They are in their table.

import type { NewOrg, Slice } from '../../area.ts';

export interface AuditOrg {
  auditNotes: number;
}

export const auditOfOrg: Slice<AuditOrg, AuditOrg, NewOrg> = {
  make: () => ({ auditNotes: 0 }),
  snapshot: ({ auditNotes }) => ({ auditNotes }),
  restore: ({ auditNotes }) => ({ auditNotes }),
};

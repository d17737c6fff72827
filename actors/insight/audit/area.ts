// The area of the audit log: who changed what, and when.

import type { Area } from '../../area.ts';

import { auditApplies } from './apply.ts';
import { auditDecisions } from './decide.ts';
import { type AuditMemory, type AuditOrgView, type AuditView, auditOfOrg } from './memory.ts';

export const auditArea = {
  name: 'audit',
  org: auditOfOrg,
  decide: () => auditDecisions,
  apply: auditApplies,
  silent: ['audit.noted'],
  whenDiskIsFull: [
    'audit.list',
    'audit.note', // of what is let through: there is no change without its note
  ],
} as const satisfies Area<never, AuditMemory, AuditView, AuditOrgView>;

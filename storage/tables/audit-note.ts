// The audit log of an org: who changed what, and when. Owned by the org, not by the app it happened
// in, because it outlives that. Rows are written once and go with age.

import type { Millis } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

export interface AuditNoteRow {
  readonly id: string;
  readonly atMs: Millis;
  /** Id of the API key that asked for it; `operator`, or `system` for the service's own changes. */
  readonly actor: string;
  /** `template.renamed`. */
  readonly action: string;
  /** Id of what it happened to. */
  readonly target: string;
  /** Absent for what is of the whole org. */
  readonly appId?: string;
  /** What was different before and after, never a secret. */
  readonly before?: object;
  readonly after?: object;
  /** What the key was called then. */
  readonly actorName?: string;
}

/** Key: [note id, `aud_…`], which sorts by time. */
export const auditNotes = defineTable<AuditNoteRow>()({
  id: 30,
  name: 'audit notes',
  version: 2,
  fields: ['id', 'atMs', 'actor', 'action', 'target', 'appId', 'before', 'after', 'actorName'],
});

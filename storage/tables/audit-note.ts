// An org's audit log, owned by the org because it outlives apps. Rows are only removed by age.

import type { Millis } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

export interface AuditNoteRow {
  readonly id: string;
  readonly atMs: Millis;
  /** API key id; `operator`, or `system` for the service. */
  readonly actor: string;
  /** `template.renamed`. */
  readonly action: string;
  /** Id of the changed object. */
  readonly target: string;
  /** Absent for changes of the whole org. */
  readonly appId?: string;
  /** What differed, never a secret. */
  readonly before?: object;
  readonly after?: object;
  /** The key's name then. */
  readonly actorName?: string;
  /** The app's name then; absent in notes of version 2. */
  readonly appName?: string;
}

/** Key: [note id, `aud_…`], which sorts by time. */
export const auditNotes = defineTable<AuditNoteRow>()({
  id: 30,
  name: 'audit notes',
  version: 3,
  fields: [
    'id',
    'atMs',
    'actor',
    'action',
    'target',
    'appId',
    'before',
    'after',
    'actorName',
    'appName',
  ],
});

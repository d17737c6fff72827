// The audit log is in its table alone: memory holds nothing of it.

import type { Applies } from '../../engine/actor/protocol.ts';
import type { PartitionState } from '../state.ts';
import type { AuditEntry } from './protocol.ts';

export const auditApplies: Applies<AuditEntry, PartitionState> = {
  'audit.noted': () => {},
};

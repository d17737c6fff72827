// Addresses that want no mails of the platform, in memory.

import type { Slice } from '../../area.ts';
import type { MailStop } from './records.ts';

export interface MailStopsPartition {
  /** By hash. Each was reached by a mail of ours, so their number is bounded by those. */
  readonly mailStops: Map<string, MailStop>;
}

interface PartitionSnapshot {
  /** Absent where there is none, and in checkpoints of older releases. */
  readonly mailStops?: readonly (readonly [string, MailStop])[];
}

export const mailStopsOfPartition: Slice<MailStopsPartition, PartitionSnapshot, object> = {
  make: () => ({ mailStops: new Map() }),
  snapshot: ({ mailStops }) => (mailStops.size === 0 ? {} : { mailStops: [...mailStops] }),
  restore: ({ mailStops = [] }) => ({ mailStops: new Map(mailStops) }),
};

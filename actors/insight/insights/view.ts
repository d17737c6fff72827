// What insights see of a partition's memory.

import type { AppsOf } from '../../area.ts';
import type { SegmentsReads } from '../../audiences/segments/reads.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';

/** Of an app. */
export type InsightsView = AccountsReads & AudienceReads & SegmentsReads;

/** Of a partition. */
export type InsightsMemory = AppsOf<InsightsView>;

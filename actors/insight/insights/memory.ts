// What insights see of a partition's memory. They keep nothing in it.

import type { Millis } from '../../../engine/base/brand.ts';
import type { AppsOf } from '../../area.ts';
import type { SegmentsReads } from '../../audiences/segments/reads.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';

/** Of an app. */
export type InsightsView = AccountsReads & AudienceReads & SegmentsReads & Begun;

/** When campaigns began. */
interface Begun {
  readonly campaigns: { get(id: string): object | undefined };
  readonly sending: {
    of(campaignId: string): readonly { readonly startedMs: Millis }[];
    past(campaignId: string): readonly { readonly startedMs: Millis }[];
  };
}

/** Of a partition. */
export type InsightsMemory = AppsOf<InsightsView>;

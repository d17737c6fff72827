// What other areas see of the gate: its counts of frequency caps, and what it counts of an org. And
// what the folds of campaigns and journeys do to those counts.

import type { AppsOf } from '../../area.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { OrgReads, OrgsOf } from '../../tenants/accounts/reads.ts';
import type { BillingReads } from '../../tenants/billing/reads.ts';
import type { UsageReads } from '../../tenants/usage/reads.ts';
import type { CapCounts } from './caps.ts';
import type { Resting } from './resting.ts';

export interface GateReads {
  readonly caps: Pick<CapCounts, 'isReached'>;
  readonly resting: Pick<Resting, 'isEmpty' | 'restsDevice' | 'untilOf' | 'untilOfDevice'>;
}

export interface CapsFolds {
  readonly caps: Pick<CapCounts, 'counter'>;
}

/** Single sends and campaign waves in flight; both belong to later areas. */
export interface InFlight {
  readonly outbox: {
    readonly channels: ReadonlyMap<
      ChannelId,
      { readonly inFlight: number; readonly copiesInFlight: number }
    >;
  };
  /** People of campaigns, by catalog index of the channel. */
  readonly sending: { readonly rowsOn: readonly number[] };
}

/** What the gate sees of an org: whoever asks for its room shows it this. */
export type GateOrgView = OrgReads & UsageReads & BillingReads & SentToday;

/** What an org's room is counted from. */
export type RoomMemory = AppsOf<InFlight> & OrgsOf<GateOrgView>;

interface SentToday {
  readonly sendsDay: number;
  readonly sendsToday: number;
}

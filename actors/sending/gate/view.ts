// What the gate sees of a partition's memory: of an app, an org, a partition.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { AppsOf } from '../../area.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { AccountsReads, OrgReads, OrgsOf } from '../../tenants/accounts/reads.ts';
import type { BillingReads } from '../../tenants/billing/reads.ts';
import type { UsageReads } from '../../tenants/usage/reads.ts';
import type { GateFacts } from './gate-facts.ts';
import type { GateApp } from './state.ts';

export type GateView = GateApp &
  GateFacts &
  AccountsReads &
  InFlight & { readonly traits: { readonly next: PersonOrdinal } };

export type GateOrgView = OrgReads & UsageReads & BillingReads & SentToday;

export type GateMemory = AppsOf<GateView> & OrgsOf<GateOrgView>;

/** What an org's room is counted from. */
export type RoomMemory = AppsOf<InFlight> & OrgsOf<GateOrgView>;

/** Single sends and campaign waves in flight; both belong to later areas. */
export interface InFlight {
  readonly outbox: { readonly channels: ReadonlyMap<ChannelId, { readonly inFlight: number }> };
  readonly sending: { readonly rowsOn: readonly number[] };
}

interface SentToday {
  readonly sendsDay: number;
  readonly sendsToday: number;
}

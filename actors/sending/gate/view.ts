// What the gate sees of a partition's memory.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { AppsOf } from '../../area.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { AccountsReads, OrgReads, OrgsOf } from '../../tenants/accounts/reads.ts';
import type { UsageReads } from '../../tenants/usage/reads.ts';
import type { GateFacts } from './gate-facts.ts';
import type { GateApp } from './state.ts';

/** Of an app. */
export type GateView = GateApp &
  GateFacts &
  AccountsReads &
  UnderWay & { readonly traits: { readonly next: PersonOrdinal } };

/** Of an org. */
export type GateOrgView = OrgReads & UsageReads & SentToday;

/** Of a partition. */
export type GateMemory = AppsOf<GateView> & OrgsOf<GateOrgView>;

/** What the room of an org is counted from. */
export type RoomMemory = AppsOf<UnderWay> & OrgsOf<GateOrgView>;

/** Sends under way: single ones, and the waves of campaigns. Both lie in areas below. */
export interface UnderWay {
  readonly outbox: { readonly channels: ReadonlyMap<ChannelId, { readonly inFlight: number }> };
  readonly sending: { readonly rowsOn: readonly number[] };
}

interface SentToday {
  readonly sendsDay: number;
  readonly sendsToday: number;
}

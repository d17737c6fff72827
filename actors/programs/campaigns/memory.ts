// Campaigns in memory; and what campaigns see of a partition's memory.

import type { Bitset } from '../../../engine/base/bitset.ts';
import type { AppsOf, NewApp, Slice } from '../../area.ts';
import type { SegmentsReads } from '../../audiences/segments/reads.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import type { Verified } from '../../people/identity-keys.ts';
import type { TopicsReads } from '../../people/topics/reads.ts';
import type { CapsFolds, GateOrgView, GateReads } from '../../sending/gate/reads.ts';
import type { MailboxesReads } from '../../sending/mailboxes/reads.ts';
import type {
  ReadyFolds,
  SendsFolds,
  SendsReads,
  SentTodayFolds,
} from '../../sending/outbox/reads.ts';
import type { WarmUpFolds, WarmUpReads } from '../../sending/warm-up/reads.ts';
import type { AccountsReads, OrgReads, OrgsOf } from '../../tenants/accounts/reads.ts';
import { Campaigns, type CampaignsSnapshot } from './campaigns.ts';
import { ReadingHours, type ReadingHoursSnapshot } from './reading-hours.ts';
import { Sending, type SendingSnapshot } from './sending.ts';

export interface CampaignsApp {
  readonly campaigns: Campaigns;
  /** Their occurrences and waves. */
  readonly sending: Sending;
  /** When people open and click. */
  readonly readingHours: ReadingHours;
}

interface Snapshot {
  readonly campaigns: CampaignsSnapshot;
  readonly sending: SendingSnapshot;
  readonly readingHours: ReadingHoursSnapshot;
}

export const campaignsOfApp: Slice<CampaignsApp, Snapshot, NewApp> = {
  make: () => ({
    campaigns: new Campaigns(),
    sending: new Sending(),
    readingHours: new ReadingHours(),
  }),
  snapshot: ({ campaigns, sending, readingHours }) => ({
    campaigns: campaigns.snapshot(),
    sending: sending.snapshot(),
    readingHours: readingHours.snapshot(),
  }),
  restore: ({ campaigns: records, sending, readingHours }) => {
    const campaigns = Campaigns.restore(records);
    return {
      campaigns,
      sending: Sending.restore(sending, campaigns),
      readingHours: ReadingHours.restore(readingHours),
    };
  },
};

/** Of an app. */
export type CampaignsView = CampaignsApp &
  WarmUpReads &
  WarmUpFolds &
  AccountsReads &
  AudienceReads &
  SegmentsReads &
  TopicsReads &
  GateReads &
  MailboxesReads &
  CapsFolds &
  SendsReads &
  SendsFolds &
  Verified & { readonly monthlyActive: UnvouchedReads };

/** The meter. */
interface UnvouchedReads {
  unvouchedAmong(people: Bitset): number;
}

/** Of a partition. */
export type CampaignsMemory = AppsOf<CampaignsView> &
  OrgsOf<SentTodayFolds & GateOrgView & Pick<OrgReads, 'apps'>> &
  ReadyFolds;

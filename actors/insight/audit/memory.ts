// The number of an org's notes in memory; and what the audit log sees of a partition's memory.

import type { AppsOf, NewOrg, Slice } from '../../area.ts';
import type { TemplatesReads } from '../../content/templates/reads.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import type { TopicsReads } from '../../people/topics/reads.ts';
import type { CampaignRecord } from '../../programs/campaigns/records.ts';
import type { JourneyRecord } from '../../programs/journeys/records.ts';
import type { FormsReads } from '../../sending/forms/reads.ts';
import type { WarmUpReads } from '../../sending/warm-up/reads.ts';
import type { AccountsReads, KeysReads, OrgReads, OrgsOf } from '../../tenants/accounts/reads.ts';
import type { ClientsReads } from '../../tenants/clients/reads.ts';
import type { MembersReads } from '../../tenants/members/reads.ts';
import type { RelaysOrgReads, RelaysReads } from '../../tenants/relays/reads.ts';

export interface AuditOrg {
  auditNotes: number;
}

export const auditOfOrg: Slice<AuditOrg, AuditOrg, NewOrg> = {
  make: () => ({ auditNotes: 0 }),
  snapshot: ({ auditNotes }) => ({ auditNotes }),
  restore: ({ auditNotes }) => ({ auditNotes }),
};

/** Of an app. */
export type AuditView = AccountsReads &
  Pick<RelaysReads, 'relays'> &
  ProgramRecords &
  TemplatesReads &
  TopicsReads &
  FormsReads &
  WarmUpReads &
  Pick<AudienceReads, 'doubts'>;

/** Of an org. */
export type AuditOrgView = AuditOrg &
  OrgReads &
  Pick<RelaysOrgReads, 'relays'> &
  ClientsReads &
  MembersReads;

/** Of a partition. */
export type AuditMemory = AppsOf<AuditView> & OrgsOf<AuditOrgView> & KeysReads;

interface ProgramRecords {
  readonly campaigns: { get(id: string): CampaignRecord | undefined };
  readonly journeys: { get(id: string): { readonly record: JourneyRecord } | undefined };
}

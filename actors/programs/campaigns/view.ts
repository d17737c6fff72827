// What campaigns see of a partition's memory.

import type { Bitset } from '../../../engine/base/bitset.ts';
import type { AppsOf } from '../../area.ts';
import type { SegmentsReads } from '../../audiences/segments/reads.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import type { Verified } from '../../people/identity-keys.ts';
import type { CapsFolds } from '../../sending/gate/folds.ts';
import type { GateReads } from '../../sending/gate/reads.ts';
import type { GateOrgView } from '../../sending/gate/view.ts';
import type { ReadyFolds, SendsFolds, SentTodayFolds } from '../../sending/outbox/folds.ts';
import type { SendsReads } from '../../sending/outbox/reads.ts';
import type { AccountsReads, OrgReads, OrgsOf } from '../../tenants/accounts/reads.ts';
import type { CampaignsApp } from './state.ts';

/** Of an app. */
export type CampaignsView = CampaignsApp &
  AccountsReads &
  AudienceReads &
  SegmentsReads &
  GateReads &
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

// What sends see of a partition's memory.

import type { AppsOf } from '../../area.ts';
import type { TemplatesReads } from '../../content/templates/reads.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import type { OrgsOf } from '../../tenants/accounts/reads.ts';
import type { GateOrgView, GateView } from '../gate/view.ts';
import type { SendsApp, SendsOrg, SendsPartition } from './state.ts';

/** Of an app. */
export type SendsView = SendsApp &
  GateView &
  AudienceReads &
  TemplatesReads & { readonly campaigns: CampaignsOfSends };

/** Of an org. */
export type SendsOrgView = SendsOrg & GateOrgView;

/** Of a partition. */
export type SendsMemory = AppsOf<SendsView> & OrgsOf<SendsOrgView> & SendsPartition;

/** The campaigns that sends belong to; they lie in a house below. */
interface CampaignsOfSends {
  get(id: string): { readonly state: string; readonly number: number } | undefined;
  isPaused(id: string | undefined): boolean;
}

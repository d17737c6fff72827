// What sends see of a partition's memory: of an app, an org, a partition.

import type { Aged, AppsOf } from '../../area.ts';
import type { TemplatesReads } from '../../content/templates/reads.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import type { OrgsOf } from '../../tenants/accounts/reads.ts';
import type { GateOrgView, GateView } from '../gate/view.ts';
import type { SendsApp, SendsOrg, SendsPartition } from '../outbox/state.ts';

export type SendsView = SendsApp &
  GateView &
  AudienceReads &
  TemplatesReads & {
    readonly campaigns: CampaignsOfSends;
    readonly journeys: JourneysOfSends;
    readonly sending: SendingOfSends;
  };

export type SendsOrgView = SendsOrg & GateOrgView;

export type SendsMemory = AppsOf<SendsView> & OrgsOf<SendsOrgView> & SendsPartition & Aged;

/** Interfaces, because campaigns and journeys belong to a later house. */
interface CampaignsOfSends {
  get(id: string): { readonly state: string; readonly number: number } | undefined;
  isPaused(id: string | undefined): boolean;
}

interface SendingOfSends {
  /** People of campaigns in flight, by catalog index of the channel. */
  readonly rowsOn: readonly number[];
}

interface JourneysOfSends {
  get(id: string): { readonly record: { readonly active: boolean } } | undefined;
}

// Clients of a parent org, and what a client org has told, in memory; and what client workspaces
// see of a partition's memory.

import type { Bytes } from '../../../engine/base/brand.ts';
import type { AppsOf, NewOrg, Slice } from '../../area.ts';
import type {
  AccountsReads,
  DirectoryReads,
  KeysReads,
  OrgReads,
  OrgsOf,
} from '../accounts/reads.ts';
import type { BillingReads } from '../billing/reads.ts';
import type { RelaysOrgReads } from '../relays/reads.ts';
import type { OrgMeter } from '../usage/org-meter.ts';
import type { UsageView } from '../usage/reads.ts';
import { type ClientRecord, neverReported, type Reported } from './records.ts';

export interface ClientsOrg {
  /** By id; deleted ones too, for as long as their usage is kept. */
  readonly clients: Map<string, ClientRecord>;
  reported: Reported;
  /** What all clients store together, as they reported. Derived. */
  clientsStored: Bytes;
}

interface OrgSnapshot {
  /** Both are absent in checkpoints of older releases. */
  readonly clients?: readonly ClientRecord[];
  readonly reported?: Reported;
}

export const clientsOfOrg: Slice<ClientsOrg, OrgSnapshot, NewOrg> = {
  make: () => ({ clients: new Map(), reported: neverReported, clientsStored: 0 }),
  snapshot: ({ clients, reported }) => ({ clients: [...clients.values()], reported }),
  restore: ({ clients, reported }) => ({
    clients: new Map((clients ?? []).map((one) => [one.id, one])),
    reported: reported ?? neverReported,
    clientsStored: (clients ?? []).reduce((sum, one) => sum + (one.storedBytes ?? 0), 0),
  }),
};

export type ClientsOrgView = ClientsOrg &
  OrgReads &
  RelaysOrgReads &
  BillingReads & { readonly meter: OrgMeter };

export type ClientsMemory = AppsOf<UsageView & AccountsReads> &
  OrgsOf<ClientsOrgView> &
  KeysReads &
  DirectoryReads;

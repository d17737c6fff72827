// Relays in memory: an app's own, an org's own and those that its agency shares; and what the area
// sees of a partition's memory.

import type { Ordinal } from '../../../engine/base/brand.ts';
import type { AppsOf, NewApp, NewOrg, Slice } from '../../area.ts';
import type { RelayRecord } from './records.ts';

export interface RelaysApp {
  readonly relays: Map<string, RelayRecord>;
  /** A copy of the org's and its agency's: what sends for an app sees the app alone. */
  sharedRelays: readonly RelayRecord[];
}

export interface RelaysOrg {
  readonly relays: Map<string, RelayRecord>;
  /** What its agency shares, as it last told; empty for an org without one. */
  agencyRelays: readonly RelayRecord[];
}

/** Absent in checkpoints of earlier builds. */
type AppSnapshot = {
  readonly relays?: readonly RelayRecord[];
  readonly sharedRelays?: readonly RelayRecord[];
};

export const relaysOfApp: Slice<RelaysApp, AppSnapshot, NewApp> = {
  make: ({ org }) => ({
    relays: new Map(),
    sharedRelays: org === undefined ? [] : sharedBy(org as RelaysOrg),
  }),
  snapshot: ({ relays, sharedRelays }) => ({ relays: [...relays.values()], sharedRelays }),
  restore: ({ relays = [], sharedRelays = [] }) => ({ relays: byId(relays), sharedRelays }),
};

type OrgSnapshot = {
  readonly relays?: readonly RelayRecord[];
  readonly agencyRelays?: readonly RelayRecord[];
};

export const relaysOfOrg: Slice<RelaysOrg, OrgSnapshot, NewOrg> = {
  make: () => ({ relays: new Map(), agencyRelays: [] }),
  snapshot: ({ relays, agencyRelays }) => ({ relays: [...relays.values()], agencyRelays }),
  restore: ({ relays = [], agencyRelays = [] }) => ({ relays: byId(relays), agencyRelays }),
};

function byId(relays: readonly RelayRecord[]): Map<string, RelayRecord> {
  return new Map(relays.map((one) => [one.id, one]));
}

/** What an org's apps share: its own relays, then its agency's. */
export function sharedBy({ relays, agencyRelays }: RelaysOrg): readonly RelayRecord[] {
  return [...relays.values(), ...agencyRelays];
}

export type RelaysOrgView = RelaysOrg & { readonly apps: ReadonlySet<Ordinal> };

export type RelaysMemory = AppsOf<RelaysApp> & {
  readonly orgs: ReadonlyMap<Ordinal, RelaysOrgView>;
};

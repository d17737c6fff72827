// Sessions and sign-in links in memory, and in which org each is; and what sessions see of a
// partition's memory.

import type { Ordinal } from '../../../engine/base/brand.ts';
import type { AppsOf, NewOrg, Slice } from '../../area.ts';
import type { KeysReads, OrgReads, OrgsOf } from '../accounts/reads.ts';
import type { AppRecord } from '../accounts/records.ts';
import type { MembersReads, OrgsOfAddress } from '../members/reads.ts';
import type { LinkRecord, SessionRecord } from './records.ts';

export interface SessionsOrg {
  /** By the `keyId` of their tokens. */
  readonly sessions: Map<string, SessionRecord>;
  /** By hash. */
  readonly signInLinks: Map<string, LinkRecord>;
}

export interface SessionsPartition {
  readonly orgOfSession: Map<string, Ordinal>;
  readonly orgOfLink: Map<string, Ordinal>;
}

/** Absent in checkpoints of older releases. */
interface OrgSnapshot {
  readonly sessions?: readonly SessionRecord[];
  readonly signInLinks?: readonly LinkRecord[];
}

export const sessionsOfOrg: Slice<SessionsOrg, OrgSnapshot, NewOrg> = {
  make: () => ({ sessions: new Map(), signInLinks: new Map() }),
  snapshot: ({ sessions, signInLinks }) => ({
    sessions: [...sessions.values()],
    signInLinks: [...signInLinks.values()],
  }),
  restore: ({ sessions = [], signInLinks = [] }) => ({
    sessions: new Map(sessions.map((one) => [one.keyId, one])),
    signInLinks: new Map(signInLinks.map((one) => [one.hash, one])),
  }),
};

/** The orgs beside it in a checkpoint. */
interface PartitionSnapshot {
  readonly orgs?: readonly (readonly [Ordinal, OrgSnapshot])[];
}

export const sessionsOfPartition: Slice<SessionsPartition, PartitionSnapshot, object> = {
  make: () => ({ orgOfSession: new Map(), orgOfLink: new Map() }),
  snapshot: () => ({}),
  restore: ({ orgs = [] }) => ({
    orgOfSession: new Map(
      orgs.flatMap(([org, { sessions = [] }]) => sessions.map((one) => [one.keyId, org] as const)),
    ),
    orgOfLink: new Map(
      orgs.flatMap(([org, { signInLinks = [] }]) =>
        signInLinks.map((one) => [one.hash, org] as const),
      ),
    ),
  }),
};

export type SessionsOrgView = SessionsOrg & MembersReads & Pick<OrgReads, 'record' | 'keyIds'>;

export type SessionsMemory = SessionsPartition &
  OrgsOf<SessionsOrgView> &
  OrgsOfAddress &
  KeysReads &
  AppsOf<{ readonly record: AppRecord }>;

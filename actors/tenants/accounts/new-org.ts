// The entries that make an org with its first key.

import type { Context } from '../../../engine/actor/message.ts';
import { ordinalIn } from '../../../engine/actor/placement.ts';
import type { Bytes, Ordinal } from '../../../engine/base/brand.ts';
import { limits } from '../../limits.ts';
import type { AccountsMemory } from './memory.ts';
import type { AccountsEntry, KeyMaterial } from './protocol.ts';
import { type KeyRecord, type OrgRecord, scopes } from './records.ts';

interface NewOrgInput {
  readonly orgId: string;
  readonly name: string;
  readonly parentOrgId: string | null;
  /** With `parentOrgId`. */
  readonly parentOrdinal?: Ordinal;
  readonly key: KeyMaterial;
  /** Absent for none. */
  readonly storageQuotaBytes?: Bytes;
}

interface MadeOrg {
  readonly org: OrgRecord;
  readonly key: KeyRecord;
  readonly entries: readonly AccountsEntry[];
}

export function newOrg(
  state: Pick<AccountsMemory, 'ordinalsUsed'>,
  slot: number,
  { orgId, name, parentOrgId, parentOrdinal, key: material, storageQuotaBytes }: NewOrgInput,
  { nowMs }: Pick<Context, 'nowMs'>,
): MadeOrg {
  const ordinal = nextOrdinal(state, slot);
  const org: OrgRecord = {
    id: orgId,
    ordinal,
    name,
    parentOrgId,
    ...(parentOrdinal === undefined ? {} : { parentOrdinal }),
    dailySendCap: limits.dailySendCap,
    rateLimits: {
      transactional: limits.transactionalPerMinute,
      standard: limits.standardPerMinute,
    },
    emailAllowance: limits.emailAllowance,
    ...(storageQuotaBytes === undefined ? {} : { storageQuotaBytes }),
    createdMs: nowMs,
  };
  const key = keyRecord(material, `${name} (first key)`, scopes, null, { nowMs });
  return {
    org,
    key,
    entries: [
      { kind: 'org.created', owner: ordinal, org },
      { kind: 'key.created', owner: ordinal, key },
    ],
  };
}

export function nextOrdinal(
  { ordinalsUsed }: Pick<AccountsMemory, 'ordinalsUsed'>,
  slot: number,
): Ordinal {
  return ordinalIn(slot, (ordinalsUsed.get(slot) ?? 0) + 1);
}

export function keyRecord(
  material: KeyMaterial,
  name: string,
  granted: KeyRecord['scopes'],
  appId: string | null,
  { nowMs }: Pick<Context, 'nowMs'>,
): KeyRecord {
  return { ...material, name, scopes: granted, appId, createdMs: nowMs };
}

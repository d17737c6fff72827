// What an org stores in all its apps, as the areas count it.

import type { Bytes, Millis, Ordinal } from '../../../engine/base/brand.ts';
import type { AppsOf, EveryArea } from '../../area.ts';
import { limits } from '../../limits.ts';
import { type StoredKind, storedKinds } from '../../stored-share.ts';
import type { OrgReads, OrgsOf } from '../accounts/reads.ts';

export type StoredByKind = { readonly [Kind in StoredKind]: Bytes };

/** The sums of every area, or as many as a caller wants. */
export type StoredSums = EveryArea<never>['stored']['sums'];
/** What an app has is known to the sums alone. */
type Memory = AppsOf<object> & OrgsOf<Pick<OrgReads, 'apps' | 'record'>>;

export function storedByOrg(
  { orgs, apps }: Memory,
  sums: StoredSums,
  org: Ordinal,
  nowMs: Millis,
): Bytes {
  let bytes = 0;
  for (const ordinal of orgs.get(org)?.apps ?? []) {
    const app = apps.get(ordinal);
    if (app === undefined) continue;
    // By index: every call of `/e` asks, and taking pairs apart doubles what that takes.
    for (const sum of sums) bytes += sum[1](app as never, nowMs);
  }
  return bytes;
}

export function storedByKind(
  memory: Memory,
  sums: StoredSums,
  org: Ordinal,
  nowMs: Millis,
): StoredByKind {
  const of = (kind: StoredKind) => {
    const own = sums.filter(([name]) => name === kind);
    return [kind, storedByOrg(memory, own, org, nowMs)];
  };
  return Object.fromEntries(storedKinds.map(of)) as StoredByKind;
}

/** What copies of content, which sending makes, may take; endless without a quota. */
export function roomForCopies(
  memory: Memory,
  sums: StoredSums,
  org: Ordinal,
  nowMs: Millis,
): Bytes {
  const quota = memory.orgs.get(org)?.record.storageQuotaBytes ?? null;
  if (quota === null) return Number.POSITIVE_INFINITY;
  return quota * limits.sendingStorageShare - storedByOrg(memory, sums, org, nowMs);
}

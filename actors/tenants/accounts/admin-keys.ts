// The keys of an org that can make others: without one, and without an owner who signs in, nobody
// could let anyone in again.

import type { KeysReads, OrgReads } from './reads.ts';

/** Key ids of the org's keys with the scope admin; keys of one app are not among them. */
export function adminKeysOf(
  { keys }: KeysReads,
  { keyIds }: Pick<OrgReads, 'keyIds'>,
): readonly string[] {
  return [...keyIds].filter((keyId) => {
    const key = keys.get(keyId);
    return key !== undefined && key.appId === null && key.scopes.includes('admin');
  });
}

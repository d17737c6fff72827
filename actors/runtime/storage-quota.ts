// The storage quota of an org: above it, what adds events, people or content is refused for that
// org alone. Calls without a key stop earlier, so strangers can never take the last of it. Sends,
// reads, settings and deletions pass. Here is also what each decision adds to the count.

import type { Context, Decision, Entry, Message } from '../../engine/actor/message.ts';
import type { Bytes, Millis } from '../../engine/base/brand.ts';
import type { Fault } from '../../engine/base/fault.ts';
import type { Accepted, StorageUse } from '../area.ts';
import { fault } from '../faults.ts';
import { limits } from '../limits.ts';
import { CountedTables, rowsGrown } from '../tenants/usage/count-rows.ts';
import type { UsageEntry } from '../tenants/usage/protocol.ts';
import { storedByOrg } from '../tenants/usage/stored-by-org.ts';
import { type AnyArea, areas } from './areas.ts';
import { allowedWhenFull } from './disk-reserve.ts';
import { everyArea } from './every-area.ts';
import type { AppState, PartitionState } from './state.ts';

type Growth = (app: AppState, entry: Entry) => Bytes;

const { sums } = everyArea.stored;
const tables = new CountedTables(everyArea.stored.tables);
const growthOf: ReadonlyMap<string, Growth> = new Map(
  areas.flatMap(
    ({ stored }: AnyArea) => Object.entries(stored?.growth ?? {}) as [string, Growth][],
  ),
);

/**
 * Calls of an org that pass without a count while there is room for many times what they can add:
 * a count takes 1.3 µs for each app, 5 % of the smallest call of `/e`. Kept by the org's record, so
 * that a changed quota holds at once.
 */
const askedAtOnce = 64;
const askBytesMax: Bytes = 4 * 1024 * 1024;
const asksLeft = new WeakMap<object, number>();

const uses = new Map(areas.flatMap(({ stores }: AnyArea) => Object.entries(stores ?? {})));

/** Why a message to an app is refused, if its org has used up its storage. */
export function storageRefusal(
  state: PartitionState,
  app: AppState,
  message: Message,
  nowMs: Millis,
): Fault | undefined {
  const org = state.orgs.get(app.record.org);
  const quota = org?.record.storageQuotaBytes ?? null;
  if (org === undefined || quota === null) return undefined;
  const isFull = org.reported.isStorageFull === true;
  const use = useOf(message, app);
  if (use !== 'adds' && use !== 'adds_unproven') return undefined;
  if (isFull) return fault('storage_quota', sharedIsFull);
  const left = asksLeft.get(org.record) ?? 0;
  asksLeft.set(org.record, left - 1);
  if (left > 0) return undefined;
  const most = use === 'adds_unproven' ? quota * limits.keylessStorageShare : quota;
  const room = most - storedByOrg(state, sums, app.record.org, nowMs);
  if (room >= askedAtOnce * askBytesMax) asksLeft.set(org.record, askedAtOnce - 1);
  if (room > 0) return undefined;
  return fault('storage_quota', "the org's storage quota is used up; nothing was changed");
}

/** A decision with what its documents add to the count, or its refusal if there is no room. */
export function withStored(
  state: PartitionState,
  app: AppState,
  message: Message & { readonly by?: number },
  decision: Accepted,
  context: Context,
): Decision {
  const { entries = [], documents } = decision;
  const { counted } = app.stored;
  const rows = documents && rowsGrown(tables, counted, documents, context);
  const quota = message.by === -1 ? null : quotaOf(state, app);
  if (quota !== null) {
    let grown = (rows?.content ?? 0) + (rows?.copies ?? 0) + (rows?.webhooks ?? 0);
    for (const entry of entries) grown += growthOf.get(entry.kind)?.(app, entry) ?? 0;
    if (grown > 0 && !allowedWhenFull(message)) {
      const isSending = useOf(message, app) === 'copies';
      if (!isSending && isSharedFull(state, app))
        return { outcome: 'refused', fault: fault('storage_quota', sharedIsFull) };
      const most = isSending ? quota * limits.sendingStorageShare : quota;
      const used = storedByOrg(state, sums, app.record.org, context.nowMs);
      if (used + grown > most) return { outcome: 'refused', fault: noRoom(quota, used, grown) };
    }
  }
  if (rows === undefined || Object.keys(rows).length === 0) return decision;
  const changed: UsageEntry = { kind: 'storage.changed', owner: context.owner, rows };
  return { ...decision, entries: [...entries, changed] };
}

const sharedIsFull =
  'the client workspaces of your agency have used up the storage that they share; nothing was changed';

function isSharedFull({ orgs }: PartitionState, { record }: AppState): boolean {
  return orgs.get(record.org)?.reported.isStorageFull === true;
}

function noRoom(quota: Bytes, used: Bytes, grown: Bytes): Fault {
  return fault(
    'storage_quota',
    `storageQuotaBytes of the org is ${quota}, ${used} are used, and this would add ${grown}; nothing was changed`,
  );
}

function quotaOf({ orgs }: PartitionState, { record }: AppState): Bytes | null {
  return orgs.get(record.org)?.record.storageQuotaBytes ?? null;
}

function useOf(
  message: Message & { readonly keyless?: boolean },
  app: AppState,
): StorageUse | undefined {
  const use = uses.get(message.kind);
  const own = typeof use === 'function' ? use(message as never, app) : use;
  return own === 'adds' && message.keyless === true ? 'adds_unproven' : own;
}

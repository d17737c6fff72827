// The storage quota of an org: above it, what adds events or people is refused for that org alone.
// Calls without a key stop earlier, so strangers can never take the last of it. Sends, reads,
// settings and deletions pass.

import type { Message } from '../../engine/actor/message.ts';
import type { Millis } from '../../engine/base/brand.ts';
import type { Fault } from '../../engine/base/fault.ts';
import { fault } from '../faults.ts';
import { limits } from '../limits.ts';
import type { Login } from '../people/identity/protocol.ts';
import { storedByOrg } from '../tenants/usage/stored-by-org.ts';
import type { AppState, PartitionState } from './state.ts';

const ofKeys: ReadonlySet<string> = new Set([
  'asset.add',
  'cdp.take',
  'device.add',
  'events.ingest',
  'subscriber.import',
  'subscriber.try_slice',
  'subscriber.patch',
  'subscriber.upsert',
]);
const ofStrangers: ReadonlySet<string> = new Set(['sdk.login', 'sdk.register', 'sdk.tag']);

/** Why a message to an app is refused, if its org has used up its storage. */
export function storageRefusal(
  state: PartitionState,
  app: AppState,
  message: Message,
  nowMs: Millis,
): Fault | undefined {
  const quota = state.orgs.get(app.record.org)?.record.storageQuotaBytes ?? null;
  if (quota === null) return undefined;
  const isStranger = isOfStranger(message);
  if (!isStranger && !ofKeys.has(message.kind) && !isTagging(message)) return undefined;
  if (message.kind === 'sdk.login' && isKnown(app, message)) return undefined;
  const most = isStranger ? quota * limits.keylessStorageShare : quota;
  if (storedByOrg(state, app.record.org, nowMs) < most) return undefined;
  return fault('storage_quota', "the org's storage quota is used up; nothing was changed");
}

function isOfStranger(message: Message & { readonly keyless?: boolean }): boolean {
  return ofStrangers.has(message.kind) || message.keyless === true;
}

function isTagging({ kind, action }: Message & { readonly action?: object }): boolean {
  return kind === 'bulk.start' && action !== undefined && 'tags' in action;
}

/** A login adds a person unless it names one. */
function isKnown(app: AppState, message: Message & { readonly login?: Login }): boolean {
  const { clientToken, externalUserId } = message.login ?? {};
  if (clientToken !== undefined) return true;
  return externalUserId !== undefined && app.people.find(externalUserId) !== undefined;
}

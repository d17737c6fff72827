// What a parent tells a client, and what the client does about it. The newest counter wins, and one
// message holds everything, so it does not matter which of them arrive.

import type { Context, Effect, Message, Tell } from '../../../engine/actor/message.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { isSameBranding } from '../accounts/branding.ts';
import { directoryChanged } from '../accounts/decide.ts';
import { slotOfOrg } from '../accounts/org-slot.ts';
import type { OrgRecord } from '../accounts/records.ts';
import { isPaying } from '../billing/reads.ts';
import { mendedChannels, mendedTells } from '../relays/mended.ts';
import { sharedEntries } from '../relays/shared.ts';
import type { ClientsMemory, ClientsOrgView } from './memory.ts';
import type { AnyClientsEntry, ToClient, Workspace } from './protocol.ts';
import type { ClientRecord } from './records.ts';
import { relayed } from './relay.ts';

/** What a parent says of one of its clients. */
export function workspaceOf(
  { record, branding, billing, relays }: ClientsOrgView,
  client: ClientRecord,
): ToClient {
  const { id, name, counter, key, ordinal, closedMs } = client;
  const workspace: Workspace = {
    counter,
    orgId: id,
    name,
    parentOrgId: record.id,
    parentOrdinal: record.ordinal,
    ...(key === undefined ? {} : { key }),
    branding: branding.own,
    pays: isPaying(billing),
    isClosed: closedMs !== undefined,
    ...(relays.size === 0 ? {} : { relays: [...relays.values()] }),
  };
  return { to: ordinal ?? slotOfOrg(id), workspace };
}

/** As a message through the front. */
export function workspaceTold({ to, workspace }: ToClient): Effect {
  const message = { kind: 'workspace.receive', by: -1, workspace } as Message;
  const confirm = { kind: 'client.confirm', by: -1, clientId: workspace.orgId } as Message;
  return relayed(to, message, workspace.parentOrdinal, confirm);
}

interface Changes {
  readonly entries: readonly AnyClientsEntry[];
  readonly tells: readonly Tell[];
  readonly effects: readonly Effect[];
}

/** What a client changes about itself when it learns something new of its parent. */
export function changesOf(
  { apps, keys }: Pick<ClientsMemory, 'apps' | 'keys'>,
  record: OrgRecord,
  org: Pick<ClientsOrgView, 'branding' | 'apps' | 'keyIds' | 'agencyRelays'> | undefined,
  { branding, counter, isClosed, pays, relays = [] }: Workspace,
  { nowMs }: Pick<Context, 'nowMs'>,
): Changes {
  const owner: Ordinal = record.ordinal;
  const entries: AnyClientsEntry[] = [];
  const tells: Tell[] = [];
  const effects: Effect[] = [];
  const before = org?.branding ?? { own: {}, parent: {} };
  if (!isSameBranding(before.parent, branding))
    entries.push({ kind: 'org.branded', owner, branding: { ...before, parent: branding } });
  const known = org?.agencyRelays ?? [];
  entries.push(...sharedEntries(owner, known, relays));
  tells.push(...mendedTells(org?.apps ?? [], mendedChannels(known, relays)));
  if (isClosed && record.closedMs === undefined) {
    // Keys first: nobody acts for an org that is being deleted.
    const keyIds = [...(org?.keyIds ?? [])].filter((keyId) => keys.has(keyId));
    for (const keyId of keyIds) entries.push({ kind: 'key.deleted', owner, keyId });
    entries.push({ kind: 'org.changed', owner, org: { ...record, closedMs: nowMs } });
    effects.push(directoryChanged(keyIds));
    for (const to of org?.apps ?? [])
      if (apps.has(to)) tells.push({ to, message: { kind: 'app.delete', by: -1 } as Message });
  }
  if (pays !== undefined)
    tells.push({ to: owner, message: { kind: 'billing.parent_pays', by: -1, pays } as Message });
  entries.push({ kind: 'workspace.received', owner, counter });
  return { entries, tells, effects };
}

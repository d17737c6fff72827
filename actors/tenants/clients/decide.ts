// Decides about client workspaces: the parent's side, the client's side, and branding. Source:
// specification, "Tenancy"; contract, section 2.

import {
  accepted,
  type Context,
  type Decision,
  type Message,
  refused,
} from '../../../engine/actor/message.ts';
import { isSlotAddress, slotOf } from '../../../engine/actor/placement.ts';
import type { Decisions, MessageOf, ReplyOf } from '../../../engine/actor/protocol.ts';
import { type Bytes, dayMs, type Millis } from '../../../engine/base/brand.ts';
import { utcMonthOf } from '../../../engine/time/utc-month.ts';
import type { EveryArea } from '../../area.ts';
import { fault, notFound } from '../../faults.ts';
import { limits } from '../../limits.ts';
import {
  inheritedMembers,
  isSameBranding,
  patchedBranding,
  resolvedBranding,
} from '../accounts/branding.ts';
import { newOrg } from '../accounts/new-org.ts';
import { pageById } from '../accounts/page-by-id.ts';
import type { OrgBranding } from '../accounts/records.ts';
import { withOrg } from '../accounts/with-app.ts';
import { monthOfClient } from '../usage/months.ts';
import type { ClientsMemory, ClientsOrgView } from './memory.ts';
import type {
  AnyClientsEntry,
  BrandingView,
  ClientsProtocol,
  ClientView,
  SharedStorage,
} from './protocol.ts';
import { type ClientRecord, isSameReport } from './records.ts';
import { relayed } from './relay.ts';
import { reportOf } from './report.ts';
import { changesOf, workspaceOf, workspaceTold } from './workspace.ts';

type AllDecisions = Decisions<ClientsProtocol, ClientsMemory>;
type DecisionsOf<Prefix extends string> = Pick<
  AllDecisions,
  Extract<keyof AllDecisions, `${Prefix}.${string}`>
>;

const parentDecisions = ({ clientsShare }: ClientsRules): DecisionsOf<'client'> => ({
  'client.open': (state, message, context) =>
    withOrg(state, context, (org) => open(org, message, context)),

  'client.list': (state, asked, context) =>
    withOrg(state, context, (org) =>
      pageById('org', openClients(org), asked, {
        name: ({ name }) => name,
        views: (some) => viewsOf(some, context.nowMs),
      }),
    ),

  'client.close': (state, { clientId }, context) =>
    withOrg(state, context, (org) => {
      const client = org.clients.get(clientId);
      if (client === undefined || client.closedMs !== undefined)
        return refused(notFound('client workspace'));
      const closed = { ...client, counter: client.counter + 1, closedMs: context.nowMs };
      const entry: AnyClientsEntry = {
        kind: 'client.closed',
        owner: context.owner,
        clientId,
        atMs: context.nowMs,
      };
      return accepted(workspaceOf(org, closed), { entries: [entry] });
    }),

  'client.remind': (state, { after }, context) =>
    withOrg(state, context, (org) =>
      accepted(null, {
        effects: unconfirmed(org, after)
          .slice(0, remindedAtOnce)
          .map((client) => workspaceTold(workspaceOf(org, client))),
      }),
    ),

  'client.confirm': (state, { clientId, counter, ordinal }, context) =>
    withOrg(state, context, (org) => {
      const client = org.clients.get(clientId);
      if (client === undefined) return accepted(null);
      if (counter <= client.acknowledged && client.ordinal === ordinal) return accepted(null);
      const entry: AnyClientsEntry = {
        kind: 'client.confirmed',
        owner: context.owner,
        clientId,
        counter,
        ordinal,
      };
      return accepted(null, { entries: [entry] });
    }),

  'client.stored': (state, _message, context) =>
    withOrg(state, context, (org) => accepted(sharedStorage(org, clientsShare))),
});

/** Clients that one turn tells. */
export const remindedAtOnce = 100;

/** Those that have not confirmed the newest counter, after an id, in the order of ids. */
export function unconfirmed(
  { clients }: Pick<ClientsOrgView, 'clients'>,
  after: string,
): readonly ClientRecord[] {
  return [...clients.values()]
    .filter(({ id, counter, acknowledged }) => acknowledged < counter && id > after)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

export interface ClientsRules {
  readonly everyArea: Pick<EveryArea<never>, 'stored'>;
  /** How many times its own quota the clients of an org may store together; 0 for no limit. */
  readonly clientsShare?: number;
  /** Of an org that is made; absent for none. */
  readonly newOrgQuotaBytes?: Bytes;
}

const clientDecisions = ({
  newOrgQuotaBytes: storageQuotaBytes,
}: ClientsRules): DecisionsOf<'workspace'> => ({
  'workspace.receive': (state, { workspace }, context) => {
    const { owner } = context;
    const named = isSlotAddress(owner) ? state.orgById.get(workspace.orgId) : owner;
    const kept = named === undefined ? undefined : state.orgs.get(named);
    if (kept === undefined && !isSlotAddress(owner)) return refused(notFound('org'));
    if (kept !== undefined) {
      const { record, reported } = kept;
      const { id, parentOrgId, ordinal } = record;
      if (id !== workspace.orgId || parentOrgId !== workspace.parentOrgId)
        return refused(fault('wrong_state', 'this org is not a client workspace of that org'));
      if (workspace.counter <= reported.workspace)
        return accepted({ counter: reported.workspace, ordinal, org: record });
      const { entries, tells, effects } = changesOf(state, record, kept, workspace, context);
      return accepted(
        { counter: workspace.counter, ordinal, org: record },
        { entries, tells, effects },
      );
    }
    const { key } = workspace;
    if (key === undefined) return refused(notFound('org'));
    const quota = storageQuotaBytes === undefined ? {} : { storageQuotaBytes };
    const made = newOrg(state, slotOf(owner), { ...workspace, key, ...quota }, context);
    // One that was deleted before it existed is made all the same, so that a message about its
    // creation that arrives later finds it deleted.
    const { keyId } = made.key;
    const fresh = {
      branding: { own: {}, parent: {} },
      apps: new Set<number>(),
      keyIds: new Set([keyId]),
      agencyRelays: [],
    };
    const keys = new Map([...[[keyId, { ...made.key, org: made.org.ordinal }] as const]]);
    const { entries, tells } = changesOf({ ...state, keys }, made.org, fresh, workspace, context);
    return accepted(
      { counter: workspace.counter, ordinal: made.org.ordinal, org: made.org },
      { entries: [...made.entries, ...entries], tells },
    );
  },
});

const reportDecisions = ({ everyArea, clientsShare }: ClientsRules): DecisionsOf<'report'> => ({
  'report.make': (state, { again }, context) => {
    const { owner, nowMs } = context;
    const org = state.orgs.get(owner);
    const parent = org?.record.parentOrdinal;
    if (org === undefined || parent === undefined) return accepted(null);
    const { id, createdMs } = org.record;
    const { reported } = org;
    const now = reportOf(state, everyArea.stored.sums, org, nowMs);
    const isNews = reported.report === undefined || !isSameReport(reported.report, now);
    if (!isNews && reported.isAcknowledged && again !== true) return accepted(null);
    const counter = isNews ? reported.counter + 1 : reported.counter;
    const message = {
      kind: 'report.receive',
      by: -1,
      clientId: id,
      ordinal: owner,
      createdMs,
      counter,
      report: isNews ? now : (reported.report ?? now),
      workspace: reported.workspace,
    } as Message;
    const confirm = { kind: 'report.confirm', by: -1 } as Message;
    const entry: AnyClientsEntry = { kind: 'report.made', owner, counter, report: now };
    return accepted(null, {
      entries: isNews ? [entry] : [],
      effects: [relayed(parent, message, owner, confirm)],
    });
  },

  'report.receive': (state, message, context) => {
    const { owner, nowMs } = context;
    const org = state.orgs.get(owner);
    if (org === undefined || org.record.parentOrgId !== null) return refused(notFound('org'));
    const { clientId, counter, report, workspace } = message;
    const known = org.clients.get(clientId);
    const entries: AnyClientsEntry[] = [];
    // A restore may have taken the parent further back than its client.
    if (known === undefined)
      entries.push({ kind: 'client.opened', owner, client: adopted(message) });
    else if (workspace < known.acknowledged)
      entries.push({ kind: 'client.behind', owner, clientId, counter: workspace });
    else if (workspace > known.counter)
      entries.push({
        kind: 'client.confirmed',
        owner,
        clientId,
        counter: workspace,
        ordinal: message.ordinal,
      });
    const newest = Math.max(counter, known?.reports ?? 0);
    if (counter > (known?.reports ?? 0))
      entries.push({ kind: 'client.reported', owner, clientId, atMs: nowMs, counter, report });
    const grown =
      counter > (known?.reports ?? 0) ? (report.storedBytes ?? 0) - (known?.storedBytes ?? 0) : 0;
    const { usedBytes, quotaBytes } = sharedStorage(org, clientsShare);
    const isStorageFull = quotaBytes !== null && usedBytes + grown > quotaBytes;
    return accepted({ counter: newest, isStorageFull }, { entries });
  },

  'report.confirm': (state, { counter, isStorageFull }, context) => {
    const { owner } = context;
    const reported = state.orgs.get(owner)?.reported;
    if (reported === undefined || counter < reported.counter) return accepted(null);
    const isNews = isStorageFull !== (reported.isStorageFull ?? false);
    if (counter === reported.counter && reported.isAcknowledged && !isNews) return accepted(null);
    const full = isStorageFull ? { isStorageFull } : {};
    const entry: AnyClientsEntry = { kind: 'report.confirmed', owner, counter, ...full };
    return accepted(null, { entries: [entry] });
  },
});

const brandingDecisions: DecisionsOf<'branding'> = {
  'branding.read': (state, _message, context) =>
    withOrg(state, context, ({ branding }) => accepted(brandingView(branding))),

  'branding.patch': (state, { patch }, context) =>
    withOrg(state, context, ({ branding, clients }) => {
      const { owner } = context;
      const own = patchedBranding(branding.own, patch);
      const next = { ...branding, own };
      if (isSameBranding(branding.own, own)) return accepted(brandingView(branding));
      const entries: AnyClientsEntry[] = [{ kind: 'org.branded', owner, branding: next }];
      if (clients.size > 0) entries.push({ kind: 'clients.changed', owner });
      return accepted(brandingView(next), { entries });
    }),
};

const retellDecisions: DecisionsOf<'clients'> = {
  'clients.retell': (state, _message, context) =>
    withOrg(state, context, (org) => {
      const open = openClients(org);
      if (open.length === 0) return accepted(null);
      const entry: AnyClientsEntry = { kind: 'clients.changed', owner: context.owner };
      // The clock tells the others, and those that did not get it.
      const effects = open
        .slice(0, remindedAtOnce)
        .map((client) => workspaceOf(org, { ...client, counter: client.counter + 1 }))
        .map(workspaceTold);
      return accepted(null, { entries: [entry], effects });
    }),
};

export const clientsDecisions = (rules: ClientsRules): AllDecisions => ({
  ...retellDecisions,
  ...parentDecisions(rules),
  ...clientDecisions(rules),
  ...reportDecisions(rules),
  ...brandingDecisions,
});

function open(
  org: ClientsOrgView,
  { clientId, name, key, idempotencyKey }: MessageOf<ClientsProtocol, 'client.open'>,
  { owner, nowMs, ages }: Context,
): Decision<ReplyOf<ClientsProtocol, 'client.open'>> {
  if (org.record.parentOrgId !== null)
    return refused(fault('wrong_state', 'a client workspace cannot have client workspaces itself'));
  const earlier = idempotencyKey === undefined ? undefined : madeBy(idempotencyKey);
  if (earlier?.idempotency !== undefined) {
    if (earlier.idempotency.name !== name)
      return refused(
        fault('idempotency_conflict', 'this idempotency key was used with another name'),
      );
    if (earlier.closedMs !== undefined)
      return refused(
        fault('wrong_state', 'the client workspace that this idempotency key created was deleted'),
      );
    return opened(earlier, true);
  }
  if (clientsCounted(org, nowMs) >= limits.clientsMax)
    return refused(
      fault(
        'limit_reached',
        `an org has at most ${limits.clientsMax} client workspaces; those that were created this month and deleted since count until the month ends (UTC)`,
      ),
    );
  const client: ClientRecord = {
    id: clientId,
    name,
    createdMs: nowMs,
    key,
    ...(idempotencyKey === undefined ? {} : { idempotency: { key: idempotencyKey, name } }),
    counter: 1,
    acknowledged: 0,
    reports: 0,
    through: 0,
    months: [],
  };
  const entry: AnyClientsEntry = { kind: 'client.opened', owner, client };
  const decision = opened(client, false);
  return decision.outcome === 'refused' ? decision : { ...decision, entries: [entry] };

  function madeBy(wanted: string): ClientRecord | undefined {
    const oldestMs = ages.cutMs(nowMs, dayMs);
    for (const one of org.clients.values())
      if (one.idempotency?.key === wanted && one.createdMs >= oldestMs) return one;
    return undefined;
  }

  function opened(one: ClientRecord, isReplay: boolean) {
    const [client] = viewsOf([one], nowMs) as [ClientView];
    const { secretHash = new Uint8Array() } = one.key ?? {};
    return accepted({ ...workspaceOf(org, one), client, isReplay, secretHash });
  }
}

/**
 * Also those of this month that were deleted since: each has an email allowance of its own, which
 * nobody gets without end by deleting workspaces and making others.
 */
function clientsCounted({ clients }: ClientsOrgView, nowMs: Millis): number {
  const month = utcMonthOf(nowMs);
  let count = 0;
  for (const { closedMs, createdMs } of clients.values())
    if (closedMs === undefined || utcMonthOf(createdMs) === month) count++;
  return count;
}

/** An agency's clients share a multiple of its own quota, or one agency could fill the disk. */
function sharedStorage(
  { record, clientsStored, reported }: ClientsOrgView,
  clientsShare: number = limits.clientsShare,
): SharedStorage {
  const { storageQuotaBytes: own = null } = record;
  const quotaBytes = own === null || clientsShare === 0 ? null : own * clientsShare;
  return { usedBytes: clientsStored, quotaBytes, isFull: reported.isStorageFull ?? false };
}

function openClients({ clients }: ClientsOrgView): ClientRecord[] {
  return [...clients.values()].filter(({ closedMs }) => closedMs === undefined);
}

function viewsOf(clients: readonly ClientRecord[], nowMs: Millis): readonly ClientView[] {
  const month = utcMonthOf(nowMs);
  return clients.map((client) => {
    const { id, name, createdMs } = client;
    const usage = monthOfClient(client, month);
    return {
      id,
      name,
      createdMs,
      mau: usage?.mau ?? 0,
      delivered: usage?.emailsDelivered ?? 0,
      included: usage?.emailsIncluded ?? limits.emailAllowance,
    };
  });
}

function adopted(message: MessageOf<ClientsProtocol, 'report.receive'>): ClientRecord {
  const { clientId, ordinal, createdMs, report } = message;
  return {
    id: clientId,
    name: report.name,
    createdMs,
    counter: 1,
    acknowledged: 0,
    ordinal,
    reports: 0,
    through: 0,
    months: [],
  };
}

function brandingView(branding: OrgBranding): BrandingView {
  return { branding: resolvedBranding(branding), inherited: inheritedMembers(branding) };
}

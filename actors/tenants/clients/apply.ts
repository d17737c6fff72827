// Folds client workspaces.

import type { Applies } from '../../../engine/actor/protocol.ts';
import { utcMonthOf } from '../../../engine/time/utc-month.ts';
import { limits } from '../../limits.ts';
import type { ClientsEntry } from './protocol.ts';
import { type ClientMonths, type ClientRecord, type ClientReport, everyMonth } from './records.ts';
import type { ClientsMemory, ClientsOrgView } from './view.ts';

export const clientsApplies: Applies<ClientsEntry, ClientsMemory> = {
  'client.opened': (state, { owner, client }) => {
    const org = state.orgs.get(owner);
    if (org === undefined) return;
    forgetOld(org, client);
    org.clients.set(client.id, client);
  },
  'client.closed': (state, { owner, clientId, atMs }) =>
    change(state, owner, clientId, (client) => ({
      ...client,
      closedMs: atMs,
      counter: client.counter + 1,
    })),
  'clients.changed': (state, { owner }) => {
    const org = state.orgs.get(owner);
    for (const client of org?.clients.values() ?? [])
      if (client.closedMs === undefined)
        org?.clients.set(client.id, { ...client, counter: client.counter + 1 });
  },
  'client.confirmed': (state, { owner, clientId, counter, ordinal }) =>
    change(state, owner, clientId, (client) => ({
      ...client,
      ordinal,
      acknowledged: Math.max(client.acknowledged, counter),
      // A client that knows more than its parent: a restore took the parent further back.
      counter: counter > client.counter ? counter + 1 : client.counter,
    })),
  'client.behind': (state, { owner, clientId, counter }) =>
    change(state, owner, clientId, (client) => ({ ...client, acknowledged: counter })),
  'client.reported': (state, { owner, clientId, atMs, counter, report }) =>
    change(state, owner, clientId, (client) => ({
      ...client,
      ...(report.through === everyMonth && client.closedMs === undefined ? { closedMs: atMs } : {}),
      name: report.name,
      reports: counter,
      through: Math.max(client.through, report.through),
      months: merged(client.months, report),
    })),
  'workspace.received': (state, { owner, counter }) => {
    const org = state.orgs.get(owner);
    if (org !== undefined) org.reported = { ...org.reported, workspace: counter };
  },
  'report.made': (state, { owner, counter, report }) => {
    const org = state.orgs.get(owner);
    if (org !== undefined)
      org.reported = { ...org.reported, counter, report, isAcknowledged: false };
  },
  'report.confirmed': (state, { owner, counter }) => {
    const org = state.orgs.get(owner);
    if (org === undefined) return;
    const { reported } = org;
    const { report: _, ...rest } = reported;
    if (counter === reported.counter) org.reported = { ...reported, isAcknowledged: true };
    // Its parent knows more: a restore took this client further back, so it reports anew.
    else if (counter > reported.counter) org.reported = { ...rest, counter, isAcknowledged: false };
  },
};

function change(
  state: ClientsMemory,
  owner: number,
  clientId: string,
  next: (client: ClientRecord) => ClientRecord,
): void {
  const clients = state.orgs.get(owner)?.clients;
  const client = clients?.get(clientId);
  if (client !== undefined) clients?.set(clientId, next(client));
}

/** Absolute figures: the newest report of a month replaces earlier ones. */
function merged(before: ClientMonths, { months }: ClientReport): ClientMonths {
  const rows = [...new Map([...before, ...months])].sort(([one], [other]) => one - other);
  const newest = rows.at(-1)?.[0] ?? 0;
  return rows.filter(([month]) => month >= newest - limits.usageMonthsKept);
}

/** Drops deleted clients whose usage is no longer kept. */
function forgetOld({ clients }: ClientsOrgView, { createdMs }: ClientRecord): void {
  const oldest = utcMonthOf(createdMs) - limits.usageMonthsKept;
  for (const { id, closedMs, acknowledged, counter } of [...clients.values()])
    if (closedMs !== undefined && acknowledged === counter && utcMonthOf(closedMs) < oldest)
      clients.delete(id);
}

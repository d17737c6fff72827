// Folds client workspaces.

import type { Rebase } from '../../../engine/actor/machine.ts';
import type { Applies } from '../../../engine/actor/protocol.ts';
import { limits } from '../../limits.ts';
import type { ClientsMemory, ClientsOrgView } from './memory.ts';
import type { ClientsEntry } from './protocol.ts';
import { type ClientMonths, type ClientRecord, type ClientReport, everyMonth } from './records.ts';

export const clientsApplies: Applies<ClientsEntry, ClientsMemory> = {
  'client.opened': (state, { owner, client }) => {
    const org = state.orgs.get(owner);
    if (org === undefined) return;
    forgetOld(org);
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
  'client.reported': (state, { owner, clientId, atMs, counter, report }) => {
    const { name, through, storedBytes = 0 } = report;
    const org = state.orgs.get(owner);
    const client = org?.clients.get(clientId);
    if (org === undefined || client === undefined) return;
    org.clientsStored += storedBytes - (client.storedBytes ?? 0);
    org.clients.set(clientId, {
      ...client,
      ...(through === everyMonth && client.closedMs === undefined ? { closedMs: atMs } : {}),
      name,
      reports: counter,
      through,
      months: merged(client.months, report),
      storedBytes,
    });
  },
  'workspace.received': (state, { owner, counter }) => {
    const org = state.orgs.get(owner);
    if (org !== undefined) org.reported = { ...org.reported, workspace: counter };
  },
  'report.made': (state, { owner, counter, report }) => {
    const org = state.orgs.get(owner);
    if (org !== undefined)
      org.reported = { ...org.reported, counter, report, isAcknowledged: false };
  },
  'report.confirmed': (state, { owner, counter, isStorageFull }) => {
    const org = state.orgs.get(owner);
    if (org === undefined) return;
    const { isStorageFull: _full, ...before } = org.reported;
    const reported = isStorageFull === true ? { ...before, isStorageFull } : before;
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

/** Rows kept: also two months that a wrong clock may have begun. */
const rowsMax = limits.usageMonthsKept + 3;

/**
 * Absolute figures: the newest report of a month replaces earlier ones. It always has its current
 * month, so later ones are of a clock that was ahead. Old ones are dropped by their number: a clock
 * that is a year ahead must not drop a year of invoices.
 */
function merged(before: ClientMonths, { months }: ClientReport): ClientMonths {
  const newest = months.at(-1)?.[0] ?? 0;
  const rows = [...new Map([...before, ...months])].filter(([month]) => month <= newest);
  return rows.sort(([one], [other]) => one - other).slice(-rowsMax);
}

/**
 * Drops the oldest deleted clients beyond as many as an org may have. Never one whose months are
 * not on an invoice yet, or that has not reported its last figures: nobody would pay for them.
 */
function forgetOld({ clients, billing }: ClientsOrgView): void {
  const { closed = 0 } = billing;
  for (const { id, closedMs, acknowledged, counter, through, months } of clients.values()) {
    if (clients.size < 2 * limits.clientsMax) return;
    if (closedMs === undefined || acknowledged < counter || through !== everyMonth) continue;
    if (months.every(([month]) => month <= closed)) clients.delete(id);
  }
}

/** The clock was ahead: what it stamped since then gets its true time. */
export function rebaseClients({ orgs }: Pick<ClientsMemory, 'orgs'>, { stamp }: Rebase): void {
  for (const { clients } of orgs.values())
    for (const client of clients.values()) {
      const { id, createdMs, closedMs } = client;
      const closed = closedMs === undefined ? {} : { closedMs: stamp(closedMs) };
      clients.set(id, { ...client, createdMs: stamp(createdMs), ...closed });
    }
}

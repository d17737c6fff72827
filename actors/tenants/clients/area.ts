// Client workspaces of an agency, their usage as reported, and branding.

import type { Area } from '../../area.ts';
import { clientsApplies, rebaseClients } from './apply.ts';
import { type ClientsRules, clientsDecisions } from './decide.ts';
import { clientsEdits, clientsEnds } from './edits.ts';
import { type ClientsMemory, type ClientsOrgView, clientsOfOrg } from './memory.ts';
import { clientsNotes } from './notes.ts';
import { TellClock } from './tell-clock.ts';

export const clientsArea = {
  name: 'clients',
  org: clientsOfOrg,
  clock: ({ everyArea }: ClientsRules) => new TellClock(everyArea.stored.sums),
  decide: (rules: ClientsRules) => clientsDecisions(rules),
  apply: clientsApplies,
  silent: [
    'client.opened',
    'client.closed',
    'clients.changed',
    'client.confirmed',
    'client.behind',
    'client.reported',
    'workspace.received',
    'report.made',
    'report.confirmed',
  ],
  edits: clientsEdits,
  ends: clientsEnds,
  notes: clientsNotes,
  whenDiskIsFull: [
    'client.list',
    'client.stored',
    'client.confirm',
    'clients.retell',
    'report.make',
    'report.receive',
    'report.confirm',
    'branding.read',
  ],
  on: { clockRebased: rebaseClients },
} as const satisfies Area<ClientsRules, ClientsMemory, object, ClientsOrgView>;

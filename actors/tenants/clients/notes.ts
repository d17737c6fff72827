// What the audit log notes of client workspaces and branding.

import type { Notes } from '../../audit-note.ts';
import { difference } from '../../difference.ts';
import type { AccountsEntry } from '../accounts/protocol.ts';
import type { ClientsMemory } from './memory.ts';
import type { ClientsEntry } from './protocol.ts';

type Branded = Extract<AccountsEntry, { readonly kind: 'org.branded' }>;

const unsetBranding = {
  productName: null,
  logoUrl: null,
  accentColor: null,
  hideServiceBranding: null,
};

export const clientsNotes: Notes<ClientsEntry | Branded, ClientsMemory> = {
  'org.branded': (state, { owner, branding }, _context, message) => {
    const org = state.orgs.get(owner);
    if (org === undefined || message.kind !== 'branding.patch') return undefined; // its parent's
    const changed = difference(
      { ...unsetBranding, ...org.branding.own },
      { ...unsetBranding, ...branding.own },
    );
    return changed && { action: 'branding.changed', target: org.record.id, ...changed };
  },
  'client.opened': (_state, { client: { id, name } }, _context, message) =>
    message.kind === 'client.open' // else found again after a restore
      ? { action: 'client.created', target: id, after: { name } }
      : undefined,
  'client.closed': (state, { owner, clientId }) => ({
    action: 'client.deleted',
    target: clientId,
    before: { name: state.orgs.get(owner)?.clients.get(clientId)?.name },
  }),
};

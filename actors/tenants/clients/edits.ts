// What counts as a change of a client workspace for its parent, and of branding for an org: also
// what it inherits, which its editor sees.

import type { Editable, EditableOf } from '../../area.ts';
import { inheritedMembers, resolvedBranding } from '../accounts/branding.ts';
import { brandingEtag, clientEtag } from './client-etag.ts';
import type { ClientsMemory } from './memory.ts';

export const clientsEdits = {
  'branding.patch': (
    { orgs }: ClientsMemory,
    _message: unknown,
    { owner }: { readonly owner: number },
  ): Editable | undefined => {
    const branding = orgs.get(owner)?.branding;
    return (
      branding && {
        key: 'branding',
        etag: brandingEtag({
          branding: resolvedBranding(branding),
          inherited: inheritedMembers(branding),
        }),
      }
    );
  },
} satisfies Record<string, EditableOf<ClientsMemory>>;

export const clientsEnds = {
  'client.close': (
    { orgs }: ClientsMemory,
    { clientId }: { readonly clientId: string },
    { owner }: { readonly owner: number },
  ): Editable | undefined => {
    const client = orgs.get(owner)?.clients.get(clientId);
    return client && client.closedMs === undefined ? { etag: clientEtag(client) } : undefined;
  },
} satisfies Record<string, EditableOf<ClientsMemory>>;

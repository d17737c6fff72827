// How the org presents itself: its own branding, or its parent's.

import type { ClientsProtocol } from '../../../actors/tenants/clients/protocol.ts';
import { key, route } from '../../call/route.ts';
import { requireOrgKey } from '../org-key.ts';
import {
  brandingBody,
  brandingPatch,
  orgBrandingSchema,
  orgBrandingView,
} from './branding-shape.ts';

export const readBranding = route({
  method: 'GET',
  path: '/v1/org/branding',
  summary: 'Read branding',
  description:
    "How the org appears on unsubscribe pages, in email footers and in SDKs. A client workspace follows its parent's branding in every field that it does not set itself. It reads a change within two seconds; with more than 100 clients, 100 more each second.",
  tag: 'Org',
  access: key('read'),
  reads: ['branding'],
  responses: { 200: { description: 'The branding in force.', schema: orgBrandingSchema } },
  async handle(call) {
    const shown = await call.to<ClientsProtocol>(call.org).ask('branding.read', {});
    return { status: 200, body: orgBrandingView(shown) };
  },
});

export const updateBranding = route({
  method: 'PATCH',
  path: '/v1/org/branding',
  summary: 'Update branding',
  description:
    "Fields you omit keep their value; `null` goes back to the parent's value, or the service's default. Client workspaces read it within two seconds; with more than 100, 100 more each second.",
  tag: 'Org',
  access: key('admin'),
  changes: ['branding'],
  edits: 'branding.patch',
  body: brandingBody,
  responses: { 200: { description: 'The branding in force.', schema: orgBrandingSchema } },
  async handle(call) {
    requireOrgKey(call, 'branding is');
    const { mode, allowPrivateNetworks } = call.edge.config;
    const patch = brandingPatch(call.body, mode === 'sandbox' || allowPrivateNetworks);
    const shown = await call.to<ClientsProtocol>(call.org).ask('branding.patch', { patch });
    return { status: 200, body: orgBrandingView(shown) };
  },
});

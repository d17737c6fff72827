// Reads how the org presents itself: its own branding, or its parent's.

import type { ClientsProtocol } from '../../../actors/tenants/clients/protocol.ts';
import { key, route } from '../../call/route.ts';
import { orgBrandingSchema, orgBrandingView } from './branding-shape.ts';

export const readBranding = route({
  method: 'GET',
  path: '/v1/org/branding',
  summary: 'Read branding',
  description:
    "How the org appears on unsubscribe pages, in email footers and in SDKs. A client workspace follows its parent's branding in every field that it does not set itself. It reads a change within two seconds; with more than 100 clients, 100 more each second.",
  tag: 'Org',
  access: key('read'),
  reads: ['branding'],
  lane: 'standard',
  responses: { 200: { description: 'The branding in force.', schema: orgBrandingSchema } },
  async handle(call) {
    const shown = await call.to<ClientsProtocol>(call.org).ask('branding.read', {});
    return { status: 200, body: orgBrandingView(shown) };
  },
});

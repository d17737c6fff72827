// Reads how the org presents itself: its own branding, or its parent's.

import type { ClientsProtocol } from '../../../actors/tenants/clients/protocol.ts';
import { key, route } from '../../route.ts';
import { brandingView, orgBrandingSchema } from './branding-shape.ts';

export const readBranding = route({
  method: 'GET',
  path: '/v1/org/branding',
  summary: 'Read branding',
  description:
    "How the org appears on unsubscribe pages, in email footers and in SDKs. A client workspace follows its parent's branding, within a minute of a change, in every field that it does not set itself.",
  tag: 'Org',
  access: key('read'),
  lane: 'standard',
  responses: { 200: { description: 'The branding in force.', schema: orgBrandingSchema } },
  async handle(call) {
    const { branding, inherited } = await call
      .to<ClientsProtocol>(call.org)
      .ask('branding.read', {});
    return { status: 200, body: { ...brandingView(branding), inherited } };
  },
});

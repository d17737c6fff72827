// Lists client workspaces with what they used this month. Nothing else of them is visible here.

import { z } from 'zod';
import type { ClientsProtocol } from '../../../actors/tenants/clients/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { countedPage, listQuery } from '../../call/schemas/schemas.ts';
import { requireOrgKey } from '../org-key.ts';
import { clientSchema, clientView } from './client-shape.ts';

export const listClients = route({
  method: 'GET',
  path: '/v1/org/clients',
  summary: 'List client workspaces',
  description: 'Deleted ones are omitted; `GET /v1/org/usage` has their past months.',
  tag: 'Clients',
  access: key('read'),
  reads: ['client'],
  lane: 'standard',
  query: z.object(listQuery),
  responses: {
    200: { description: 'Client workspaces.', schema: countedPage(clientSchema) },
  },
  async handle(call) {
    requireOrgKey(call, 'client workspaces are', 'read');
    const { order, q, limit, cursor } = call.query;
    const { items, nextCursor, total } = await call
      .to<ClientsProtocol>(call.org)
      .ask('client.list', { order, limit, ...present({ q, cursor }) });
    return { status: 200, body: { items: items.map(clientView), nextCursor, total } };
  },
});

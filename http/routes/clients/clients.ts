// The client workspaces of an agency.

import { z } from 'zod';
import { scopes } from '../../../actors/tenants/accounts/records.ts';
import type { ClientsProtocol } from '../../../actors/tenants/clients/protocol.ts';
import { newId } from '../../../engine/base/id.ts';
import { present } from '../../call/answer/present.ts';
import { chooseKey, idempotencyKeySchema } from '../../call/idempotency.ts';
import { firstKeyFor, sameFirstKey } from '../../call/keys/first-key.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { countedPage, exampleOf, listQuery } from '../../call/schemas/schemas.ts';
import { exampleKey } from '../keys/key-view.ts';
import { idempotencyHeaders, replayHeaders, sentObject } from '../notifications/accepted.ts';
import { orgNameBody, orgSchema, orgView } from '../org/org-view.ts';
import { requireOrgKey } from '../org-key.ts';
import { clientSchema, clientView } from './client-shape.ts';

/**
 * Makes a client workspace: an org of its own, with its first key. The parent records it first, and
 * makes it again after a crash, so there is never half of one. A retry with the idempotency key
 * returns the same key: its bytes follow from the idempotency key and a secret of this server.
 */
export const createClient = route({
  method: 'POST',
  path: '/v1/org/clients',
  summary: 'Create a client workspace',
  description:
    "Creates a separate org under yours, with its first key, which has all four scopes and is shown only in this response. A client workspace is fully isolated: your keys read nothing in it. Its usage is added to your org's; it is never billed itself. It follows your branding until it sets its own. A client workspace cannot have client workspaces: 409. An org has at most 10,000: beyond that, 409. A workspace that was created this month and deleted since counts until the month ends (UTC). With an idempotency key a retry within 24 hours returns the same workspace and the same key.",
  tag: 'Clients',
  access: key('admin'),
  changes: ['client'],
  body: orgNameBody
    .extend({ idempotencyKey: idempotencyKeySchema })
    .meta({ examples: [{ name: 'Harbour Coffee' }] }),
  requestHeaders: idempotencyHeaders,
  responses: {
    201: {
      description: 'The workspace and its first key.',
      headers: replayHeaders,
      schema: z
        .object({
          org: orgSchema,
          apiKey: z.object({
            id: z.string(),
            key: z.string().describe('Shown only here.'),
            scopes: z.array(z.enum(scopes)),
          }),
        })
        .meta({
          examples: [
            {
              org: {
                ...exampleOf(orgSchema),
                id: exampleIds.client,
                name: 'Harbour Coffee',
                parentOrgId: exampleIds.org,
              },
              apiKey: { id: exampleIds.key, key: exampleKey, scopes: [...scopes] },
            },
          ],
        }),
    },
  },
  refusals: [409],
  async handle(call) {
    requireOrgKey(call, 'client workspaces are');
    const { rng, clock } = call.edge;
    const nowMs = clock.now();
    const clientId = newId('org', 0, nowMs, rng);
    const idempotencyKey = chooseKey(
      call.header('idempotency-key'),
      sentObject(call)['idempotencyKey'],
    );
    const made = firstKeyFor(call.edge, clientId, idempotencyKey);
    const opened = await call.to<ClientsProtocol>(call.org).ask('client.open', {
      clientId,
      name: call.body.name,
      key: { id: newId('key', 0, nowMs, rng), keyId: made.keyId, secretHash: made.secretHash },
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
    const { to, workspace, isReplay, secretHash } = opened;
    const stored = [{ id: workspace.key?.id ?? '', secretHash }];
    const shown = isReplay
      ? sameFirstKey(call.edge, workspace.orgId, idempotencyKey, stored, 'the client workspace')
      : made;
    const { org } = await call
      .to<ClientsProtocol>(to)
      .ask('workspace.receive', { workspace }, { by: -1 });
    const apiKey = { id: workspace.key?.id ?? '', key: shown.text, scopes: [...scopes] };
    return {
      status: 201,
      body: { org: orgView(org), apiKey },
      headers: isReplay ? [['x-idempotent-replay', 'true']] : [],
    };
  },
});

/** Lists client workspaces with what they used this month. Nothing else of them is visible here. */
export const listClients = route({
  method: 'GET',
  path: '/v1/org/clients',
  summary: 'List client workspaces',
  description: 'Deleted ones are omitted; `GET /v1/org/usage` has their past months.',
  tag: 'Clients',
  access: key('read'),
  reads: ['client'],
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

/**
 * Deletes a client workspace: its keys stop working, and its apps and their data are removed. Its
 * usage stays on the invoice.
 */
export const deleteClient = route({
  method: 'DELETE',
  path: '/v1/org/clients/:id',
  summary: 'Delete a client workspace',
  description:
    "Its keys stop working before the response is sent, and its apps with all their data are deleted. What it used stays in your org's usage and invoices. This cannot be undone.",
  tag: 'Clients',
  access: key('admin'),
  changes: ['client'],
  edits: 'client.close',
  params: { id: 'Org id of the client workspace.' },
  responses: { 204: { description: 'Deleted.' } },
  async handle(call) {
    requireOrgKey(call, 'client workspaces are');
    const { to, workspace } = await call
      .to<ClientsProtocol>(call.org)
      .ask('client.close', { clientId: call.param('id') });
    await call.to<ClientsProtocol>(to).ask('workspace.receive', { workspace }, { by: -1 });
    return { status: 204 };
  },
});

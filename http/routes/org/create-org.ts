// Makes an org with its first key. The org's slot follows from its id, and holds all that it owns.

import { z } from 'zod';
import { slotOfOrg } from '../../../actors/tenants/accounts/org-slot.ts';
import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { scopes } from '../../../actors/tenants/accounts/records.ts';
import { newId } from '../../../engine/base/id.ts';
import { makeKey } from '../../authenticate.ts';
import { exampleIds } from '../../example-ids.ts';
import { bootstrap, route } from '../../route.ts';
import { exampleOf } from '../../schemas.ts';
import { exampleKey } from '../keys/key-view.ts';
import { orgNameBody, orgSchema, orgView } from './org-view.ts';

export const createOrg = route({
  method: 'POST',
  path: '/v1/orgs',
  summary: 'Create an org',
  description:
    'For the operator. Creates an org and its first key, with all four scopes. The key is shown only in this response.',
  tag: 'Org',
  access: bootstrap,
  lane: 'none',
  body: orgNameBody,
  responses: {
    201: {
      description: 'The org and its first key.',
      schema: z
        .object({
          org: orgSchema,
          apiKey: z.object({
            id: z.string(),
            key: z.string().describe('Shown only once.'),
            scopes: z.array(z.enum(scopes)),
          }),
        })
        .meta({
          examples: [
            {
              org: exampleOf(orgSchema),
              apiKey: { id: exampleIds.key, key: exampleKey, scopes: [...scopes] },
            },
          ],
        }),
    },
  },
  async handle(call) {
    const { rng, clock } = call.edge;
    const nowMs = clock.now();
    const orgId = newId('org', 0, nowMs, rng);
    const slot = slotOfOrg(orgId);
    const { text, keyId, secretHash } = makeKey(slot);
    const { org, key } = await call.to<AccountsProtocol>(slot).ask('org.create', {
      orgId,
      name: call.body.name,
      parentOrgId: null,
      key: { id: newId('key', 0, nowMs, rng), keyId, secretHash },
    });
    const apiKey = { id: key.id, key: text, scopes: key.scopes };
    return { status: 201, body: { org: orgView(org), apiKey } };
  },
});

// Makes an org with its first key. The org's slot follows from its id, and holds all that it owns.

import { z } from 'zod';
import { slotOfOrg } from '../../../actors/tenants/accounts/org-slot.ts';
import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { type OrgRecord, scopes } from '../../../actors/tenants/accounts/records.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { newId } from '../../../engine/base/id.ts';
import type { Rng } from '../../../engine/base/rng.ts';
import { ReplayOf } from '../../call/call.ts';
import { firstKeyFor, sameFirstKey } from '../../call/keys/first-key.ts';
import { bootstrap, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { exampleOf } from '../../call/schemas/schemas.ts';
import { exampleKey } from '../keys/key-view.ts';
import { orgNameBody, orgSchema, orgView } from './org-view.ts';

export const createOrg = route({
  method: 'POST',
  path: '/v1/orgs',
  summary: 'Create an org',
  description:
    'For the operator. Creates an org and its first key, with all four scopes. The key is shown only in this response. With an idempotency key a retry within 24 hours returns the same org and the same key.',
  tag: 'Org',
  access: bootstrap,
  changes: ['org', 'key'],
  lane: 'none',
  creates: { kind: 'org.create', prefix: 'org' },
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
    const idempotencyKey = call.header('idempotency-key');
    const orgId = orgIdFor(idempotencyKey, nowMs, rng);
    const slot = slotOfOrg(orgId);
    const made = firstKeyFor(call.edge, orgId, idempotencyKey);
    const { keyId, secretHash } = made;
    const accounts = call.to<AccountsProtocol>(slot);
    const first = { id: newId('key', 0, nowMs, rng), keyId, secretHash };
    const asked = { orgId, name: call.body.name, parentOrgId: null, key: first };
    try {
      const { org, key } = await accounts.ask('org.create', asked);
      return { status: 201, body: answer(org, key.id, made.text) };
    } catch (error) {
      if (!(error instanceof ReplayOf)) throw error;
      const { org, keys } = await accounts.ask('org.created', { orgId: error.id });
      const shown = sameFirstKey(call.edge, org.id, idempotencyKey, keys, 'the org');
      const headers = [['x-idempotent-replay', 'true']] as const;
      return { status: 201, body: answer(org, shown.id, shown.text), headers };
    }
  },
});

/** With an idempotency key, one whose slot follows from that key: a retry asks there again. */
function orgIdFor(idempotencyKey: string | undefined, nowMs: Millis, rng: Rng): string {
  const slot = idempotencyKey === undefined ? undefined : slotOfOrg(idempotencyKey);
  for (;;) {
    const orgId = newId('org', 0, nowMs, rng);
    if (slot === undefined || slotOfOrg(orgId) === slot) return orgId;
  }
}

function answer(org: OrgRecord, id: string, text: string) {
  return { org: orgView(org), apiKey: { id, key: text, scopes: [...scopes] } };
}

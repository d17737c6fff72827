// Makes an API key. The edge makes the secret; actors only see its hash.

import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { slotOf } from '../../../engine/actor/placement.ts';
import { newId } from '../../../engine/base/id.ts';
import { makeKey } from '../../call/admission/authenticate.ts';
import { key, route } from '../../call/route.ts';
import { requireOrgKey } from '../org-key.ts';
import { keyBody, keyView, madeKeySchema } from './key-view.ts';

export const createKey = route({
  method: 'POST',
  path: '/v1/keys',
  summary: 'Create an API key',
  description:
    'A key can only make keys with scopes it has. With `appId`, the new key works for that app only.',
  tag: 'Keys',
  access: key('admin'),
  changes: ['key'],
  lane: 'standard',
  body: keyBody,
  creates: { kind: 'key.create', prefix: 'key' },
  responses: { 201: { description: 'The key, with its secret text.', schema: madeKeySchema } },
  refusals: [404, 409],
  async handle(call) {
    requireOrgKey(call, 'keys are');
    const { clock, rng } = call.edge;
    const { text, keyId, secretHash } = makeKey(slotOf(call.org));
    const made = await call.to<AccountsProtocol>(call.org).ask('key.create', {
      name: call.body.name,
      scopes: call.body.scopes,
      appId: call.body.appId ?? null,
      key: { id: newId('key', 0, clock.now(), rng), keyId, secretHash },
    });
    return { status: 201, body: { ...keyView(made), key: text } };
  },
});

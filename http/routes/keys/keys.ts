// The org's API keys. The edge makes a key's secret; actors see only its hash.

import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { slotOf } from '../../../engine/actor/placement.ts';
import { newId } from '../../../engine/base/id.ts';
import { makeKey } from '../../call/admission/authenticate.ts';
import { pagesBy } from '../../call/answer/page.ts';
import { requireOrgKey } from '../org-key.ts';
import { Resource } from '../resource.ts';
import { keyBody, keySchema, keyView, madeKeySchema } from './key-view.ts';

const keys = new Resource({
  path: '/v1/keys',
  params: { id: 'Key id, `key_…`; not the key itself.' },
  tag: 'Keys',
  noun: 'key',
  a: 'an API key',
  the: 'key',
  prefix: 'key',
  scopes: ['admin', 'admin'],
  schema: keySchema,
  view: keyView,
  actor: (call) => {
    requireOrgKey(call, 'keys are');
    return call.to<AccountsProtocol>(call.org);
  },
  named: (call) => ({ id: call.param('id') }),
});

/** Makes an API key. The edge makes the secret; actors only see its hash. */
export const createKey = keys.create({
  description:
    'A key can only make keys with scopes it has. With `appId`, the new key works for that app only.',
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

export const listKeys = keys.list({
  all: 'key.list',
  page: pagesBy('key'),
});

/** Deletes an API key. It stops working before the response: every front drops it first. */
export const deleteKey = keys.remove({
  description:
    'The key, and sessions that were opened with it, stop working before the response is sent. 409 for the last key that has the scope `admin` and no `appId`, unless the org has an owner who has signed in and can create another.',
  changes: ['key', 'session'],
  refusals: [409],
  asks: 'key.delete',
});

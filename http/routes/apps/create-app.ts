// Makes an app with a web push key pair of its own. The pair is made here, on the edge, because
// actors make no secrets.

import { createECDH } from 'node:crypto';
import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { key, route } from '../../route.ts';
import { requireOrgKey } from '../org-key.ts';
import { appBody, appSchema, appView } from './app-view.ts';

export const createApp = route({
  method: 'POST',
  path: '/v1/apps',
  summary: 'Create an app',
  description: 'An app is one audience: its subscribers, messages and events are its own.',
  tag: 'Apps',
  access: key('admin'),
  lane: 'standard',
  body: appBody,
  responses: { 201: { description: 'The app.', schema: appSchema } },
  refusals: [409],
  async handle(call) {
    requireOrgKey(call, 'apps are');
    const { name, timezone } = call.body;
    const vapid = makeVapidKeys();
    const app = await call
      .to<AccountsProtocol>(call.org)
      .ask('app.create', { name, timezone, vapid });
    return { status: 201, body: appView(app, vapid.publicKey) };
  },
});

/**
 * A P-256 key pair: the uncompressed point (65 bytes) and the scalar (32 bytes), both in base64url.
 */
function makeVapidKeys(): { readonly publicKey: string; readonly privateKey: string } {
  const ecdh = createECDH('prime256v1');
  const publicKey = ecdh.generateKeys().toString('base64url');
  const scalar = ecdh.getPrivateKey();
  // OpenSSL drops leading zeros of the scalar; push libraries want all 32 bytes.
  const padded = Buffer.concat([Buffer.alloc(32 - scalar.length), scalar]);
  return { publicKey, privateKey: padded.toString('base64url') };
}

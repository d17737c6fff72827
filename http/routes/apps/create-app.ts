// Makes an app with its own web push key pair, made at the edge because actors make no secrets.

import { makeVapidKeys } from '../../../actors/channels/webpush/vapid-keys.ts';
import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { key, route } from '../../call/route.ts';
import { requireOrgKey } from '../org-key.ts';
import { appBody, appSchema, appView } from './app-view.ts';

export const createApp = route({
  method: 'POST',
  path: '/v1/apps',
  summary: 'Create an app',
  description: 'An app is one audience with its own subscribers, messages and events.',
  tag: 'Apps',
  access: key('admin'),
  changes: ['app'],
  lane: 'standard',
  body: appBody,
  creates: { kind: 'app.create', prefix: 'app', read: '/v1/apps/:appId' },
  responses: { 201: { description: 'The app.', schema: appSchema } },
  refusals: [409],
  async handle(call) {
    requireOrgKey(call, 'apps are');
    const { name, timezone } = call.body;
    const vapid = await makeVapidKeys();
    const app = await call
      .to<AccountsProtocol>(call.org)
      .ask('app.create', { name, timezone, vapid });
    return { status: 201, body: appView(app, vapid.publicKey) };
  },
});

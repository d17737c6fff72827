// Reads one app.

import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { key, route } from '../../call/route.ts';
import { appSchema, appView } from './app-view.ts';

export const readApp = route({
  method: 'GET',
  path: '/v1/apps/:appId',
  summary: 'Read an app',
  tag: 'Apps',
  access: key('read'),
  reads: ['app', 'credential', 'settings'],
  lane: 'standard',
  responses: { 200: { description: 'The app.', schema: appSchema } },
  refusals: [404],
  async handle(call) {
    const app = await call.to<AccountsProtocol>(call.app()).ask('app.read', {});
    return { status: 200, body: appView(app, app.vapidPublicKey) };
  },
});

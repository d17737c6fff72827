// Changes an app's name or time zone.

import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { appPatch, appSchema, appView } from './app-view.ts';

export const updateApp = route({
  method: 'PATCH',
  path: '/v1/apps/:appId',
  summary: 'Update an app',
  tag: 'Apps',
  access: key('write'),
  changes: ['app'],
  lane: 'standard',
  edits: 'app.update',
  body: appPatch,
  responses: { 200: { description: 'The updated app.', schema: appSchema } },
  refusals: [404],
  async handle(call) {
    const { name, timezone } = call.body;
    const owner = call.app();
    const app = await call
      .to<AccountsProtocol>(owner)
      .ask('app.update', present({ name, timezone }));
    const { vapidPublicKey } = await call.to<AccountsProtocol>(owner).ask('app.read', {});
    return { status: 200, body: appView(app, vapidPublicKey) };
  },
});

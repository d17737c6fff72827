// Reads an app's settings, without the webhook's secret.

import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { key, route } from '../../call/route.ts';
import { settingDefaults } from './setting-defaults.ts';
import { settingsSchema, settingsView } from './settings-shape.ts';

export const readSettings = route({
  method: 'GET',
  path: '/v1/apps/:appId/settings',
  summary: "Read an app's settings",
  tag: 'Apps',
  access: key('read'),
  reads: ['settings'],
  lane: 'standard',
  responses: { 200: { description: 'The settings.', schema: settingsSchema } },
  refusals: [404],
  async handle(call) {
    const app = call.app();
    const settings = await call.to<AccountsProtocol>(app).ask('settings.read', {});
    const { platformDomain } = call.edge.config;
    const defaults = await settingDefaults(call, settings);
    return { status: 200, body: settingsView(settings, defaults, app, platformDomain) };
  },
});

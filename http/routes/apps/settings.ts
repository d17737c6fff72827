// An app's settings.

import type { IdentityProtocol } from '../../../actors/people/identity/protocol.ts';
import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import type {
  AppSettings,
  IdentityVerification,
} from '../../../actors/tenants/accounts/records.ts';
import type { Call } from '../../call/call.ts';
import { key, route } from '../../call/route.ts';
import { refuseUncallable } from '../../call/schemas/callable-url.ts';
import { settingsMessage, settingsPatch, settingsSchema, settingsView } from './settings-shape.ts';

export const readSettings = route({
  method: 'GET',
  path: '/v1/apps/:appId/settings',
  summary: "Read an app's settings",
  tag: 'Apps',
  access: key('read'),
  reads: ['settings'],
  responses: { 200: { description: 'The settings.', schema: settingsSchema } },
  async handle(call) {
    const app = call.app();
    const settings = await call.to<AccountsProtocol>(app).ask('settings.read', {});
    const { platformDomain } = call.edge.config;
    const defaults = await settingDefaults(call, settings);
    return { status: 200, body: settingsView(settings, defaults, app, platformDomain) };
  },
});

export const updateSettings = route({
  method: 'PATCH',
  path: '/v1/apps/:appId/settings',
  summary: "Update an app's settings",
  description: 'Fields you omit keep their value.',
  tag: 'Apps',
  access: key('write'),
  changes: ['settings'],
  edits: 'settings.patch',
  body: settingsPatch,
  responses: { 200: { description: 'The updated settings.', schema: settingsSchema } },
  async handle(call) {
    const { webhookUrl } = call.body;
    if (webhookUrl != null) refuseUncallable('webhookUrl', webhookUrl, call.edge.config);
    const patch = settingsMessage(call.body);
    const app = call.app();
    const settings = await call.to<AccountsProtocol>(app).ask('settings.patch', { patch });
    const defaults = await settingDefaults(call, settings);
    return {
      status: 200,
      body: settingsView(settings, defaults, app, call.edge.config.platformDomain),
    };
  },
});

/**
 * What decides the defaults of an app's settings: the server's mode, and the app's identity
 * secret, which only the identity area knows.
 */
async function settingDefaults(
  call: Call<unknown, unknown>,
  { identityVerification }: AppSettings,
): Promise<{ readonly isSandbox: boolean; readonly verification: IdentityVerification }> {
  const isSandbox = call.edge.config.mode === 'sandbox';
  if (identityVerification !== null) return { isSandbox, verification: identityVerification };
  const described = await call.to<IdentityProtocol>(call.app()).ask('sdk.describe', {});
  return { isSandbox, verification: described.identityVerification };
}

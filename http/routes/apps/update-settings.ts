// Changes an app's settings; omitted fields stay. Only a webhook URL's scheme and literal address
// can be checked here; names are checked at each call (actors/channels/outbound/network-guard.ts).

import { judgeUrl, type RefusedReason } from '../../../actors/channels/outbound/network-guard.ts';
import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { key, route } from '../../route.ts';
import { settingDefaults } from './setting-defaults.ts';
import { settingsMessage, settingsPatch, settingsSchema, settingsView } from './settings-shape.ts';

export const updateSettings = route({
  method: 'PATCH',
  path: '/v1/apps/:id/settings',
  summary: "Update an app's settings",
  description: 'Fields you omit keep their value.',
  tag: 'Apps',
  access: key('write'),
  lane: 'standard',
  params: { id: 'App id.' },
  body: settingsPatch,
  responses: { 200: { description: 'The updated settings.', schema: settingsSchema } },
  refusals: [404],
  async handle(call) {
    const { mode, allowPrivateNetworks, platformDomain } = call.edge.config;
    refuseWebhook(call.body.webhookUrl, mode === 'sandbox' || allowPrivateNetworks);
    const patch = settingsMessage(call.body);
    const app = call.app();
    const settings = await call.to<AccountsProtocol>(app).ask('settings.patch', { patch });
    const defaults = await settingDefaults(call, settings);
    return { status: 200, body: settingsView(settings, defaults, app, platformDomain) };
  },
});

const words: Readonly<Record<RefusedReason, string>> = {
  invalid_url: 'expected an absolute URL',
  scheme_not_allowed: 'expected an https URL',
  port_not_allowed: 'expected port 443 or 8443',
  userinfo_not_allowed: 'expected a URL without username or password',
  private_address: 'expected a public address',
};

function refuseWebhook(url: string | null | undefined, allowPrivateNetworks: boolean): void {
  if (url == null) return;
  const verdict = judgeUrl(url, allowPrivateNetworks);
  if ('refused' in verdict) throw new FaultError(fieldFault('webhookUrl', words[verdict.refused]));
}

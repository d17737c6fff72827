// What decides the defaults of an app's settings: the server's mode, and the app's identity secret,
// which only the identity area knows.

import type { IdentityProtocol } from '../../../actors/people/identity/protocol.ts';
import type {
  AppSettings,
  IdentityVerification,
} from '../../../actors/tenants/accounts/records.ts';
import type { Call } from '../../call/call.ts';

export async function settingDefaults(
  call: Call<unknown, unknown>,
  { identityVerification }: AppSettings,
): Promise<{ readonly isSandbox: boolean; readonly verification: IdentityVerification }> {
  const isSandbox = call.edge.config.mode === 'sandbox';
  if (identityVerification !== null) return { isSandbox, verification: identityVerification };
  const described = await call.to<IdentityProtocol>(call.app()).ask('sdk.describe', {});
  return { isSandbox, verification: described.identityVerification };
}

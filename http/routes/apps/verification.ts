// How an app verifies identities. The default depends on its identity secret, which only the
// identity area knows.

import type { IdentityProtocol } from '../../../actors/people/identity/protocol.ts';
import type {
  AppSettings,
  IdentityVerification,
} from '../../../actors/tenants/accounts/records.ts';
import type { Call } from '../../call.ts';

export async function verificationIn(
  call: Call<unknown, unknown>,
  { identityVerification }: AppSettings,
): Promise<IdentityVerification> {
  if (identityVerification !== null) return identityVerification;
  const described = await call.to<IdentityProtocol>(call.app()).ask('sdk.describe', {});
  return described.identityVerification;
}

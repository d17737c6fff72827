// Zalo through its Official Account API.

import { z } from 'zod';
import type { Checked } from '../addresses/address.ts';
import { textEndpoint } from '../addresses/endpoint.ts';
import { type ChannelEntry, ownAccount, waitOrNever } from '../port/channel-entry.ts';
import { secretText } from '../port/credential-forms.ts';

const credentialSchema = z.object({
  appId: z.string().regex(/^\d{5,32}$/, 'must be the numeric app id'),
  appSecret: secretText(8, 256),
  /** Valid once: each use returns another, which replaces it in the stored credential. */
  refreshToken: secretText(16, 2048),
  oaSecretKey: secretText(8, 256).optional(),
});
export type ZaloApp = z.infer<typeof credentialSchema>;

export const zalo = {
  ...textEndpoint('user id', zaloId, 20),
  ...ownAccount,
  identity: 'zalo',
  credential: 'zalo',
  credentialSchema,
  onAmbiguous: waitOrNever,
  marketingNight: { start: '22:00', end: '06:00', timezone: 'Asia/Ho_Chi_Minh' },
  reachedReasons: [
    'credential_not_kept',
    'credential_superseded',
    'night_time',
    'recipient_quota',
    'send_failed',
  ],
  urls: { ZALO: 'https://openapi.zalo.me', ZALO_TOKEN: null },
  namesMessages: 'provider',
  webhook: {
    header: 'x-zevent-signature',
    proof:
      "`mac=` followed by the hash of app id, body, timestamp and the stored credential's `oaSecretKey`.",
    about:
      'Called by Zalo with the status of messages, and when someone follows, leaves or writes to the account. A seen message is an `opened` event.',
  },
  reasons: {
    no_zalo_account: 'user_not_found',
    send_failed: 'unavailable',
    zalo_token_unavailable: 'unavailable',
    zalo_token_unreadable: 'unavailable',
    api_rate: 'throttled',
    zalo_token_throttled: 'throttled',
    out_of_balance: 'balance_used_up',
    account_quota: 'balance_used_up',
    billing_not_linked: 'balance_used_up',
    invalid_phone: 'invalid_number',
    cannot_receive: 'invalid_number',
    user_inactive: 'user_not_found',
    account_deleted: 'user_not_found',
    inactive_or_rejected: 'user_not_found',
    not_a_follower: 'not_started',
    invitations_blocked: 'not_started',
    restricted_by_user: 'opted_out',
    parameter_too_long: 'payload_too_large',
    template_refused: 'template_missing',
    template_parameters: 'template_mismatch',
    message_type_unsupported: 'bad_request',
    access_token_expired: 'unauthenticated',
    access_token_invalid: 'unauthenticated',
    refresh_token_refused: 'unauthenticated',
    credential_superseded: 'unauthenticated',
    credential_not_kept: 'unauthenticated',
    account_not_verified: 'account_blocked',
    account_type_unsupported: 'account_blocked',
    app_id_invalid: 'account_blocked',
    app_not_active: 'account_blocked',
    app_not_granted: 'account_blocked',
    app_removed: 'account_blocked',
    api_not_registered: 'account_blocked',
    api_version_closed: 'account_blocked',
    package_missing: 'account_blocked',
  },
  usesLanguage: true,
} as const satisfies ChannelEntry;

/** A Zalo user id: 1 to 20 digits. */
function zaloId(raw: string): Checked {
  if (!/^\d{1,20}$/.test(raw)) return { problem: 'must be a Zalo user id: up to 20 digits' };
  return { value: raw };
}

// KakaoTalk through Solapi.

import { z } from 'zod';
import { phoneEndpoint } from '../addresses/endpoint.ts';
import { type ChannelEntry, ownAccount, waitOrNever } from '../port/channel-entry.ts';
import { secretText } from '../port/credential-forms.ts';

const credentialSchema = z.object({
  // It goes into a header with commas.
  apiKey: z.string().regex(/^[A-Za-z0-9_-]{8,128}$/, 'must be 8 to 128 letters, digits, _ or -'),
  apiSecret: secretText(8, 128),
  pfId: secretText(4, 128),
  from: z
    .string()
    .overwrite(koreanForm)
    .regex(/^\d{8,15}$/, 'must be a registered sender number in Korean format, such as 0212345678'),
});
export type KakaoCredential = z.infer<typeof credentialSchema>;

export const kakao = {
  ...phoneEndpoint,
  ...ownAccount,
  billsPerMessage: true,
  credential: 'kakao',
  credentialSchema,
  onAmbiguous: waitOrNever,
  payloadKey: 'kakao',
  reachedReasons: ['handset_unreachable', 'signature_repeated', 'timed_out'],
  urls: { KAKAO: 'https://api.solapi.com' },
  namesMessages: 'engage',
  isPolled: true,
  reasons: {
    carrier_unavailable: 'unavailable',
    queue_full: 'throttled',
    outside_hours: 'night_time',
    refused_by_handset: 'handset_unreachable',
    not_a_kakaotalk_user: 'user_not_found',
    inactive_or_blocked: 'user_not_found',
    not_a_friend: 'not_started',
    not_a_subscriber: 'not_started',
    reported_number: 'blocked',
    signature_repeated: 'content_refused',
    image_invalid: 'invalid_url',
    template_not_registered: 'template_missing',
    custom_fields_invalid: 'template_mismatch',
    clock_skewed: 'unauthenticated',
    channel_invalid: 'account_blocked',
    sender_number_not_usable: 'sender_missing',
  },
} as const satisfies ChannelEntry;

/** A Korean number as registered at Solapi: digits only, in national form. */
function koreanForm(raw: string): string {
  return raw.replace(/[ \-.()]/g, '').replace(/^\+82/, '0');
}

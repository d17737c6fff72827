// KakaoTalk through Solapi.

import { z } from 'zod';
import { type ChannelEntry, ownAccount, waitOrNever } from '../channel-entry.ts';
import { secretText } from '../credential-forms.ts';
import { phoneEndpoint } from '../endpoint.ts';

const credentialSchema = z.object({
  // It stands in a header beside commas.
  apiKey: z.string().regex(/^[A-Za-z0-9_-]{8,128}$/, 'must be 8 to 128 letters, digits, _ or -'),
  apiSecret: secretText(8, 128),
  pfId: secretText(4, 128),
  from: z
    .string()
    .overwrite(koreanForm)
    .regex(
      /^\d{8,15}$/,
      'must be a registered sender number in its Korean form, such as 0212345678',
    ),
});
export type KakaoCredential = z.infer<typeof credentialSchema>;

/** What the catalogue says of KakaoTalk. */
export const kakao = {
  label: 'KakaoTalk',
  ...phoneEndpoint,
  ...ownAccount,
  credential: 'kakao',
  credentialSchema,
  onAmbiguous: waitOrNever,
  payloadKey: 'kakao',
  urls: { KAKAO: 'https://api.solapi.com' },
  namesMessages: 'engage',
  isPolled: true,
} as const satisfies ChannelEntry;

/** A Korean number as the aggregator has registered it: digits alone, dialled at home. */
function koreanForm(raw: string): string {
  return raw.replace(/[ \-.()]/g, '').replace(/^\+82/, '0');
}

// The carrier account that sms and voice send with: the credential `carrier`.

import { z } from 'zod';
import { phoneEndpoint } from '../addresses/endpoint.ts';
import { phoneNumber } from '../addresses/phone-number.ts';
import { ownAccount, waitOrNever } from '../port/channel-entry.ts';
import { secretText } from '../port/credential-forms.ts';

const senderNumber = z
  .string()
  .overwrite(phoneForm)
  .refine(
    (raw) =>
      /^\d{3,8}$/.test(raw) || /^(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11}$/.test(raw) || isPhone(raw),
    'must be a phone number in E.164 form, a short code, or a sender name of up to 11 letters',
  );
const carrierSchema = z
  .object({
    accountSid: z.string().regex(/^AC[0-9a-fA-F]{32}$/, 'must be AC and 32 hexadecimal digits'),
    authToken: secretText(16, 256),
    apiKeySid: z
      .string()
      .regex(/^SK[0-9a-fA-F]{32}$/, 'must be SK and 32 hexadecimal digits')
      .optional(),
    apiKeySecret: secretText(16, 256).optional(),
    from: senderNumber.optional(),
    messagingServiceSid: z
      .string()
      .regex(/^MG[0-9a-fA-F]{32}$/, 'must be MG and 32 hexadecimal digits')
      .optional(),
    voiceFrom: z
      .string()
      .overwrite(phoneForm)
      .refine(isPhone, 'must be a phone number in E.164 form')
      .optional(),
  })
  .refine((body) => (body.apiKeySid === undefined) === (body.apiKeySecret === undefined), {
    path: ['apiKeySecret'],
    message: 'apiKeySid and apiKeySecret must be given together',
  })
  .refine((body) => body.from ?? body.messagingServiceSid ?? body.voiceFrom, {
    path: ['from'],
    message: 'one of from, messagingServiceSid and voiceFrom is required',
  });
export type CarrierAccount = z.infer<typeof carrierSchema>;

export const carrierChannel = {
  ...phoneEndpoint,
  ...ownAccount,
  billsPerMessage: true,
  credential: 'carrier',
  credentialSchema: carrierSchema,
  onAmbiguous: waitOrNever,
  reachedReasons: ['provider_timeout', 'unknown_error'],
  urls: { CARRIER: 'https://api.twilio.com' },
  namesMessages: 'engage',
} as const;

/** The sandbox default when a tenant has none; the stand-in signs its callbacks with it. */
export const sandboxAccount: CarrierAccount = {
  accountSid: `AC${'5a'.repeat(16)}`,
  authToken: 'sandbox-auth-token',
  from: '+15005550006',
};

/** A phone number in E.164; any other text unchanged. */
function phoneForm(raw: string): string {
  const checked = phoneNumber(raw);
  return 'value' in checked ? checked.value : raw;
}

function isPhone(raw: string): boolean {
  return 'value' in phoneNumber(raw);
}
